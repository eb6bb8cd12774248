"""The figures that BM25 is made of, for one field: for explanations, and to score what tantivy does not."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from askance.engines.embedded.lexical import Phrase
from askance.engines.embedded.postings import Postings
from askance.engines.embedded.segments import WORDS
from askance.engines.settings import LEGACY
from askance.text.lengths import stored_lengths

K1, B = 1.2, 0.75


@dataclass(frozen=True)
class Statistics:
    """Of one field: N, documents with words in it, and their mean true length in terms. Deleted ones count."""

    documents: int
    mean_length: float


@dataclass(frozen=True)
class PhraseFigures:
    """What a phrase is in one document: occurrences (sloppy ones weighed), length in terms and as the byte keeps it.

    `idf`: sum over its terms. `score`: on the index's scale, 0 without an occurrence.
    """

    frequency: float
    length: int
    kept_length: int
    idf: float
    mean_length: float
    score: float


class FieldStatistics:
    """Statistics of a field's index; read when asked for first."""

    def __init__(self, postings: Postings, legacy: bool) -> None:
        self._postings = postings
        self._scale = LEGACY if legacy else 1.0

    @cached_property
    def statistics(self) -> Statistics:
        """N and avgdl as tantivy has them, deleted documents among them."""
        import tantivy

        searcher = self._postings.searcher
        for term, _ in searcher.terms_with_prefix(WORDS, ""):
            query = tantivy.Query.term_query(self._postings.schema, WORDS, term)
            hits = searcher.search(query, 1, count=False).hits
            if hits:
                figures = dict(_leaves(json.loads(query.explain(searcher, hits[0][1]).to_json())))
                return Statistics(int(figures["N"]), figures["avgdl"])
        return Statistics(0, 0.0)

    def holders(self, term: str) -> int:
        """Documents with the term, deleted ones among them."""
        return self._postings.searcher.doc_freq(WORDS, term)

    def idf(self, terms: Iterable[str]) -> float:
        """Σ ln(1 + (N − n + ½) / (n + ½))."""
        size = self.statistics.documents
        return sum(math.log1p((size - n + 0.5) / (n + 0.5)) for n in (self.holders(term) for term in terms))

    def figures(self, phrase: Phrase, frequency: float, length: int) -> PhraseFigures:
        """The figures and the score of a phrase that occurs so often in a document of so many terms."""
        idf = self.idf(term for _, term in phrase)
        mean = self.statistics.mean_length
        kept = int(stored_lengths(np.array([length]))[0])
        norm = K1 * (1 - B + B * kept / mean) if mean else K1
        score = float(np.float32(self._scale * idf * frequency / (frequency + norm))) if frequency else 0.0
        return PhraseFigures(frequency, length, kept, idf, mean, score)


def _leaves(explained: dict[str, Any]) -> Iterable[tuple[str, float]]:
    """Name and value of each figure in tantivy's explanation."""
    yield explained["description"].split(",")[0], explained["value"]
    for detail in explained.get("details", ()):
        yield from _leaves(detail)
