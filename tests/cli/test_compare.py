"""askance compare: run files of several systems on the same queries."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import numpy as np
import pytest
from rich.console import Console
from tests.command import askance

from askance.app.compare import compare, distinct_names
from askance.core.errors import BadInput, DataProblem, UnknownName
from askance.measure.intervals import most_others
from askance.measure.paired import mcnemar
from askance.report.compare_tables import compare_grids, compare_sentences
from askance.report.grid import as_table

QUERIES = 30


@pytest.fixture
def files(tmp_path: Path) -> Path:
    """Judgments of 30 queries, one gold each; `a` puts it at rank 1 or 2, `b` a bit lower or higher, `c` copies a."""
    rng = np.random.default_rng(1)
    (tmp_path / "qrels.txt").write_text("".join(f"q{at} 0 d0 1\n" for at in range(QUERIES)), encoding="utf-8")
    places = {"a": rng.integers(1, 4, QUERIES), "b": rng.integers(1, 4, QUERIES)}
    places["c"] = places["a"]
    for name, ranks in places.items():
        (tmp_path / f"{name}.run").write_text(_run(ranks.tolist(), name), encoding="utf-8")
    rows = [f"q{at}\tg{at // 3}\t{'xy'[at % 2]}\t{'XY'[at % 2]}\n" for at in range(QUERIES)]
    (tmp_path / "columns.tsv").write_text("query\tgroup\tkind\tsource\n" + "".join(rows), encoding="utf-8")
    return tmp_path


def _run(ranks: list[int], tag: str) -> str:
    lines = []
    for query, place in enumerate(ranks):
        listed = [f"d{at}" for at in range(1, 4)]
        listed.insert(place - 1, "d0")
        lines += [f"q{query} Q0 {name} {at} {9 - at} {tag}\n" for at, name in enumerate(listed, start=1)]
    return "".join(lines)


def test_values_by_hand(files: Path) -> None:
    found = compare([files / "a.run", files / "b.run"], files / "qrels.txt", measures="RR Hit@1")
    assert [run.name for run in found.runs] == ["a.run", "b.run"]
    reciprocal, hit = found.found.comparisons
    first, second = (run.measures["RR"].value for run in found.runs)
    assert first is not None
    assert second is not None
    assert reciprocal.pair.difference.value == pytest.approx(second - first)
    assert reciprocal.pair.wins + reciprocal.pair.losses + reciprocal.pair.ties == QUERIES
    assert hit.tests["mcnemar"].p == pytest.approx(mcnemar(hit.pair.wins, hit.pair.losses))
    assert reciprocal.tests["mcnemar"].p is None
    assert {change.query for change in reciprocal.changed} <= {f"q{at}" for at in range(QUERIES)}


def test_the_machine_form(files: Path) -> None:
    done = askance(
        "compare", "a.run", "b.run", "c.run", "--qrels", "qrels.txt", "--measures", "RR,Hit@1", "--baseline", "a",
        "--slices", "columns.tsv", "--wish", "0.02", "--json", cwd=files,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    record = json.loads(done.stdout)
    assert list(record) == [
        "schema", "ties", "problems", "runs", "baseline", "groups", "seed", "comparisons", "slices", "interactions",
        "confounded", "families",
    ]  # fmt: skip
    assert (record["schema"], record["ties"], record["baseline"]) == ("askance/compare/1", "expected", "a.run")
    first = record["comparisons"][0]
    assert list(first) == [
        "a", "b", "measure", "difference", "wins", "losses", "ties", "tests", "minimal_difference", "queries_needed",
        "changed", "changes",
    ]  # fmt: skip
    assert list(first["difference"]) == ["value", "low", "high", "n", "method", "left_out"]
    assert list(first["tests"]) == ["randomization", "bootstrap", "t", "wilcoxon", "mcnemar"]
    assert list(first["tests"]["t"]) == ["p", "holm", "bh", "method"]
    copy = next(one for one in record["comparisons"] if (one["b"], one["measure"]) == ("c.run", "RR"))
    assert copy["difference"]["value"] == 0.0
    assert copy["difference"]["high"] == pytest.approx(most_others(QUERIES))
    assert {one["p"] for one in copy["tests"].values() if one["p"] is not None} == {1.0}
    assert (copy["changed"], copy["changes"]) == (0, [])
    # 2 pairs and 2 measures: on all queries, in 14 slices, and between the values of each column
    assert record["families"]["randomization"]["tested"] == 4 * (1 + (10 + 2 + 2) + (10 + 1 + 1))
    assert [one["slices"] for one in record["confounded"]] == [["kind", "source"]]


def test_ten_changes_or_all_of_them(files: Path) -> None:
    arguments = ("compare", "a.run", "b.run", "--qrels", "qrels.txt", "--measures", "RR", "--json")
    few, every = (json.loads(askance(*arguments, *more, cwd=files).stdout) for more in ((), ("--per-query",)))
    assert few["comparisons"][0]["changed"] == every["comparisons"][0]["changed"] > 10
    assert len(few["comparisons"][0]["changes"]) == 10
    assert len(every["comparisons"][0]["changes"]) == every["comparisons"][0]["changed"]


def test_the_terminal_is_100_columns_wide(files: Path) -> None:
    done = askance(
        "compare", "a.run", "b.run", "--qrels", "qrels.txt", "--slices", "columns.tsv", "--wish", ".02", cwd=files,
        COLUMNS="100",
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert max(map(len, done.stdout.splitlines())) <= 100
    for word in (
        "paired differences",
        "p of every test",
        "in slices",
        "queries that changed",
        "Wilcoxon",
        "cannot be told",
    ):
        assert word in done.stdout, word
    assert "nan" not in done.stdout.lower().split()


def test_many_runs_stay_within_100_columns(files: Path) -> None:
    long = "a-system-with-a-very-long-name-that-no-table-can-hold-in-full"
    paths = []
    for at in range(5):
        path = files / f"{long}-{at}.run"
        path.write_text(_run([1 + (at + query) % 3 for query in range(QUERIES)], "x"), encoding="utf-8")
        paths.append(path)
    for baseline in (None, paths[0].name):
        found = compare(
            paths, files / "qrels.txt", baseline=baseline, slices=files / "columns.tsv", wish=0.05, draws=50
        )
        console = Console(width=100, file=io.StringIO())
        for grid in compare_grids(found, per_query=True):
            console.print(as_table(grid))
        for line in compare_sentences(found):
            console.print(line, markup=False, highlight=False)
        assert isinstance(console.file, io.StringIO)
        assert max(map(len, console.file.getvalue().splitlines())) <= 100


def test_the_plain_forms(files: Path) -> None:
    arguments = (
        "compare",
        "a.run",
        "b.run",
        "--qrels",
        "qrels.txt",
        "--measures",
        "RR Hit@1",
        "--slices",
        "columns.tsv",
    )
    rows = list(csv.DictReader(io.StringIO(askance(*arguments, "--format", "csv", cwd=files).stdout)))
    assert [row["kind"] for row in rows].count("all") == 2
    assert {row["kind"] for row in rows} == {"all", "slice", "interaction"}
    assert all(row["low"] and row["high"] and row["n"] for row in rows if row["difference"])
    assert all(row["p randomization"] and row["Holm randomization"] for row in rows if row["kind"] == "all")
    changes = list(csv.DictReader(io.StringIO(askance(*arguments, "--format", "csv", "--per-query", cwd=files).stdout)))
    assert float(changes[0]["value of b"]) - float(changes[0]["value of a"]) == pytest.approx(
        float(changes[0]["difference"])
    )
    for form, mark in (("markdown", "| kind |"), ("latex", r"\begin{tabular}")):
        assert mark in askance(*arguments, "--format", form, cwd=files).stdout


def test_groups_are_said(files: Path) -> None:
    done = askance(
        "compare", "a.run", "b.run", "--qrels", "qrels.txt", "--groups", "columns.tsv", cwd=files, COLUMNS="100"
    )
    assert done.returncode == 0, done.stderr
    assert "n = 30 queries in 10 groups" in done.stdout
    assert "percentile bootstrap over 10 groups of queries" in done.stdout


def test_runs_of_one_name_are_told_apart(files: Path) -> None:
    for folder in ("x", "y"):
        (files / folder).mkdir()
        (files / folder / "a.run.gz").write_bytes((files / "a.run").read_bytes())
    names = distinct_names([files / "x" / "a.run.gz", files / "y" / "a.run.gz", files / "b.run"])
    assert names == ["x/a.run", "y/a.run", "b.run"]
    assert distinct_names([files / "a.run", files / "a.run"])[1].endswith("a.run #2")
    found = compare([files / "x" / "a.run.gz", files / "y" / "a.run.gz"], files / "qrels.txt", measures="RR")
    assert [run.name for run in found.runs] == ["x/a.run", "y/a.run"]
    assert "told apart as 'x/a.run', 'y/a.run'" in found.problems[0].text
    twice = compare([files / "a.run", files / "a.run"], files / "qrels.txt", measures="RR")
    assert len({run.name for run in twice.runs}) == 2
    assert twice.found.comparisons[0].tests["randomization"].p == 1.0


def test_what_does_not_belong_together_is_said(files: Path) -> None:
    (files / "short.run").write_text(_run([1, 2, 3], "s"), encoding="utf-8")
    found = compare([files / "a.run", files / "short.run"], files / "qrels.txt", measures="RR")
    assert found.runs[1].counts.missing == QUERIES - 3
    assert found.found.comparisons[0].pair.difference.n == QUERIES
    assert any("27 judged queries not in the run count 0" in line for line in compare_sentences(found))
    (files / "some.csv").write_text("query,kind\nq1,x\nq2,y\nq99,x\n", encoding="utf-8")
    sliced = compare([files / "a.run", files / "b.run"], files / "qrels.txt", measures="RR", slices=files / "some.csv")
    said = [problem.text for problem in sliced.problems]
    assert any("1 queries are not judged: 'q99'" in text for text in said)
    assert any("28 judged queries have no row" in text for text in said)
    (files / "other.csv").write_text("query,kind\n1,x\n2,y\n", encoding="utf-8")
    with pytest.raises(DataProblem, match="none of its queries is judged: it has '1', '2'; the judgments have 'q0'"):
        compare([files / "a.run", files / "b.run"], files / "qrels.txt", slices=files / "other.csv")


def test_definitions_of_gold_over_other_queries(files: Path) -> None:
    (files / "strict.txt").write_text("".join(f"q{at} 0 d1 1\n" for at in range(5, 12)), encoding="utf-8")
    qrels = [f"lenient={files / 'qrels.txt'}", f"strict={files / 'strict.txt'}"]
    found = compare([files / "a.run", files / "b.run"], qrels, measures="RR RR[strict]")
    lenient, strict = found.found.comparisons
    assert (lenient.pair.difference.n, strict.pair.difference.n) == (QUERIES, 7)
    alone = compare([files / "a.run", files / "b.run"], files / "strict.txt", measures="RR").found.comparisons[0]
    assert strict.pair.difference.value == alone.pair.difference.value
    with pytest.raises(UnknownName, match="'hard'"):
        compare([files / "a.run", files / "b.run"], qrels, measures="RR[hard]")


def test_ranks_are_better_when_lower(files: Path) -> None:
    by_rank = compare([files / "a.run", files / "b.run"], files / "qrels.txt", measures="FirstRel RR").found.comparisons
    assert by_rank[0].pair.wins == by_rank[1].pair.wins
    assert by_rank[0].pair.losses == by_rank[1].pair.losses


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("a.run", "--qrels", "qrels.txt"), "it takes two runs"),
        (("a.run", "b.run", "--qrels", "qrels.txt", "--baseline", "z"), "there is no run 'z'"),
        (("a.run", "b.run", "--qrels", "qrels.txt", "--wish", "0"), "cannot be wished for"),
        (("a.run", "b.run", "--qrels", "nowhere.txt"), "nowhere.txt"),
        (("a.run", "b.run", "--qrels", "qrels.txt", "--measures", "nDGC@10"), "nDCG"),
        (("a.run", "b.run", "--qrels", "qrels.txt", "--groups", "qrels.txt"), "no column is called query"),
    ],
)
def test_bad_input_says_what_to_do(files: Path, arguments: tuple[str, ...], said: str) -> None:
    done = askance("compare", *arguments, cwd=files)
    assert done.returncode == 2
    assert said in done.stderr
    assert "Traceback" not in done.stderr


def test_one_run_is_refused(files: Path) -> None:
    with pytest.raises(BadInput, match="nothing to compare"):
        compare([files / "a.run"], files / "qrels.txt")


def test_names_cannot_steer_a_terminal(files: Path) -> None:
    evil = files / "\x1b[31mevil.run"
    evil.write_bytes((files / "b.run").read_bytes())
    done = askance("compare", "a.run", evil.name, "--qrels", "qrels.txt", "--measures", "RR", cwd=files, COLUMNS="100")
    assert done.returncode == 0, done.stderr
    assert "\x1b" not in done.stdout


def test_real_runs(shared_data: Path) -> None:
    folder = shared_data / "trec_dl_runs" / "dl2021"
    runs = [folder / "runs_top100" / f"{name}.gz" for name in ("p_bm25", "NLE_P_v1")]
    found = compare(runs, folder / "qrels-pass.txt", measures="nDCG@10 P@10 RR(rel=2)@10", wish=0.02)
    for one in found.found.comparisons:
        p = one.tests["randomization"].p
        assert p is not None
        assert p < 0.001
        assert one.pair.difference.n == 53
        assert one.pair.difference.low is not None
        assert one.pair.difference.low > 0
        assert one.tests["randomization"].method.startswith("exact")


def test_no_measure_is_left_out_of_the_systems(files: Path) -> None:
    names = "nDCG@10 AP RR@10 Recall@100 Hit@1"
    grids = compare_grids(compare([files / "a.run", files / "b.run"], files / "qrels.txt", measures=names))
    systems = [grid for grid in grids if grid.caption == "Systems"]
    assert [column.heading for grid in systems for column in grid.columns[1:]] == names.split()
    assert all(len(row) == len(grid.columns) for grid in systems for row in grid.rows)
