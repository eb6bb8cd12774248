"""LIMIT: each variant reads its own files; a broken copy says what is wrong and where."""

from __future__ import annotations

import gzip
import json
from collections.abc import Mapping
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from askance.core.errors import DownloadFailed, FileProblem, UnknownName
from askance.data.adapters.limit import VARIANTS, load

CORPUS = [
    {"_id": "Ada Low", "title": "", "text": "Ada Low likes Oboes and Limes."},
    {"_id": "Bo Ray", "title": "", "text": "Bo Ray likes Limes and Oboes."},
    {"_id": "Cy Day", "title": "", "text": "Cy Day likes Pens."},
]
QUERIES = [{"_id": "query_0", "text": "Who likes Oboes?"}, {"_id": "query_1", "text": "Who likes Pens?"}]
QRELS = [
    {"query-id": "query_0", "corpus-id": "Ada Low", "score": 1},
    {"query-id": "query_0", "corpus-id": "Bo Ray", "score": 1},
    {"query-id": "query_1", "corpus-id": "Cy Day", "score": 1},
]
FURTHER = {
    "b.jsonl": {"_id": "n_Bo Ray", "text": "Bo Ray likes to forget Pens."},
    "a.jsonl": {"_id": "n_Ada Low", "text": "Ada Low likes no Limes."},
}


def lay(folder: Path, variant: str) -> tuple[Path, Path, Path]:
    """A small copy of a variant's files: corpus, queries, qrels."""
    corpus, queries, qrels = (folder / name for name in VARIANTS[variant].files)
    for path, records in ((corpus, CORPUS), (queries, QUERIES), (qrels, QRELS)):
        path.parent.mkdir(parents=True, exist_ok=True)
        content = "".join(json.dumps(record) + "\n" for record in records).encode()
        path.write_bytes(gzip.compress(content) if path.suffix == ".gz" else content)
    appended = VARIANTS[variant].appended
    if appended is not None:
        for name, record in FURTHER.items():
            (folder / appended).mkdir(exist_ok=True)
            (folder / appended / name).write_text(json.dumps(record) + "\n")
    return corpus, queries, qrels


@pytest.mark.parametrize("variant", list(VARIANTS))
def test_a_small_copy(tmp_path: Path, variant: str) -> None:
    lay(tmp_path, variant)
    collection = load(tmp_path, variant)
    assert collection.name == variant
    further = ("n_Ada Low", "n_Bo Ray") if variant == "limit-recon-h" else ()
    assert collection.documents.ids.names == ("Ada Low", "Bo Ray", "Cy Day", *further)
    assert collection.documents.field("text")[2] == "Cy Day likes Pens."
    assert collection.queries.field("text") == ("Who likes Oboes?", "Who likes Pens?")
    judgments = collection.tier("likes").judgments
    assert [judgments.of_query(at)[0].tolist() for at in (0, 1)] == [[0, 1], [2]]
    assert collection.notes == {}
    assert ("rebuilt" in collection.origin) == variant.startswith("limit-recon")


def test_no_variant_reads_the_corpus_of_another(tmp_path: Path) -> None:
    lay(tmp_path, "limit-recon")
    with pytest.raises(FileProblem, match=r"limit/limit/corpus.jsonl: there is no such file"):
        load(tmp_path, "limit")
    with pytest.raises(UnknownName, match="'limit-smal'") as caught:
        load(tmp_path, "limit-smal")
    assert "limit-small" in (caught.value.remedy or "")


def test_further_documents_are_there_and_are_others(tmp_path: Path) -> None:
    lay(tmp_path, "limit-recon-h")
    for path in (tmp_path / "limit_h").glob("*.jsonl"):
        path.write_text(json.dumps({"_id": "Cy Day", "text": "Cy Day likes no Pens."}))
    with pytest.raises(FileProblem, match=r"a\.jsonl: document 'Cy Day' is in corpus_A"):
        load(tmp_path, "limit-recon-h")
    for path in (tmp_path / "limit_h").glob("*.jsonl"):
        path.unlink()
    with pytest.raises(DownloadFailed, match=r"no \.jsonl file") as caught:
        load(tmp_path, "limit-recon-h")
    assert caught.value.remedy


def test_titles_are_counted_where_left_out(tmp_path: Path) -> None:
    corpus, _, _ = lay(tmp_path, "limit-small")
    corpus.write_text(corpus.read_text().replace('"title": ""', '"title": "A"', 2))
    assert load(tmp_path).notes == {"titles left out": 2}


