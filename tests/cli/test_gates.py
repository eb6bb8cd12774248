"""`study run` with gates and `study reproduce structural`, as typed: output, exit codes, machine forms."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

from tests.command import askance

GATE = '\n[[gates]]\nfigure = "bm25.any.all.hit@1"\nvalue = 0.01\ntolerance = 0.0005\norigin = "A. Author 2026"\n'


def test_a_failed_gate_exits_with_1_and_a_reason_goes_past(study: Path, tmp_path: Path) -> None:
    study.write_text(study.read_text(encoding="utf-8") + GATE, encoding="utf-8")
    stopped = askance("study", "run", "chores.toml", "--out", "out", cwd=tmp_path)
    assert stopped.returncode == 1
    assert "gate failed: chores, bm25.any.all.hit@1" in stopped.stderr
    assert "(A. Author 2026)" in stopped.stderr
    assert "--past-gate" in stopped.stderr
    assert stopped.stdout == ""
    told = ("study", "run", "chores.toml", "--out", "out", "--past-gate", "the corpus was cut")
    gone = askance(*told, cwd=tmp_path, COLUMNS="200")
    assert gone.returncode == 0, gone.stderr
    assert "Gone past it, since: the corpus was cut" in gone.stdout
    machine = json.loads(askance(*told, "--json", cwd=tmp_path).stdout)
    assert machine["gates"][0]["past"] == "the corpus was cut"
    blank = askance("study", "run", "chores.toml", "--out", "out", "--past-gate", " ", cwd=tmp_path)
    assert blank.returncode == 2


def test_reproduce_structural_prints_counts_and_what_needs_a_look(shared_data: Path, tmp_path: Path) -> None:
    told = ("study", "reproduce", "structural", "--data", str(shared_data))
    done = askance(*told, cwd=tmp_path, COLUMNS="100")
    assert done.returncode == 0, done.stderr
    head = done.stdout.splitlines()[0]
    assert head == "structural: 525 rows; below those that need a look, all of them with --all"
    assert any(line.split() == ["together", "31", "387", "58", "43", "6", "525"] for line in done.stdout.splitlines())
    assert "inconsistency.6.strict-ii" in done.stdout
    assert "math/gemini/easy/strict_ndcg@1" not in done.stdout
    every = askance(*told, "--all", cwd=tmp_path, COLUMNS="200")
    assert "math/gemini/easy/strict_ndcg@1" in every.stdout
    figures = list(csv.DictReader(io.StringIO(askance(*told, "--format", "csv", cwd=tmp_path).stdout)))
    assert len(figures) == 525
    chance = next(row for row in figures if row["row"] == "traj/chance/pooled/strict@1")
    assert (chance["printed"], chance["ours"], chance["n"], chance["status"]) == ("0.1525", "0.1525", "118", "pass")


def test_reproduce_structural_without_the_data_needs_it(tmp_path: Path) -> None:
    done = askance("study", "reproduce", "structural", cwd=tmp_path, ASKANCE_DATA="", COLUMNS="200")
    assert done.returncode == 1  # nothing was held against anything
    assert "needs: the folder structural_retrieval with published.json" in done.stdout


def test_a_changed_figure_exits_with_1(shared_data: Path, tmp_path: Path) -> None:
    folder = tmp_path / "data" / "structural_retrieval"
    (folder / "perquery").mkdir(parents=True)
    source = shared_data / "structural_retrieval"
    for path in [*source.glob("*.tsv"), *source.glob("perquery/*.tsv"), source / "published.json"]:
        text = path.read_text(encoding="utf-8")
        (folder / path.relative_to(source)).write_text(text.replace('"hits":61,', '"hits":62,', 1), encoding="utf-8")
    done = askance(*("study", "reproduce", "structural", "--data", "data", "--json"), cwd=tmp_path, ASKANCE_OFFLINE="1")
    assert done.returncode == 1
    rows = {row["id"]: row for row in json.loads(done.stdout)["rows"]}
    assert rows["math/gemini/easy/strict_hit@1"]["status"] == "fail"
    assert "printed 62" in rows["math/gemini/easy/strict_hit@1"]["why"]


def test_a_broken_file_is_said_by_name(shared_data: Path, tmp_path: Path) -> None:
    folder = tmp_path / "data" / "structural_retrieval"
    (folder / "perquery").mkdir(parents=True)
    source = shared_data / "structural_retrieval"
    for path in [*source.glob("*.tsv"), *source.glob("perquery/*.tsv"), source / "published.json"]:
        (folder / path.relative_to(source)).write_bytes(path.read_bytes())
    for name, content, said in (
        ("published.json", "{", "published.json: cannot be read as JSON"),
        ("published.json", '[{"id": "x"}]', "published.json: 0.domain: Field required"),
        ("published.json", "[]", "has no figure"),
        ("queries118_labels.tsv", "query_id\n", "queries118_labels.tsv:1: there is no column 'query_id'"),
    ):
        whole = (folder / name).read_bytes()
        (folder / name).write_text(content, encoding="utf-8")
        done = askance("study", "reproduce", "structural", "--data", "data", cwd=tmp_path, ASKANCE_OFFLINE="1")
        assert done.returncode == 2, (name, content)
        assert said in done.stderr
        assert "Traceback" not in done.stderr
        (folder / name).write_bytes(whole)
