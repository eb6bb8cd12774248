"""The commands as a stranger types them: output, exit codes, machine output."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest
from tests.command import askance

from askance.study.reproduce import reproductions
from askance.study.results import Results


def test_version_and_help(tmp_path: Path) -> None:
    assert askance("--version", cwd=tmp_path).stdout == "askance 0.1.0\n"
    said = askance("--help", cwd=tmp_path)
    assert said.returncode == 0
    for verb in ("study", "data", "sign"):
        assert verb in said.stdout


def test_study_run_prints_tables_and_writes_the_report(study: Path, tmp_path: Path) -> None:
    done = askance("study", "run", "chores.toml", "--out", "out", cwd=tmp_path, COLUMNS="100")
    assert done.returncode == 0, done.stderr
    assert "Chores" in done.stdout
    assert "Trigrams" in done.stdout
    assert max(map(len, done.stdout.splitlines())) <= 100
    assert (tmp_path / "out" / "report.html").read_text(encoding="utf-8").startswith("<!doctype html>")
    again = askance("study", "run", "chores.toml", "--out", "out", "--json", cwd=tmp_path)
    assert Results.model_validate_json(again.stdout).study.name == "chores"
    assert again.stdout == (tmp_path / "out" / "results.json").read_text(encoding="utf-8")


def test_study_run_as_csv_has_every_figure_with_interval_and_n(study: Path, tmp_path: Path) -> None:
    done = askance("study", "run", "chores.toml", "--format", "csv", cwd=tmp_path)
    rows = list(csv.DictReader(io.StringIO(done.stdout)))
    assert {"bm25", "small"} <= {row["system"] for row in rows}
    assert all(row["n"] for row in rows)
    assert all(row["low"] and row["high"] for row in rows if row["value"])
    assert (tmp_path / "out" / "chores" / "results.json").exists()


@pytest.mark.parametrize("form", ["markdown", "latex"])
def test_other_forms(study: Path, tmp_path: Path, form: str) -> None:
    done = askance("study", "run", "chores.toml", "--format", form, cwd=tmp_path)
    assert done.returncode == 0
    assert ("| domain |" if form == "markdown" else r"\begin{tabular}") in done.stdout


def test_sign_needs_no_model(chores: Path, tmp_path: Path) -> None:
    table = askance("sign", "chores", cwd=tmp_path, COLUMNS="100")
    assert table.returncode == 0, table.stderr
    assert "another chore, same thing" in table.stdout
    assert "the BEIR folder chores" in table.stdout
    found = json.loads(askance("sign", "chores", "--json", cwd=tmp_path).stdout)
    assert found["schema"] == "askance/sign/1"
    assert {one["decoys"] for one in found["preferences"]} == {"twin", "lookalike", "stranger"}
    assert found["control"]["sign"] in ("positive", "negative", "undecided", "no room")


def test_sign_as_csv_is_one_table_of_figures(chores: Path, tmp_path: Path) -> None:
    found = json.loads(askance("sign", "chores", "--json", cwd=tmp_path).stdout)
    rows = list(csv.DictReader(io.StringIO(askance("sign", "chores", "--format", "csv", cwd=tmp_path).stdout)))
    assert all(None not in row and None not in row.values() for row in rows)
    preferences = [row for row in rows if row["measure"] == "preference"]
    assert [(row["against"], row["words"]) for row in preferences] == [
        (one["decoys"], one["tokens"]) for one in found["preferences"]
    ]
    for row, one in zip(preferences, found["preferences"], strict=True):
        assert float(row["value"]) == pytest.approx(one["estimate"]["value"], abs=5e-5)
        assert float(row["low"]) <= float(row["value"]) <= float(row["high"])
    assert rows[-1]["measure"] == "share of gap"


def test_sign_has_the_bill_in_every_form(chores: Path, tmp_path: Path) -> None:
    found = json.loads(askance("sign", "chores", "--json", cwd=tmp_path).stdout)
    assert [one["decoys"] for one in found["bills"]] == ["twin", "lookalike", "stranger"]
    rows = list(csv.DictReader(io.StringIO(askance("sign", "chores", "--format", "csv", cwd=tmp_path).stdout)))
    told = [(row["against"], row["words"], row["reading"]) for row in rows if row["measure"] == "bill"]
    assert told == [
        (bill["decoys"], each["tokens"], each["verdict"]) for bill in found["bills"] for each in bill["classes"]
    ]
    table = askance("sign", "chores", cwd=tmp_path, COLUMNS="80").stdout
    assert "quantifiers" in table  # no word is broken
    assert max(map(len, table.splitlines())) <= 80


def test_sign_of_several_collections_draws_their_bills_in_one_chart(study: Path, tmp_path: Path) -> None:
    both = ("sign", "chores", "chores.toml#chores", "--html", "bill.html", "--json")
    done = askance(*both, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert found["schema"] == "askance/sign/1"
    assert [one["collection"] for one in found["signs"]] == ["chores", "chores"]
    assert found["signs"][0] == json.loads(askance("sign", "chores", "--json", cwd=tmp_path).stdout)
    page = (tmp_path / "bill.html").read_text(encoding="utf-8")
    assert page.count('class="wide"') == 1
    assert page.count("<script") == 0
    assert "Chores, against" in page  # the study's title
    assert "chores, against" in page
    askance(*both, cwd=tmp_path)
    assert (tmp_path / "bill.html").read_text(encoding="utf-8") == page


def test_sign_says_which_queries_it_left_out(chores: Path, tmp_path: Path) -> None:
    with (chores / "queries.jsonl").open("a", encoding="utf-8") as file:
        file.write('{"_id": "unjudged", "text": "nobody judged this"}\n')
    assert "left out: 1 queries without gold" in " ".join(
        askance("sign", "chores", cwd=tmp_path, COLUMNS="140").stdout.split()
    )


def test_sign_of_a_studys_domain_and_of_a_tier(study: Path, tmp_path: Path) -> None:
    found = json.loads(askance("sign", "chores.toml#chores", "--json", cwd=tmp_path).stdout)
    assert found["tier"] == "other-thing"
    other = json.loads(askance("sign", "chores", "--tier", "any", "--json", cwd=tmp_path).stdout)
    assert other["tier"] == "any"


def test_help_names_every_reproduction(tmp_path: Path) -> None:
    words = askance("study", "reproduce", "--help", cwd=tmp_path, COLUMNS="200").stdout.split()
    assert set(reproductions()) <= {word.strip(",.") for word in words}


def test_data_list_says_what_there_is(tmp_path: Path) -> None:
    found = json.loads(askance("data", "list", "--json", cwd=tmp_path, ASKANCE_OFFLINE="1").stdout)
    assert found["schema"] == "askance/data list/1"
    assert {"trajectories", "gsm-plus", "limit-small", "minilm"} <= {one["name"] for one in found["collections"]}
    assert "trajectories" in askance("data", "list", cwd=tmp_path, COLUMNS="100").stdout


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("study", "run", "none.toml"), "there is no such study file"),
        (("study", "run", "chores.toml", "--resume"), "nothing to resume"),
        (("study", "init", "no-such-folder"), "no-such-folder"),
        (("study", "reproduce", "trajectory"), "Did you mean 'trajectories'?"),
        (("sign", "chores.toml#chore"), "Did you mean 'chores'?"),
        (("sign", "chores", "--tier", "anny"), "Did you mean 'any'?"),
        (("data", "fetch", "gsm"), "gsm-plus"),
    ],
)
def test_bad_input_exits_with_2_and_a_remedy(
    study: Path, tmp_path: Path, arguments: tuple[str, ...], said: str
) -> None:
    before = sorted(path.name for path in tmp_path.iterdir())
    done = askance(*arguments, cwd=tmp_path)
    assert done.returncode == 2
    assert said in done.stderr
    assert "Traceback" not in done.stderr
    assert done.stdout == ""
    assert sorted(path.name for path in tmp_path.iterdir()) == before


@pytest.mark.parametrize(
    ("file", "content", "said"),
    [
        ("qrels/any.tsv", "query-id\tcorpus-id\tscore\nq-scrub-bucket\tscrub-bucket-barn\tNaN\n", "qrels/any.tsv:2"),
        ("qrels/any.tsv", "query-id\tcorpus-id\tscore\nq-scrub-bucket\tnothing-like-it\t1\n", "qrels/any.tsv:2"),
        ("qrels/any.tsv", "a\tb\n", "qrels/any.tsv:1"),
        ("qrels/any.tsv", "", "any"),
        ("corpus.jsonl", "", "corpus.jsonl"),
        ("corpus.jsonl", '{"_id": "a", "text": "b"}\n{"_id": "a", "text": "c"}\n', "corpus.jsonl:2"),
        ("corpus.jsonl", '{"_id": "a", "text": "b"\n', "corpus.jsonl:1"),
        ("queries.jsonl", '{"_id": "zzz", "text": "b"}\n', "q-scrub"),
        ("roles.tsv", "query-id\tcorpus-id\trole\nq-scrub-bucket\tnope\ttwin\n", "roles.tsv:2"),
    ],
)
def test_broken_collections_exit_with_2_and_nothing_half_written(
    study: Path, chores: Path, tmp_path: Path, file: str, content: str, said: str
) -> None:
    (chores / file).write_text(content, encoding="utf-8")
    done = askance("study", "run", "chores.toml", "--out", "out", cwd=tmp_path)
    assert done.returncode == 2, done.stderr
    assert said in done.stderr
    assert "Traceback" not in done.stderr
    assert not (tmp_path / "out").exists()
