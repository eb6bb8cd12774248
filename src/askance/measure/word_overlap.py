"""Overlap of queries with every document of a corpus: Jaccard of the sets of words, one sparse product a block.

The same figure as the likeness over all words' Jaccard (text.likeness), without holding a pair of texts together:
only words that some query holds are counted one by one, of the rest of a document only how many there are.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from askance.core.progress import Progress, Silent
from askance.measure.judged import Counts, Values
from askance.text.classes import words

READING = "words of documents"

_CELLS_AT_ONCE = 8_000_000  # queries × documents whose overlaps are held together: 64 MB
_TOLD_EVERY = 2_000  # documents


@dataclass(frozen=True, eq=False)
class WordSets:
    """Which of the queries' words each text holds, sparse int32 [texts, words], and how many words it has [texts]."""

    held: Any
    sizes: Counts


@dataclass(frozen=True, eq=False)
class WordOverlap:
    """The sets of words of all queries and documents."""

    queries: WordSets
    documents: WordSets

    @classmethod
    def of(
        cls, query_texts: Sequence[str], document_texts: Sequence[str], progress: Progress | None = None
    ) -> WordOverlap:
        """Reads every text once."""
        told = progress or Silent()
        read = [frozenset(words(text)) for text in query_texts]
        place = {word: at for at, word in enumerate(sorted(set().union(*read)))}
        queries = _sets(iter(read), len(read), place)
        told.start(READING, len(document_texts))
        documents = _sets(_read(document_texts, told), len(document_texts), place)
        told.finish(READING)
        return cls(queries, documents)

    def blocks(self, wanted: Counts) -> Iterator[tuple[Counts, Values]]:
        """(some of the queries at `wanted`, their overlap with every document, float64 [some, documents])."""
        documents = self.documents
        step = max(1, _CELLS_AT_ONCE // max(len(documents.sizes), 1))
        by_word = documents.held.T.tocsr()
        for start in range(0, len(wanted), step):
            some = wanted[start : start + step]
            common = (self.queries.held[some] @ by_word).toarray()
            every = self.queries.sizes[some][:, None] + documents.sizes[None, :] - common
            # two texts without a word do not differ
            yield some, np.where(every > 0, common / np.maximum(every, 1), 1.0)


def _read(texts: Sequence[str], told: Progress) -> Iterator[frozenset[str]]:
    for at, text in enumerate(texts, 1):
        yield frozenset(words(text))
        if at % _TOLD_EVERY == 0:
            told.advance(READING, _TOLD_EVERY)
    told.advance(READING, len(texts) % _TOLD_EVERY)


def _sets(read: Iterator[frozenset[str]], texts: int, place: dict[str, int]) -> WordSets:
    from scipy.sparse import csr_matrix

    ends = np.zeros(texts + 1, dtype=np.int64)
    sizes = np.zeros(texts, dtype=np.int64)
    columns: list[int] = []
    for at, found in enumerate(read):
        columns += [place[word] for word in found if word in place]
        ends[at + 1] = len(columns)
        sizes[at] = len(found)
    ones = np.ones(len(columns), dtype=np.int32)
    return WordSets(csr_matrix((ones, np.array(columns, dtype=np.int32), ends), shape=(texts, len(place))), sizes)
