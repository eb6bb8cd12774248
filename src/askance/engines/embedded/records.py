"""The documents of an index as they were indexed, by position and by identifier."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from askance.core.errors import FileProblem
from askance.engines.embedded.identifiers import IdentifierTable
from askance.engines.embedded.postings import Postings
from askance.engines.embedded.segments import ID, POSITION, REST, TEXT
from askance.engines.stored import Source, unpacked
from askance.engines.words import fact_places, keyword, places
from askance.text.analyzer import Analyzer


class Records:
    """Reads one document at a time."""

    def __init__(self, postings: Postings, identifiers: IdentifierTable) -> None:
        self.postings = postings
        self._identifiers = identifiers

    def at(self, position: int) -> Source:
        """The document of this position; FileProblem where it is not there."""
        address = self.postings.address(position)
        if address is None:
            raise FileProblem("records", f"there is no document at position {position}", remedy="Was it deleted?")
        document = self.postings.searcher.doc(address)
        text, rest = document.get_first(TEXT), document.get_first(REST)
        (identifier,) = self._identifiers.at(np.array([position]))
        return unpacked(identifier, text or b"", rest)

    def text(self, position: int) -> str | None:
        """The text of this position; None where the document is gone."""
        address = self.postings.address(position)
        if address is None:
            return None
        return str(self.postings.searcher.doc(address).get_first(TEXT) or b"", "utf-8")

    def position(self, identifier: str) -> int | None:
        """Where the document of this identifier stands; None where there is none."""
        import tantivy

        searcher = self.postings.searcher
        query = tantivy.Query.term_query(self.postings.schema, ID, keyword(identifier), index_option="basic")
        hits = searcher.search(query, 1, count=False).hits
        if not hits:
            return None
        (position,) = searcher.fast_field_values(POSITION, [hits[0][1]])
        return int(position) if position is not None else None

    def terms(self, analyzer: Analyzer, field: str, position: int, gap: int) -> Iterator[tuple[str, int]]:
        """Terms and positions of a document's field, as they were indexed, with `gap` places between two values."""
        source = self.at(position)
        fields = source.fields
        if field == "text":
            return places(analyzer, (source.text,), gap)
        if field == "facts":
            return fact_places(analyzer, fields.facts, gap)
        if field == "items":
            return places(analyzer, fields.items, gap)
        value = fields.name if field == "name" else fields.texts.get(field)
        return places(analyzer, (value or "",), gap)
