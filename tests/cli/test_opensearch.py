"""The commands on a real node, as a stranger types them: what they say of a cluster is what they say of a folder."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.cli.conftest import lines_of
from tests.inside import Typed

QUESTIONS = [{"_id": "q1", "text": "Who likes Snow?"}, {"_id": "q2", "text": "Who likes Birch Trees or Honey?"}]


@pytest.fixture
def place(there: Path, typed: Typed, opensearch_place: str) -> str:
    done = typed("index", "people.jsonl", "--into", opensearch_place, "--schema", "likes.toml")
    assert done.code == 0, done.err
    return opensearch_place


def test_index_says_what_it_holds(there: Path, typed: Typed, opensearch_place: str) -> None:
    done = typed("index", "people.jsonl", "--into", opensearch_place, "--schema", "likes.toml", columns=80)
    here = typed("index", "people.jsonl", "--into", "new", "--schema", "likes.toml", "--json")
    assert done.widest <= 80
    assert done.lines[0].startswith("opensearch://127.0.0.1:")
    again = typed("index", "people.jsonl", "--into", opensearch_place, "--schema", "likes.toml", "--replace", "--json")
    different = {"place", "engine"}
    assert {key: value for key, value in again.json.items() if key not in different} == {
        key: value for key, value in here.json.items() if key not in different
    }
    assert again.json["engine"] == "opensearch"


@pytest.mark.parametrize(
    "command",
    [
        ("search", '(or (exact "Snow") (lex "snow"))', "--explain"),
        ("search", '(and (relation "likes" (lex "trees" :field items)) (not (lex "forests")))', "--explain"),
        ("ask", "Who likes Snow?", "--explain"),
        ("ask", "Who likes Birch Trees but not Snow?", "--explain"),
        ("why-not", "Who likes Snow?", "d3"),
        ("why-not", '(lex "snow")', "d6"),
    ],
)
def test_answers_are_those_of_a_folder(place: str, typed: Typed, command: tuple[str, ...]) -> None:
    name, *rest = command
    there, here = typed(name, place, *rest, "--json"), typed(name, "people", *rest, "--json")
    assert there.code == here.code
    assert _rounded(there.json) == _rounded(here.json)
    assert typed(name, place, *rest, columns=80).widest <= 80


def test_files_of_questions_and_lint(place: str, typed: Typed, tmp_path: Path) -> None:
    questions = str(lines_of(tmp_path / "questions.jsonl", QUESTIONS))
    told = (
        typed("lint", place, "--queries", questions, "--json"),
        typed("lint", "people", "--queries", questions, "--json"),
    )
    assert told[0].code == told[1].code
    assert told[0].json["findings"] == told[1].json["findings"]
    runs = []
    for index, name in ((place, "there.run"), ("people", "here.run")):
        done = typed("ask", index, "--queries", questions, "--run", str(tmp_path / name))
        assert done.code == 0, done.err
        lines = (tmp_path / name).read_text().splitlines()
        runs.append([(line.split()[0], line.split()[2]) for line in lines])
    assert runs[0] == runs[1] != []


def test_a_change(place: str, typed: Typed, tmp_path: Path) -> None:
    more = lines_of(tmp_path / "more.jsonl", [{"_id": "d9", "text": "Zoe likes Snow."}])
    done = typed("index", str(more), "--into", place, "--update", "--delete", "d1", "--json")
    assert done.code == 0, done.err
    assert done.json["documents"] == 6
    assert [hit["id"] for hit in typed("search", place, '(exact "Snow")', "--json").json["hits"]] == ["d2", "d4", "d9"]


def test_bad_input(place: str, typed: Typed) -> None:
    for arguments, message in (
        (("search", place, "(lex"), "error[IRL"),
        (("search", f"{place}-none", '(lex "a")'), "there is no such index"),
        (("search", f"{place}?shards=x", '(lex "a")'), "shards=x"),
        (("index", "people.jsonl", "--into", place), "is an index already"),
        (("why-not", place, '(lex "snow")', "zzz"), "zzz"),
        (("index", "--into", place, "--delete", "zzz"), "'zzz' is not in the index"),
    ):
        done = typed(*arguments)
        assert done.code == 2, arguments
        assert message in done.err


def _rounded(found: Any) -> Any:
    """Scores to five digits: the last of a 32-bit float may differ."""
    if isinstance(found, float):
        return float(f"{found:.5g}")
    if isinstance(found, dict):
        return {key: _rounded(value) for key, value in found.items()}
    return [_rounded(one) for one in found] if isinstance(found, list) else found
