"""What an index holds, as a table and for machines."""

from __future__ import annotations

from pathlib import Path

from askance.engines.counting import Counts
from askance.engines.embedded.kind import held
from askance.engines.embedded.manifest import FieldEntry, Manifest
from askance.engines.settings import IndexSettings, VectorSettings
from askance.report.index_tables import index_grid, index_record

ENTRY = FieldEntry(folder="text", documents=5, in_order=True, dense=True)


def manifest(
    counts: Counts, settings: IndexSettings | None = None, *, split: bool = True, superseded: int = 0
) -> Manifest:
    fields = {"text": ENTRY, "name": ENTRY, "items": ENTRY, "facts": ENTRY} if split else {"text": ENTRY}
    splits = {"kind": "learned"} if split else None
    return Manifest.of(1, settings or IndexSettings(), splits, counts, fields, ENTRY, superseded)


def rows(made: Manifest) -> dict[str, str]:
    return {row[0]: row[1] for row in index_grid(held(made, Path("place"))).rows}


def test_all_there_is_to_say() -> None:
    relations = {f"relation {number}": number for number in range(1, 12)}
    keys = {f"key{number}": {"text": 1, "number": 2} for number in range(10)}
    counts = Counts(
        documents=1200, positions=1210, wordless=3, with_items=1100, outside={"no match": 70, "name": 30},
        relations=relations, metadata=keys,
    )  # fmt: skip
    vectors = VectorSettings(embedder="minilm", precision="int8", lookup="approximate")
    told = rows(manifest(counts, IndexSettings(scale="legacy", vectors=vectors), superseded=2))
    assert told["documents"] == "1,200"
    assert told["without words"] == "3"
    assert told["deleted or replaced"].startswith("12; their words count")
    assert told["split by a schema"] == "1,100 into items; it is learned"
    assert told["outside the schema"] == "no match (70), name (30)"
    assert told["relations"].startswith("relation 11 (11), relation 10 (10), ")
    assert told["relations"].endswith(" … and 3 more")
    assert told["filters"].startswith("key0 (text, number), key1 (text, number)")
    assert told["filters"].endswith(" … and 2 more")
    assert told["vectors"] == "minilm, int8, approximate"
    assert told["text fields"] == "text (5), name (5), items (5)"
    assert "2.2" in told["scores"]


def test_what_is_not_there_is_not_shown() -> None:
    told = rows(manifest(Counts(documents=1, positions=1), split=False))
    assert told == {
        "documents": "1",
        "split by a schema": "no: exact items and relations cannot be asked for",
        "text fields": "text (5)",
        "vectors": "none",
        "scores": "Lucene's",
    }
    assert index_grid(held(manifest(Counts(documents=1, positions=1)), Path("p"))).caption == "p: 1 document"


def test_names_are_data() -> None:
    counts = Counts(documents=1, positions=1, relations={"a\x1b[31m\nb" + "x" * 100: 1})
    shown = rows(manifest(counts))["relations"]
    assert "\x1b" not in shown
    assert "\n" not in shown
    assert len(shown) < 70


def test_the_record_says_what_the_table_says() -> None:
    counts = Counts(documents=3, positions=4, with_items=2, outside={"no match": 1}, relations={"likes": 2})
    record = index_record(held(manifest(counts), Path("place")), ("a note",))
    assert record["schema"] == "askance/index/1"
    assert (record["documents"], record["deleted"], record["with_items"], record["notes"]) == (3, 1, 2, ["a note"])
    assert record["fields"] == {"text": 5, "name": 5, "items": 5}
