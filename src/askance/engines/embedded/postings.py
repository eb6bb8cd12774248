"""One tantivy index, opened for reading: what a query of tantivy matches, by position of the document."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from askance.engines.embedded.manifest import FieldEntry
from askance.engines.embedded.segments import POSITION, opened, positions_at
from askance.engines.matches import Matches

if TYPE_CHECKING:
    import tantivy

Positions = NDArray[np.int64]
Scores = NDArray[np.float64]


class Postings:
    """A field's index, or the records. Scores are tantivy's times `factor`, each a 32-bit float's value."""

    def __init__(self, folder: Path, entry: FieldEntry, factor: float) -> None:
        index = opened(folder / entry.folder)
        self.schema: tantivy.Schema = index.schema
        self.searcher: tantivy.Searcher = index.searcher()
        self.size = self.searcher.num_docs  # deleted ones left out
        self._entry = entry
        self._factor = factor

    def matches(self, query: tantivy.Query) -> Matches:
        """All that match, by position."""
        hits = self.searcher.search(query, max(self.size, 1), count=False).hits
        positions = self._positions_of(hits)
        scores = self._scaled(np.fromiter((score for score, _ in hits), dtype=np.float64, count=len(hits)))
        order = np.argsort(positions, kind="stable")
        return Matches(positions[order], scores[order])

    def among(self, query: tantivy.Query, positions: Positions) -> Matches:
        """Which of these positions match, and their scores."""
        import tantivy

        here = tantivy.Query.term_set_query(self.schema, POSITION, positions.tolist())
        both = [(tantivy.Occur.Must, query), (tantivy.Occur.Must, tantivy.Query.const_score_query(here, 0.0))]
        return self.matches(tantivy.Query.boolean_query(both))

    def positions(self, query: tantivy.Query) -> Positions:
        """Positions of all that match, ascending."""
        hits = self.searcher.search(query, max(self.size, 1), count=False).hits
        return np.sort(self._positions_of(hits))

    def count(self, query: tantivy.Query) -> int:
        """How many match."""
        return _total(self.searcher.search(query, 1))

    def top(self, query: tantivy.Query, limit: int) -> tuple[Positions, Scores, int]:
        """The best `limit`, ties by position, their scores, and how many match in all."""
        if limit <= 0 or not self.size:
            return np.empty(0, dtype=np.int64), np.empty(0), self.count(query)
        ask = min(limit if self._entry.in_order else 2 * limit + 8, self.size)
        found = self.searcher.search(query, ask)
        hits, total = found.hits, _total(found)
        if not self._entry.in_order:
            while len(hits) < total and hits[-1][0] >= hits[min(limit, len(hits)) - 1][0]:
                ask = min(4 * ask, self.size)
                hits = self.searcher.search(query, ask, count=False).hits
        positions = self._positions_of(hits)
        factor = self._factor  # one by one: few hits take less time so
        scores = np.array([score * factor for score, _ in hits], dtype=np.float32).astype(np.float64)
        if not self._entry.in_order:
            order = np.lexsort((positions, -scores))[:limit]
            positions, scores = positions[order], scores[order]
        return positions, scores, total

    def address(self, position: int) -> tantivy.DocAddress | None:
        """Where the document of this position is, None where it is deleted or not in this index."""
        import tantivy

        if self._entry.dense:
            return tantivy.DocAddress(0, position) if 0 <= position < self.size else None
        query = tantivy.Query.term_query(self.schema, POSITION, position)
        hits = self.searcher.search(query, 1, count=False).hits
        return hits[0][1] if hits else None

    def _positions_of(self, hits: list[tuple[float, tantivy.DocAddress]]) -> Positions:
        addresses = [address for _, address in hits]
        if self._entry.dense:
            return np.array([address.doc for address in addresses], dtype=np.int64)
        return np.array(positions_at(self.searcher, addresses), dtype=np.int64)

    def _scaled(self, raw: Scores) -> Scores:
        return (raw * self._factor).astype(np.float32).astype(np.float64)


def _total(found: tantivy.SearchResult) -> int:
    """How many match; tantivy's type stubs do not know it."""
    return int(found.count)  # type: ignore[attr-defined]
