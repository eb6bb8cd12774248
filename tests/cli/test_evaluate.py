"""askance evaluate: run files of any system against judgments."""

from __future__ import annotations

import csv
import gzip
import io
import json
from pathlib import Path

import pytest
from tests.command import askance

import askance as askance_api
from askance.app.evaluate import evaluate, wanted_measures
from askance.core.errors import BadInput, DataProblem, FileProblem, UnknownName

QRELS = "q1 0 a 2\nq1 0 b 1\nq1 0 c 0\nq2 0 a 1\nq3 0 c 1\nq4 0 a 0\n"
RUN = (
    "q1 Q0 a 1 3.0 sys\nq1 Q0 c 2 2.0 sys\nq1 Q0 b 3 2.0 sys\nq2 Q0 b 1 1.5 sys\nq2 Q0 a 2 1.0 sys\nq9 Q0 a 1 1.0 sys\n"
)


@pytest.fixture
def files(tmp_path: Path) -> Path:
    (tmp_path / "qrels.txt").write_text(QRELS, encoding="utf-8")
    (tmp_path / "sys.run").write_text(RUN, encoding="utf-8")
    return tmp_path


def test_values_by_hand_and_what_became_of_the_queries(files: Path) -> None:
    found = evaluate([files / "sys.run"], files / "qrels.txt", measures=["Hit@1", "RR", "AP", "Recall@2", "P@1"])
    run = found.runs[0]
    assert run.counts.record() == {"evaluated": 3, "missing": 2, "unjudged": 1, "excluded": 1}
    values = {name: estimate.value for name, estimate in run.measures.items()}
    assert values["Hit@1"] == pytest.approx(1 / 3)  # q1 hits, q2 misses, q3 is not in the run
    assert values["RR"] == pytest.approx((1 + 1 / 2 + 0) / 3)
    # b is tied with c at ranks 2 and 3: AP of q1 is the mean of (1 + 1)/2 and (1 + 2/3)/2
    assert values["AP"] == pytest.approx((((1 + 1) / 2 + (1 + 2 / 3) / 2) / 2 + 1 / 2) / 3)
    assert values["Recall@2"] == pytest.approx(((1 / 2 + 1 / 4) + 1 + 0) / 3)
    assert all(estimate.n == 3 for estimate in run.measures.values())
    assert run.per_query()["RR"] == {"q1": 1.0, "q2": 0.5, "q3": 0.0}
    assert run.tied == pytest.approx(2 / 6)
    assert run.spread["AP"] == pytest.approx(1 / 6 / 3)


def test_without_the_size_of_the_corpus_chance_is_null_and_says_why(files: Path) -> None:
    found = evaluate([files / "sys.run"], files / "qrels.txt", measures=["Hit@1"])
    assert found.runs[0].chance["Hit@1"].expected is None
    assert "not known" in found.runs[0].chance["Hit@1"].method
    known = evaluate([files / "sys.run"], files / "qrels.txt", measures=["Hit@1"], corpus_size=10)
    assert known.runs[0].chance["Hit@1"].expected == pytest.approx((2 / 10 + 1 / 10 + 1 / 10) / 3)
    (files / "corpus.jsonl").write_text(
        "".join(json.dumps({"_id": x, "text": ""}) + "\n" for x in "abcd"), encoding="utf-8"
    )
    counted = evaluate([files / "sys.run"], files / "qrels.txt", measures=["Hit@1"], corpus=files / "corpus.jsonl")
    assert counted.corpus_size == 4
    (files / "queries.jsonl").write_text('{"_id": "q1", "text": "?"}\n{"_id": "q2", "text": "?"}\n', encoding="utf-8")
    asked = evaluate([files / "sys.run"], files / "qrels.txt", measures=["Hit@1"], queries=files / "queries.jsonl")
    assert [problem.count for problem in asked.problems if "not in the queries" in problem.text] == [2]


