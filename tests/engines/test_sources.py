"""Documents on their way into an index."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from askance.core.errors import FileProblem
from askance.data.collection import Collection
from askance.data.formats.beir import read_beir
from askance.engines.settings import Indexed
from askance.engines.sources import JsonLines, OfCollection, corpus_file, documents_at


def written(folder: Path, *lines: str, name: str = "docs.jsonl") -> Path:
    path = folder / name
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("line", "text", "metadata"),
    [
        ('{"_id": "a", "text": "x y"}', "x y", {}),
        ('{"id": "a", "title": "T", "text": "x"}', "T x", {}),
        ('{"_id": "a", "title": "", "text": "x"}', "x", {}),
        ('{"_id": "a", "title": null, "text": ""}', "", {}),
        ('{"_id": "a", "text": "x", "n": 21, "ok": true, "by": "A"}', "x", {"n": 21.0, "ok": True, "by": "A"}),
        ('{"_id": "a", "text": "x", "n": 1, "metadata": {"n": 1, "in": "zh"}}', "x", {"n": 1.0, "in": "zh"}),
        ('{"_id": "a", "text": "x", "metadata": "m"}', "x", {"metadata": "m"}),
        (
            '{"_id": "a", "text": "x", "title": "", "metadata": {"id": 7, "title": "Ivy", "text": "t"}}',
            "x",
            {"id": 7.0, "title": "Ivy", "text": "t"},
        ),
        ('{"_id": "a", "text": "שלום 中文 \\u0000"}', "שלום 中文 \0", {}),
    ],
)  # fmt: skip
def test_a_line(tmp_path: Path, line: str, text: str, metadata: dict[str, object]) -> None:
    (found,) = JsonLines(written(tmp_path, line))
    assert found == Indexed("a", text, metadata, json.loads(line))  # type: ignore[arg-type]
    assert [type(value) for value in found.metadata.values()] == [type(value) for value in metadata.values()]


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        (('{"_id": "a", "text": "x"}', '{"_id": "b"}'), "docs.jsonl:2: field 'text' is missing"),
        (('{"_id": "a", "text": "x"}', "", '{"text": "x"}'), "docs.jsonl:3: there is no '_id'"),
        (('{"_id": "", "text": "x"}',), "docs.jsonl:1: '_id' is empty"),
        (('{"_id": 1.5, "text": "x"}',), "docs.jsonl:1: '_id' is 1.5"),
        (('{"_id": "a", "text": ["x"]}',), "docs.jsonl:1: field 'text' is a list"),
        (('{"_id": "a", "title": 3, "text": "x"}',), "docs.jsonl:1: field 'title' is a number"),
        (('{"_id": "a", "text": "x"}', '{"_id": "a", "text": "y"}'), "docs.jsonl:2: document 'a' occurs again; it was"),
        (('{"_id": 7, "text": "x"}', '{"_id": "7", "text": "y"}'), "docs.jsonl:2: document '7' occurs again"),
        (("hello",), "docs.jsonl:1: not valid JSON"),
        (("[1]",), "docs.jsonl:1: found a list, expected an object"),
        (('{"_id": "a", "text": "x", "n": 1e999}',), "docs.jsonl:1: 'n' is too large for a number"),
        (('{"_id": "a", "text": "x", "n": 1' + "0" * 400 + "}",), "docs.jsonl:1: 'n' is too large for a number"),
        (('{"_id": "a", "text": "x", "n": NaN}',), "docs.jsonl:1: not valid JSON: NaN is not a JSON number"),
        (('{"_id": "a", "text": "x", "y": 1, "metadata": {"y": 2}}',), "'y' stands both beside the text and in"),
        ((), "docs.jsonl: the file is empty"),
        (("", " "), "docs.jsonl: the file is empty"),
    ],
)  # fmt: skip
def test_a_bad_line_is_named(tmp_path: Path, lines: tuple[str, ...], said: str) -> None:
    path = written(tmp_path, *lines)
    with pytest.raises(FileProblem) as caught:
        list(JsonLines(path))
    assert said in str(caught.value)
    assert caught.value.remedy


def test_what_no_filter_asks_for_is_counted(tmp_path: Path) -> None:
    path = written(
        tmp_path,
        '{"_id": "a", "text": "x", "tags": ["t"], "none": null}',
        '{"_id": "b", "text": "x", "tags": [], "metadata": {"deep": {"er": 1}, "n": 1}}',
    )
    documents = JsonLines(path)
    assert dict(documents.passed_over) == {}
    for _ in range(2):  # counted anew each time
        assert [dict(one.metadata) for one in documents] == [{}, {"n": 1.0}]
        assert dict(documents.passed_over) == {"tags": 2, "none": 1, "deep": 1}


def test_packed_files_and_folders(tmp_path: Path) -> None:
    line = '{"_id": "a", "text": "x"}\n'
    packed = tmp_path / "corpus.jsonl.gz"
    packed.write_bytes(gzip.compress(line.encode()))
    assert corpus_file(tmp_path) == packed
    assert [one.id for one in documents_at(tmp_path)] == ["a"]
    assert [one.id for one in documents_at(packed)] == ["a"]
    packed.write_bytes(gzip.compress(line.encode())[:-9])
    with pytest.raises(FileProblem):
        list(documents_at(tmp_path))
    assert corpus_file(tmp_path / "nothing") is None
    with pytest.raises(FileProblem, match="there are no documents here"):
        documents_at(tmp_path / "nothing")


def test_a_collection_gives_what_its_corpus_file_gives(chores: Path) -> None:
    collection: Collection = read_beir(chores)
    from_file, from_memory = list(documents_at(chores)), list(OfCollection(collection))
    assert [(one.id, one.text, one.metadata) for one in from_memory] == [
        (one.id, one.text, one.metadata) for one in from_file
    ]
    assert from_memory[0].record["text"] == from_memory[0].text