@pytest.mark.parametrize(("variant", "documents"), [("limit-small", 46), ("limit-recon", 50_000)])
def test_the_published_files(shared_data: Path, variant: str, documents: int) -> None:
    """Gold of a query are the documents whose list of things holds what is asked for, and no others."""
    collection = load(shared_data, variant)
    assert (len(collection.documents), len(collection.queries)) == (documents, 1000)
    judgments = collection.tier("likes").judgments
    assert set(judgments.gold_counts().tolist()) == {2}
    holders: dict[str, list[int]] = {}
    for at, (name, text) in enumerate(zip(collection.documents.ids, collection.documents.field("text"), strict=True)):
        first, _, last = text.removeprefix(f"{name} likes ").removesuffix(".").rpartition(" and ")
        for item in [*first.split(", "), last]:
            holders.setdefault(item, []).append(at)
    for query, text in enumerate(collection.queries.field("text")):
        item = text.removeprefix("Who likes ").removesuffix("?")
        assert judgments.of_query(query)[0].tolist() == holders[item]


@pytest.mark.parametrize(
    ("file", "change", "line", "words"),
    [
        (0, {"Bo Ray": "Ada Low"}, 2, "document 'Ada Low' occurs again; it was first on line 1"),
        (0, {'"text": "Bo': '"txt": "Bo'}, 2, "field 'text' is missing"),
        (0, {'"_id": "Cy Day"': '"_id": 3'}, 3, "field '_id' is a number, expected a string"),
        (1, {"query_1": "query_0"}, 2, "query 'query_0' occurs again"),
        (1, {'{"_id": "query_1"': '"_id": "query_1"'}, 2, "not valid JSON"),
        (2, {"Cy Day": "Di Fox"}, 3, "there is no document 'Di Fox'"),
        (2, {"query_1": "query_7"}, 3, "there is no query 'query_7'"),
        (2, {"Bo Ray": "Ada Low"}, 2, "judged a second time"),
        (2, {'"score": 1}': '"score": "1"}'}, 1, "field 'score' is a string, expected a number"),
        (2, {'"score": 1}': '"score": NaN}'}, 1, "NaN is not a JSON number"),
        (2, {'{"query-id": "query_1", "corpus-id": "Cy Day", "score": 1}\n': ""}, None, "1 of 2 queries have no judg"),
    ],
)
def test_a_broken_copy_names_file_line_and_remedy(
    tmp_path: Path, file: int, change: Mapping[str, str], line: int | None, words: str
) -> None:
    path = lay(tmp_path, "limit-small")[file]
    text = path.read_text()
    for old, new in change.items():
        assert old in text
        text = text.replace(old, new, 1)
    path.write_text(text)
    with pytest.raises(FileProblem, match=words) as caught:
        load(tmp_path)
    assert (caught.value.path, caught.value.line) == (str(path), line)
    assert caught.value.remedy


@pytest.mark.parametrize("file", [0, 1, 2])
@pytest.mark.parametrize("how", ["missing", "empty"])
def test_missing_and_empty_files_are_named(tmp_path: Path, file: int, how: str) -> None:
    path = lay(tmp_path, "limit-small")[file]
    if how == "missing":
        path.unlink()
    else:
        path.write_text("\n")
    with pytest.raises(FileProblem, match="there is no|have no judgment") as caught:
        load(tmp_path)
    assert caught.value.path == str(path)


@given(
    file=st.sampled_from([0, 1, 2]),
    at=st.floats(0, 1, exclude_max=True),
    byte=st.integers(0, 255) | st.none(),
    variant=st.sampled_from(["limit-small", "limit-recon"]),
)
def test_any_damage_loads_or_is_told(
    tmp_path_factory: pytest.TempPathFactory, file: int, at: float, byte: int | None, variant: str
) -> None:
    """One byte changed, or the rest cut off: never an error of another kind, and it names a file and a remedy."""
    folder = tmp_path_factory.mktemp("damage")
    paths = lay(folder, variant)
    raw = paths[file].read_bytes()
    cut = int(at * len(raw))
    paths[file].write_bytes(raw[:cut] + (b"" if byte is None else bytes([byte]) + raw[cut + 1 :]))
    try:
        load(folder, variant)
    except FileProblem as problem:
        told = problem
    else:
        return
    # a changed identifier is noticed where the judgments name it
    assert told.path in {str(paths[file]), str(paths[2])}
    assert told.remedy