def test_several_definitions_of_gold(files: Path) -> None:
    (files / "strict.txt").write_text("q1 0 b 1\nq2 0 b 1\n", encoding="utf-8")
    found = evaluate(
        [files / "sys.run"],
        [f"easy={files / 'qrels.txt'}", f"strict={files / 'strict.txt'}"],
        measures="Hit@1 Hit@1[strict] P(rel=2)@1",
    )
    values = {name: estimate.value for name, estimate in found.runs[0].measures.items()}
    assert values["Hit@1"] == pytest.approx(1 / 3)
    assert values["Hit@1[strict]"] == pytest.approx(1 / 2)
    assert values["P(rel=2)@1"] == 1.0
    by_query = found.runs[0].per_query()
    assert by_query["Hit@1"] == {"q1": 1.0, "q2": 0.0, "q3": 0.0}
    assert by_query["Hit@1[strict]"] == {"q1": 0.0, "q2": 1.0}


def test_real_runs_equal_trec_eval(shared_data: Path) -> None:
    folder = shared_data / "trec_dl_runs" / "dl2021"
    path = sorted((folder / "runs_top100").iterdir())[7]
    found = evaluate([path], folder / "qrels-pass.txt", measures="P@10 RR AP Rprec Bpref nDCG@10", ties="trec")
    ours = found.runs[0].per_query()
    names = {
        "P_10": "P@10",
        "recip_rank": "RR",
        "map": "AP",
        "Rprec": "Rprec",
        "bpref": "Bpref",
        "ndcg_cut_10": "nDCG@10",
    }
    compared = 0
    with gzip.open(folder / "expected_per_query.tsv.gz", "rt", encoding="utf-8") as lines:
        for run, _, name, query, value in csv.reader(lines, delimiter="\t"):
            measure = names.get(name, name)
            if run == found.runs[0].name and measure in ours and query in ours[measure]:
                assert ours[measure][query] == pytest.approx(float(value), abs=5.1e-5)
                compared += 1
    assert compared >= 6 * 50


def test_the_machine_form_and_the_table(files: Path) -> None:
    done = askance("evaluate", "sys.run", "--qrels", "qrels.txt", "--json", "--per-query", cwd=files)
    assert done.returncode == 0, done.stderr
    tree = json.loads(done.stdout)
    assert tree["schema"] == "askance/evaluate/1"
    run = tree["runs"][0]
    assert set(run) >= {"name", "measures", "chance", "counts", "per_query"}
    assert set(run["measures"]["AP"]) == {"value", "low", "high", "n", "method", "left_out"}
    assert set(run["counts"]) == {"evaluated", "missing", "unjudged", "excluded"}
    table = askance("evaluate", "sys.run", "--qrels", "qrels.txt", cwd=files, COLUMNS="100")
    assert max(map(len, table.stdout.splitlines())) <= 100
    assert "2 judged queries not in the run count 0" in table.stdout
    assert "ties: expected" in table.stdout


def test_plain_rows_have_interval_and_n(files: Path) -> None:
    done = askance("evaluate", "sys.run", "--qrels", "qrels.txt", "--format", "csv", cwd=files)
    rows = list(csv.DictReader(io.StringIO(done.stdout)))
    assert [row["measure"] for row in rows] == ["nDCG@10", "AP", "RR@10", "Recall@100", "Hit@1"]
    assert all(row["low"] and row["high"] and row["n"] == "3" for row in rows)
    by_query = askance("evaluate", "sys.run", "--qrels", "qrels.txt", "--format", "csv", "--per-query", cwd=files)
    assert len(list(csv.DictReader(io.StringIO(by_query.stdout)))) == 15


