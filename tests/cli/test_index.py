"""askance index as a stranger types it: building, changing, and what goes wrong."""

from __future__ import annotations

import csv
import fcntl
import io
import json
from pathlib import Path

import pytest
from tests.cli.conftest import PAPERS, PEOPLE, lines_of
from tests.inside import Typed

from askance.engines.embedded.engine import EmbeddedEngine


@pytest.fixture
def here(indexes: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A current folder of the test's own, with the files of the indexes in it."""
    for name in ("people.jsonl", "papers.jsonl", "likes.toml"):
        (tmp_path / name).write_bytes((indexes / name).read_bytes())
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("columns", [80, 100])
def test_what_the_index_holds(here: Path, typed: Typed, columns: int) -> None:
    done = typed("index", "people.jsonl", "--into", "made", "--schema", "likes.toml", columns=columns)
    assert done.code == 0, done.err
    assert done.widest <= columns
    rows = {line[1:21].strip(): line[21:].strip() for line in done.lines if line.startswith(" ")}
    assert done.lines[0] == "made: 6 documents"
    assert rows["split by a schema"] == "5 into items; it is pattern"
    assert rows["outside the schema"] == "no match (1)"
    assert rows["relations"] == "likes (4), does not like (1)"
    assert "index documents: done" in done.err


def test_documents_that_do_not_split_are_said_to(here: Path, typed: Typed) -> None:
    done = typed("index", "papers.jsonl", "--into", "made")
    said = " ".join(done.out.split())
    assert "split by a schema no: exact items and relations cannot be asked for" in said
    assert "• The documents are not split into name, relation and items: no sentence" in said
    assert "• No filter asks for keys that hold lists, objects or null: 'tags' (1), by how many" in said
    assert "year (number), by (text), lang (text)" in said


def test_the_machine_form(here: Path, typed: Typed) -> None:
    done = typed("index", "people.jsonl", "--into", "made", "--schema", "likes.toml", "--json")
    found = done.json
    assert set(found) == {
        "schema", "place", "documents", "deleted", "replaced", "without_words", "splits", "with_items", "outside",
        "relations", "fields", "metadata", "settings", "scale", "notes", "engine",
    }  # fmt: skip
    assert (found["schema"], found["documents"], found["splits"], found["with_items"]) == (
        "askance/index/1", 6, "pattern", 5,
    )  # fmt: skip
    assert (found["outside"], found["relations"]) == ({"no match": 1}, {"likes": 4, "does not like": 1})
    table = typed("index", "people.jsonl", "--into", "made", "--replace", "--format", "csv")
    assert next(csv.reader(io.StringIO(table.out))) == ["part", "holds"]


def test_options_reach_the_index(here: Path, typed: Typed) -> None:
    options = ("--stemmer", "porter", "--scale", "legacy", "--normalize", "nfkc", "--fold-apostrophes")
    vectors = ("--model", "fake", "--precision", "int8")
    found = typed("index", "people.jsonl", "--into", "made", "--schema", "none", *options, *vectors, "--json").json
    told = found["settings"]
    assert (found["splits"], found["scale"]) == (None, "legacy")
    assert told["analysis"] == {"stemmer": "porter", "stop_words": [], "fold_apostrophes": True, "normalize": "nfkc"}
    assert (told["vectors"]["embedder"], told["vectors"]["precision"]) == ("fake", "int8")


def test_changes(here: Path, typed: Typed) -> None:
    assert typed("index", "people.jsonl", "--into", "made", "--schema", "likes.toml").code == 0
    lines_of(here / "more.jsonl", [{"_id": "d7", "text": "Fay likes Tea."}, {"_id": "d1", "text": "Ann likes Rum."}])
    found = typed("index", "more.jsonl", "--into", "made", "--update", "--delete", "d6", "--json").json
    assert (found["documents"], found["deleted"], found["replaced"]) == (6, 1, 1)
    assert "their words count until the index is compacted" in typed("index", "--into", "made", "--delete", "d5").out
    found = typed("index", "--into", "made", "--compact", "--json").json
    assert (found["documents"], found["deleted"], found["replaced"]) == (5, 0, 0)
    hits = typed("search", "made", '(relation "likes" (exact "tea"))', "--json").json["hits"]
    assert [hit["id"] for hit in hits] == ["d3", "d7"]
    assert typed("index", "papers.jsonl", "--into", "made", "--replace", "--json").json["documents"] == len(PAPERS)


def test_a_model_of_a_file(here: Path, typed: Typed) -> None:
    (here / "deep").mkdir()
    (here / "deep" / "model.toml").write_text('embedder = "folder"\npath = "weights"\n', encoding="utf-8")
    done = typed("index", "papers.jsonl", "--into", "made", "--model", "deep/model.toml")
    assert done.code == 2
    assert "weights" in done.err
    (here / "fake.toml").write_text('embedder = "fake"\n', encoding="utf-8")
    assert typed("index", "papers.jsonl", "--into", "made", "--model", "fake.toml").code == 0
    assert EmbeddedEngine.open(here / "made").card.vectors is not None


def test_an_index_that_another_process_writes(here: Path, typed: Typed) -> None:
    assert typed("index", "people.jsonl", "--into", "made").code == 0
    with (here / "made" / "writer.lock").open("ab") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        for change in (("--delete", "d1"), ("people.jsonl", "--replace")):
            done = typed("index", *change, "--into", "made")
            assert (done.code, done.out) == (2, "")
            assert "made: another process is writing this index" in done.err
        assert typed("search", "made", '(lex "tea")').code == 0  # readers are not kept out


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--into", "new"), "there are no documents to index"),
        (("nothing.jsonl", "--into", "new"), "nothing.jsonl: there are no documents here"),
        ((".", "--into", "new"), ".: there are no documents here"),
        (("limt-small", "--into", "new"), "Did you mean 'limit-small'?"),
        (("people.jsonl", "--into", "made"), "made: is an index already\n  Choose another place, or add --replace"),
        (("people.jsonl", "--into", "likes.toml"), "likes.toml: is there already, and is no index"),
        (("people.jsonl", "--into", "."), "is there already, and is no index"),
        (("people.jsonl", "--into", "opensearch://u:pw@h/i"), "opensearch://…: a place holds no user and no password"),
        (("people.jsonl", "--into", "new", "--update"), "new: is no index of askance"),
        (("--into", "made", "--update"), "there are no documents to put into the index"),
        (("people.jsonl", "--into", "made", "--delete", "d1"), "Add --update to put them into it"),
        (("--into", "made", "--delete", "d9"), "'d9' is not in the index, which has 6 documents"),
        (("--into", "made", "--delete", "d1", "--delete", "d1"), "'d1' comes twice"),
        (("--into", "made", "--delete", "d1", "--model", "fake"), "--model: an index keeps what it was built with"),
        (("--into", "made", "--compact", "--schema", "none", "--scale", "lucene"), "--scale, --schema: an index keeps"),
        (("people.jsonl", "--into", "new", "--model", "minilmm"), "no embedder 'minilmm'\n  Did you mean 'minilm'?"),
        (("people.jsonl", "--into", "new", "--model", "folder"), "the embedder 'folder': path: is missing"),
        (("people.jsonl", "--into", "new", "--model", "no.toml"), "no.toml: cannot be read"),
        (("people.jsonl", "--into", "new", "--model", "bad.toml"), "bad.toml:1: is not valid TOML"),
        (("people.jsonl", "--into", "new", "--model", "key.toml"), "key.toml: base_url: is missing"),
        (("people.jsonl", "--into", "new", "--stemmer", "porterr"), "Did you mean 'porter'?"),
        (("people.jsonl", "--into", "new", "--schema", "lernt"), "Give learned, none, a file SCHEMA.toml"),
        (("people.jsonl", "--into", "new", "--schema", "no.toml"), "no.toml: there is no such file"),
        (("people.jsonl", "--into", "new", "--lookup", "approximate"), "no model is named"),
    ],
)  # fmt: skip
def test_bad_input(indexes: Path, here: Path, typed: Typed, arguments: tuple[str, ...], said: str) -> None:
    (here / "made").symlink_to(indexes / "people")
    (here / "bad.toml").write_text("embedder fake", encoding="utf-8")
    (here / "key.toml").write_text('embedder = "endpoint"\nkey = "sk-secret"', encoding="utf-8")
    before = sorted(path.name for path in here.iterdir())
    done = typed("index", *arguments)
    assert (done.code, done.out) == (2, "")
    assert said in done.err
    assert "sk-secret" not in done.err
    assert sorted(path.name for path in here.iterdir()) == before  # nothing half made
    assert EmbeddedEngine.open(indexes / "people").documents == len(PEOPLE)


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        (['{"_id": "a", "text": "x"}', "hello"], "docs.jsonl:2: not valid JSON"),
        (['{"_id": "a", "text": "x"}', '{"_id": "b", "text": 7}'], "docs.jsonl:2: field 'text' is a number"),
        (['{"_id": "a", "text": "x"}', '{"text": "y"}'], "docs.jsonl:2: there is no '_id'"),
        (['{"_id": "a", "text": "x"}', '{"_id": "a", "text": "z"}'], "docs.jsonl:2: document 'a' occurs again"),
        ([], "docs.jsonl: the file is empty"),
    ],
)  # fmt: skip
def test_documents_with_a_bad_line(here: Path, typed: Typed, lines: list[str], said: str) -> None:
    (here / "docs.jsonl").write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    for schema in ("learned", "none"):
        done = typed("index", "docs.jsonl", "--into", "new", "--schema", schema)
        assert (done.code, done.out) == (2, "")
        assert said in done.err
    assert not [path for path in here.iterdir() if "new" in path.name]


