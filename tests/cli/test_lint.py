"""askance lint as a stranger types it."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest
from tests.command import askance

LONG = "Salt, Ink, Wool, Oak, Iron, Rice, Tin, Jam, Cork, Clay, Moss, Reed, Hay, Lead"
SCHEMA = """\
kind = "pattern"
pattern = '(?P<name>.+?) (?P<relation>likes) (?P<items>.+)\\.'
separators = [","]
"""


@pytest.fixture
def people(tmp_path: Path) -> Path:
    """Four people, three questions: Forests and Patience fail, Tea does not."""
    folder = tmp_path / "people"
    (folder / "qrels").mkdir(parents=True)
    rows = {
        "d0": "Al Ro likes Mangrove Forests, Tea.",
        "d1": "Patience Schmiel likes Tea.",
        "d2": f"Bo Li likes {LONG}, Forests, Patience.",
        "d3": "Nobody knows what Cy likes",
    }
    asked = {"q0": "Who likes Forests?", "q1": "Who likes Patience?", "q2": "Who likes Tea?"}
    for name, texts in (("corpus", rows), ("queries", asked)):
        lines = [json.dumps({"_id": key, "text": text}) for key, text in texts.items()]
        (folder / f"{name}.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
    (folder / "qrels" / "test.tsv").write_text("query-id\tcorpus-id\tscore\nq0\td2\t1\n", encoding="utf-8")
    (tmp_path / "likes.toml").write_text(SCHEMA, encoding="utf-8")
    return folder


def test_tables_and_exit_code(people: Path, tmp_path: Path) -> None:
    done = askance("lint", "people", "--schema", "likes.toml", cwd=tmp_path, COLUMNS="80")
    assert done.returncode == 1, done.stderr
    assert max(map(len, done.stdout.splitlines())) <= 80
    said = " ".join(done.stdout.split())
    assert "item in item: a longer item holds the phrase; 1 question" in said
    assert "Forests Mangrove Forests (1) 2 q0" in said
    assert "Patience Patience Schmiel 2 q1" in said
    assert "The schema does not split 1 document (no match 1)" in said
    assert "2 of 3 questions will fail: 2 with other documents before an answer." in said
    assert said.endswith("To do: ask for exact items; index the name as a field of its own.")
    assert "Tea" not in said


def test_machine_output(people: Path, tmp_path: Path) -> None:
    done = askance("lint", "people", "--schema", "likes.toml", "--json", cwd=tmp_path)
    found = json.loads(done.stdout)
    assert done.returncode == 1
    assert found["schema"] == "askance/lint/1"
    assert [(one["kind"], one["text"], one["inside"], one["queries"]) for one in found["findings"]] == [
        ("item in item", "Forests", "Mangrove Forests", ["q0"]),
        ("item in name", "Patience", "Patience Schmiel", ["q1"]),
    ]
    assert {one["query"]: (one["first"], one["last"], one["harm"]) for one in found["questions"]} == {
        "q0": (2, 2, "outranked"),
        "q1": (2, 2, "outranked"),
    }
    assert (found["asked"], found["failing"], found["outside"]) == (3, 2, {"no match": 1})
    rows = list(
        csv.DictReader(
            io.StringIO(askance("lint", "people", "--schema", "likes.toml", "--format", "csv", cwd=tmp_path).stdout)
        )
    )
    assert [(row["kind"], row["text"], row["queries"]) for row in rows] == [
        ("item in item", "Forests", "q0"),
        ("item in name", "Patience", "q1"),
    ]


def test_every_item_and_what_does_no_harm(people: Path, tmp_path: Path) -> None:
    (people / "queries.jsonl").write_text('{"_id": "q2", "text": "Who likes Tea?"}\n', encoding="utf-8")
    (people / "qrels" / "test.tsv").write_text("query-id\tcorpus-id\tscore\nq2\td0\t1\n", encoding="utf-8")
    clean = askance("lint", "people", "--schema", "likes.toml", cwd=tmp_path)
    assert clean.returncode == 0, clean.stderr
    assert "No question of 1 is foretold to fail" in " ".join(clean.stdout.split())
    with (people / "corpus.jsonl").open("a", encoding="utf-8") as file:
        file.write(json.dumps({"_id": "d4", "text": "Ed likes Teas, Rum."}) + "\n")
    assert "--all lists them" in askance("lint", "people", "--schema", "likes.toml", cwd=tmp_path).stdout
    every = askance("lint", "people", "--schema", "likes.toml", "--all", "--json", cwd=tmp_path)
    assert every.returncode == 0
    assert [
        (one["text"], one["inside"], one["queries"], one["harm"]) for one in json.loads(every.stdout)["findings"]
    ] == [("Tea", "Teas", [], "none")]
    items = askance("lint", "people", "--schema", "likes.toml", "--items", "--json", cwd=tmp_path)
    assert items.returncode == 1
    assert {one["text"] for one in json.loads(items.stdout)["findings"]} == {"Forests", "Patience"}


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("nothing",), "no BEIR folder or public collection 'nothing'"),
        (("people", "--schema", "nothing.toml"), "there is no such file"),
        (
            ("people", "--schema", "unfit.toml"),
            "the schema splits 0 of the 4 documents of 'people' into items (no match 4)",
        ),
        (("people", "--cut", "0"), "--cut"),
    ],
)
def test_bad_input(people: Path, tmp_path: Path, arguments: tuple[str, ...], said: str) -> None:
    (tmp_path / "unfit.toml").write_text(SCHEMA.replace("likes", "hates"), encoding="utf-8")
    done = askance("lint", *arguments, cwd=tmp_path)
    assert done.returncode == 2
    assert said in done.stderr
    assert not done.stdout


def test_an_index(people: Path, tmp_path: Path) -> None:
    """Split as the index has them, with the queries of a file: what the collection itself gives."""
    built = askance("index", "people", "--into", "held", "--schema", "likes.toml", cwd=tmp_path)
    assert built.returncode == 0, built.stderr
    whole = askance("lint", "people", "--schema", "likes.toml", "--json", cwd=tmp_path)
    held = askance("lint", "held", "--queries", "people/queries.jsonl", "--json", cwd=tmp_path)
    assert held.returncode == 1, held.stderr
    assert json.loads(held.stdout)["findings"] == json.loads(whole.stdout)["findings"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("held",), "an index has no queries of its own"),
        (("held", "--items", "--queries", "people/queries.jsonl"), "both are given"),
        (("held", "--items", "--schema", "likes.toml"), "an index keeps the schema it was built with"),
        (("people", "--queries", "people/queries.jsonl"), "a collection has its own"),
    ],
)
def test_what_an_index_is_not_asked(arguments: tuple[str, ...], message: str, people: Path, tmp_path: Path) -> None:
    askance("index", "people", "--into", "held", "--schema", "likes.toml", cwd=tmp_path)
    done = askance("lint", *arguments, cwd=tmp_path)
    assert done.returncode == 2
    assert message in done.stderr