def test_what_is_in_memory_is_evaluated_like_files(files: Path) -> None:
    gold = {"q1": {"a": 2, "b": 1, "c": 0}, "q2": {"a": 1}, "q3": {"c": 1}, "q4": {"a": 0}}
    run = {"q1": {"a": 3.0, "c": 2.0, "b": 2.0}, "q2": {"b": 1.5, "a": 1.0}, "q9": {"a": 1.0}}
    of_files = evaluate([files / "sys.run"], files / "qrels.txt")
    in_memory = evaluate([run], gold)
    assert in_memory.runs[0].measures == of_files.runs[0].measures
    assert in_memory.runs[0].name == "run1"
    tiers = {"all": askance_api.as_judgments(gold), "strict": askance_api.as_judgments({"q1": {"b": 1}})}
    strict = evaluate([askance_api.as_run(run, "mine")], tiers, measures="Hit@1[strict]")
    assert (strict.runs[0].name, strict.runs[0].measures["Hit@1[strict]"].value) == ("mine", 0.0)
    with pytest.raises(BadInput, match="holds no judgments"):
        evaluate([run], 3)


def test_measures_of_one_text() -> None:
    assert [str(one) for one in wanted_measures("nDCG(gains=exp)@10, AP  P(rel=2)@5,Hit@1[strict]")] == [
        "nDCG(gains=exp)@10",
        "AP",
        "P(rel=2)@5",
        "Hit@1[strict]",
    ]


def test_what_cannot_be_evaluated(files: Path) -> None:
    with pytest.raises(UnknownName, match="there is no tier 'strict'"):
        evaluate([files / "sys.run"], files / "qrels.txt", measures="Hit@1[strict]")
    with pytest.raises(BadInput, match="asked for twice"):
        evaluate([files / "sys.run"], files / "qrels.txt", measures="MAP AP")
    (files / "other.run").write_text("x1 Q0 a 1 1.0 sys\n", encoding="utf-8")
    with pytest.raises(DataProblem, match="no query of the run is judged"):
        evaluate([files / "other.run"], files / "qrels.txt")
    (files / "nan.run").write_text("q1 Q0 a 1 nan sys\n", encoding="utf-8")
    with pytest.raises(FileProblem, match=r"nan\.run:1"):
        evaluate([files / "nan.run"], files / "qrels.txt")
    done = askance("evaluate", "nan.run", "--qrels", "qrels.txt", cwd=files)
    assert done.returncode == 2
    assert "Traceback" not in done.stderr
    assert done.stdout == ""


def test_no_measure_is_no_evaluation(files: Path) -> None:
    for command in ("evaluate", "compare", "drift"):
        runs = ["sys.run"] if command == "evaluate" else ["sys.run", "sys.run"]
        done = askance(command, *runs, "--qrels", "qrels.txt", "--measures", " ", cwd=files)
        assert (done.returncode, done.stdout) == (2, ""), command
        assert "no measure is named" in done.stderr
        assert "Traceback" not in done.stderr


def test_gold_that_no_measure_names_is_said(files: Path) -> None:
    (files / "other.txt").write_text(QRELS, encoding="utf-8")
    both = [f"strict={files / 'qrels.txt'}", f"other={files / 'other.txt'}"]
    said = [problem.text for problem in evaluate([files / "sys.run"], both, measures="Hit@1").problems]
    assert [text for text in said if "no measure names" in text] == [
        "no measure names the gold 'other': nothing is measured against it, 'strict' is the default"
    ]
    named = evaluate([files / "sys.run"], both, measures="Hit@1 Hit@1[other]")
    assert not any("no measure names" in problem.text for problem in named.problems)


def test_runs_of_one_name_are_told_apart(files: Path) -> None:
    (files / "more").mkdir()
    (files / "more" / "sys.run").write_text(RUN, encoding="utf-8")
    (files / "lone.run").write_text(RUN, encoding="utf-8")
    paths = [files / "sys.run", files / "more" / "sys.run", files / "lone.run"]
    first, second, lone = evaluate(paths, files / "qrels.txt", measures="Hit@1").runs
    assert first.problems[0].text == f"2 runs are called so; this is {paths[0]}"
    assert second.problems[0].text == f"2 runs are called so; this is {paths[1]}"
    assert not any("called so" in problem.text for problem in lone.problems)