def test_an_update_with_a_bad_line_changes_nothing(here: Path, typed: Typed) -> None:
    assert typed("index", "people.jsonl", "--into", "made").code == 0
    (here / "docs.jsonl").write_text('{"_id": "new", "text": "tea"}\nhello\n', encoding="utf-8")
    before = (here / "made" / "manifest.json").read_bytes()
    done = typed("index", "docs.jsonl", "--into", "made", "--update")
    assert done.code == 2
    assert "docs.jsonl:2" in done.err
    assert (here / "made" / "manifest.json").read_bytes() == before
    assert not EmbeddedEngine.open(here / "made").has("new")


def test_a_schema_that_is_a_function_is_named_again(here: Path, typed: Typed, monkeypatch: pytest.MonkeyPatch) -> None:
    code = (
        "from askance.data.fields.schema import Fact, Fields\n"
        "def split(record): return Fields(None, (Fact((record['text'],)),))\n"
    )
    (here / "splits_whole.py").write_text(code, encoding="utf-8")
    monkeypatch.syspath_prepend(here)
    assert typed("index", "papers.jsonl", "--into", "made", "--schema", "splits_whole:split").code == 0
    (here / "more.jsonl").write_text(json.dumps({"_id": "n", "text": "all of it"}) + "\n", encoding="utf-8")
    assert "which runs only when you name it" in typed("index", "more.jsonl", "--into", "made", "--update").err
    again = ("--update", "--schema", "splits_whole:split")
    assert typed("index", "more.jsonl", "--into", "made", *again).code == 0
    assert typed("search", "made", '(exact "ALL of it")', "--json").json["hits"][0]["id"] == "n"
