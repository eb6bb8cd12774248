"""Small indexes for tests."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from askance.data.fields.schema import Fact, Fields, Outside, Record
from askance.engines.embedded.building import build_index
from askance.engines.embedded.opening import EmbeddedIndex
from askance.engines.matches import Matches
from askance.engines.settings import Indexed, IndexSettings


class Given:
    """A schema for tests: the record says it all."""

    def split(self, record: Record) -> Fields | Outside:
        if "outside" in record:
            return Outside(record["outside"], "as the test says")
        facts = [Fact(tuple(record["items"]))] if "items" in record else []
        facts += [Fact(tuple(items), relation) for relation, items in record.get("facts", {}).items()]
        return Fields(record.get("name"), tuple(facts), record.get("texts", {}))

    def described(self) -> Mapping[str, Any]:
        return {"kind": "given"}


def index_of_texts(folder: Path, texts: Sequence[str], settings: IndexSettings | None = None) -> EmbeddedIndex:
    """An index of plain texts; identifiers are d0, d1 …"""
    documents = [Indexed(f"d{number}", text) for number, text in enumerate(texts)]
    build_index(documents, folder, settings=settings)
    return EmbeddedIndex.open(folder)


def index_of_records(
    folder: Path, records: Sequence[Mapping[str, Any]], settings: IndexSettings | None = None
) -> EmbeddedIndex:
    """An index of records as `Given` reads them; the text is that of the record, or its items in a row."""
    documents = []
    for number, record in enumerate(records):
        said = [*record.get("items", ()), *(item for items in record.get("facts", {}).values() for item in items)]
        text = record.get("text", f"{record.get('name', '')} likes {', '.join(said)}.")
        documents.append(Indexed(f"d{number}", text, record=record))
    build_index(documents, folder, schema=Given(), settings=settings)
    return EmbeddedIndex.open(folder)


def ranked(matches: Matches) -> list[int]:
    """Positions best first, ties by position."""
    pairs = sorted(zip(-matches.scores, matches.positions, strict=True))
    return [int(position) for _, position in pairs]
