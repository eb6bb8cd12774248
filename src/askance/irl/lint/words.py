"""The words of all documents in one column, and where a phrase stands in it."""

from __future__ import annotations

from array import array
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from askance.text.analyzer import Analyzer
from askance.text.lengths import stored_lengths

K1, B = 1.2, 0.75  # Lucene's own
UNKNOWN = -1


class WordsBuilder:
    """Takes texts one by one and keeps their term numbers only."""

    def __init__(self, analyzer: Analyzer) -> None:
        self.analyzer = analyzer
        self.known: dict[str, int] = {}
        self._terms, self._lengths = array("i"), array("q")

    def numbers(self, text: str) -> list[int]:
        """The numbers of its terms; new terms get one."""
        known = self.known
        return [known.setdefault(term, len(known)) for term in self.analyzer.terms(text)]

    def add(self, text: str) -> None:
        """The next document."""
        found = self.numbers(text)
        self._terms.extend(found)
        self._lengths.append(len(found))

    def build(self) -> Words:
        """All of them. The builder is not used after it."""
        lengths = np.array(self._lengths, dtype=np.int64)
        return Words(self.analyzer, self.known, np.array(self._terms, dtype=np.int32), lengths)


class Words:
    """Term numbers of all documents one after another, int32 [words]; `offsets` int64 [documents + 1] into them.

    `norm` float64 [documents]: what BM25 adds to the frequency below the fraction, k1 · (1 − b + b · dl / avgdl), dl
    as Lucene's byte keeps it. Some 12 bytes a word.
    """

    def __init__(
        self, analyzer: Analyzer, known: dict[str, int], terms: NDArray[np.int32], lengths: NDArray[np.int64]
    ) -> None:
        self.analyzer = analyzer
        self.known = known
        self.terms = terms
        self.offsets = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)
        self._places = np.argsort(terms, kind="stable")
        self._begin = np.concatenate([[0], np.cumsum(np.bincount(terms, minlength=len(known)))]).astype(np.int64)
        filled = max(int(np.count_nonzero(lengths)), 1)
        mean = max(lengths.sum() / filled, 1.0)
        self.norm = K1 * (1.0 - B + B * stored_lengths(lengths) / mean)

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def numbers(self, text: str) -> list[int]:
        """The numbers of its terms, UNKNOWN for one that is nowhere."""
        return [self.known.get(term, UNKNOWN) for term in self.analyzer.terms(text)]

    def of(self, document: int) -> list[int]:
        """The term numbers of one document."""
        found: list[int] = self.terms[self.offsets[document] : self.offsets[document + 1]].tolist()
        return found

    def document(self, places: NDArray[np.int64]) -> NDArray[np.int64]:
        """Which document each place of the column belongs to."""
        found: NDArray[np.int64] = np.searchsorted(self.offsets, places, side="right") - 1
        return found

    def phrase(self, terms: Sequence[int]) -> NDArray[np.int64]:
        """Places of the column where the terms stand next to one another and in order in one document; ascending.

        Occurrences may overlap. No terms stand nowhere.
        """
        if not terms or UNKNOWN in terms:
            return np.empty(0, dtype=np.int64)
        rarest = min(range(len(terms)), key=lambda at: self._begin[terms[at] + 1] - self._begin[terms[at]])
        term = terms[rarest]
        begins = self._places[self._begin[term] : self._begin[term + 1]] - rarest
        begins = begins[(begins >= 0) & (begins + len(terms) <= len(self.terms))]
        for at, wanted in enumerate(terms):
            if at != rarest:
                begins = begins[self.terms[begins + at] == wanted]
        whole: NDArray[np.int64] = begins[self.document(begins) == self.document(begins + len(terms) - 1)]
        return whole

    def ranked(self, begins: NDArray[np.int64]) -> NDArray[np.int64]:
        """The documents of a phrase's places as BM25 ranks them, ties by position.

        A phrase scores idf · f / (f + norm), f its number of places in the document; idf is the same for all.
        """
        documents, frequency = np.unique(self.document(begins), return_counts=True)
        scores = (frequency / (frequency + self.norm[documents])).astype(np.float32)
        order: NDArray[np.int64] = documents[np.argsort(-scores, kind="stable")]
        return order
