"""askance hardness as a stranger types it."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest
from tests.command import askance

QRELS = "query-id\tcorpus-id\tscore\n"


def folder_of(place: Path, documents: dict[str, str], queries: dict[str, str], qrels: str) -> Path:
    (place / "qrels").mkdir(parents=True)
    for name, texts in (("corpus", documents), ("queries", queries)):
        lines = [json.dumps({"_id": key, "text": text}) + "\n" for key, text in texts.items()]
        (place / f"{name}.jsonl").write_text("".join(lines), encoding="utf-8")
    (place / "qrels" / "test.tsv").write_text(QRELS + qrels, encoding="utf-8")
    return place


@pytest.fixture
def shared(tmp_path: Path) -> Path:
    """Three documents; two queries that share one of their two gold documents, one without gold."""
    return folder_of(
        tmp_path / "shared",
        {"d0": "a b", "d1": "a c", "d2": "x y", "d3": "a b c"},
        {"q0": "a b", "q1": "a c", "q2": "z"},
        "q0\td0\t1\nq0\td1\t1\nq1\td1\t1\nq1\td2\t1\n",
    )


def test_the_table(shared: Path) -> None:
    done = askance("hardness", "shared", cwd=shared.parent, COLUMNS="80")
    assert done.returncode == 0, done.stderr
    assert max(map(len, done.stdout.splitlines())) <= 80
    said = " ".join(done.stdout.split())
    assert "density of the query graph 1.000000 exact 2 queries" in said
    assert "density of the document graph 0.666667 exact 3 documents" in said
    assert "average query strength 0.3333 exact 2 queries" in said
    assert "overlap of the top 10 decoys" in said
    assert "left out: 1 queries without gold" in said


def test_machine_output(shared: Path) -> None:
    done = askance("hardness", "shared", "--json", "--decoys", "1", cwd=shared.parent)
    found = json.loads(done.stdout)
    assert (done.returncode, found["schema"]) == (0, "askance/hardness/1")
    assert (found["query_graph"]["nodes"], found["query_graph"]["edges"]) == (2, 1)
    assert (found["document_graph"]["nodes"], found["document_graph"]["edges"]) == (3, 2)
    assert found["query_strength"]["value"] == pytest.approx(1 / 3)
    assert found["overlap"]["first"] == 1
    # the top decoy of both is d3, 2/3; gold: 1 and 1/3, 1 and 0
    assert found["overlap"]["decoys"]["value"] == pytest.approx(2 / 3)
    assert found["overlap"]["gold"]["value"] == pytest.approx((2 / 3 + 1 / 2) / 2)
    assert found["counts"]["with_gold"] == 2
    table = askance("hardness", "shared", "--format", "csv", cwd=shared.parent).stdout
    rows = {row["measure"]: row for row in csv.DictReader(io.StringIO(table))}
    assert rows["density of the document graph"]["value"] == "0.666667"
    assert rows["gold pairs"]["value"] == "4"


def test_one_document(tmp_path: Path) -> None:
    folder_of(tmp_path / "one", {"d0": "a"}, {"q0": "a"}, "q0\td0\t1\n")
    done = askance("hardness", "one", cwd=tmp_path, COLUMNS="100")
    assert done.returncode == 0, done.stderr
    said = " ".join(done.stdout.split())
    assert "a graph needs two gold documents, there are 1" in said
    assert "left out: 1 queries without decoys" in said


def test_no_gold(tmp_path: Path) -> None:
    folder_of(tmp_path / "none", {"d0": "a", "d1": "b"}, {"q0": "a"}, "q0\td0\t0\n")
    done = askance("hardness", "none", cwd=tmp_path, COLUMNS="100")
    assert done.returncode == 0, done.stderr
    assert "average query strength: no query has gold" in " ".join(done.stdout.split())


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("nothing",), "no BEIR folder or public collection 'nothing'"),
        (("shared", "--tier", "tset"), "there is no tier 'tset'"),
        (("shared", "--decoys", "0"), "--decoys"),
        (("empty",), "empty/corpus.jsonl: the file is empty"),
    ],
)
def test_bad_input(shared: Path, arguments: tuple[str, ...], said: str) -> None:
    folder_of(shared.parent / "empty", {}, {"q0": "a"}, "q0\td0\t1\n")
    done = askance("hardness", *arguments, cwd=shared.parent)
    assert done.returncode == 2
    assert said in " ".join(done.stderr.split())
    assert not done.stdout
