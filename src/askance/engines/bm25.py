"""BM25 in memory, as Lucene 9 and later computes it.

For a term t that occurs f times in a document of length dl (Robertson and Zaragoza 2009, without their factor k1 + 1):

    score(t) = idf(t) · f / (f + k1 · (1 − b + b · dl / avgdl)),   idf(t) = ln(1 + (N − n + ½) / (n + ½))

N: documents with at least one term; n: those that contain t; avgdl: mean true length of the N. Lucene keeps dl in one
byte: exact up to 40 terms, then to four significant bits; exact lengths are an option. What a term adds is a 32-bit
float, as in Lucene; sums of these are made in 64 bits, where their order changes nothing, and rounded to 32 again.
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterable
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from askance.engines.selection import best
from askance.text.analyzer import Analyzer
from askance.text.lengths import stored_lengths as stored_lengths

Lengths = Literal["lucene", "exact"]
Found = tuple[NDArray[np.int32], NDArray[np.float64]]


class BM25Index:
    """Postings of a list of texts: for each term the documents that hold it, and what it adds to their scores.

    Columns over interned terms: `offsets` int64 [terms + 1] into `document` int32 and `weight` float32 [postings],
    documents ascending within a term.
    """

    def __init__(
        self,
        texts: Iterable[str],
        analyzer: Analyzer,
        k1: float = 1.2,
        b: float = 0.75,
        lengths: Lengths = "lucene",
    ) -> None:
        self.analyzer = analyzer
        self.terms, ids, length = _read(texts, analyzer)
        self.size = len(length)
        self.offsets, self.document, frequency = _postings(ids, length, len(self.terms))
        holders = np.diff(self.offsets)
        filled = max(int(np.count_nonzero(length)), 1)
        idf = np.log(1.0 + (filled - holders + 0.5) / (holders + 0.5))
        kept = stored_lengths(length) if lengths == "lucene" else length
        norm = k1 * (1.0 - b + b * kept / max(length.sum() / filled, 1.0))
        self.weight = (np.repeat(idf, holders) * (frequency / (frequency + norm[self.document]))).astype(np.float32)

    def scores(self, terms: Iterable[str]) -> Found:
        """The documents that hold any of the terms, by position, and their scores.

        A term counts as often as it is named.
        """
        sums = np.zeros(self.size)
        for term, times in Counter(terms).items():
            at = self.terms.get(term)
            if at is not None:
                postings = slice(self.offsets[at], self.offsets[at + 1])
                sums[self.document[postings]] += times * self.weight[postings].astype(np.float64)
        documents = np.flatnonzero(sums)
        return documents.astype(np.int32), sums[documents].astype(np.float32).astype(np.float64)

    def search(self, text: str, depth: int, without: NDArray[np.int32] | None = None) -> Found:
        """The best `depth` documents that share a term with `text`, best first, ties by position, and their scores.

        `without`: documents that are no candidates; they count in the statistics all the same.
        """
        documents, scores = self.scores(self.analyzer.terms(text))
        if without is not None and len(without):
            allowed = ~np.isin(documents, without)
            documents, scores = documents[allowed], scores[allowed]
        chosen = best(scores, depth)
        return documents[chosen], scores[chosen]


def _read(texts: Iterable[str], analyzer: Analyzer) -> tuple[dict[str, int], NDArray[np.int32], NDArray[np.int64]]:
    """Terms in order of appearance, the flat column of term numbers, and the length of each text in terms."""
    known: dict[str, int] = {}
    ids, lengths = array("i"), array("q")
    for text in texts:
        found = [known.setdefault(term, len(known)) for term in analyzer.terms(text)]
        ids.extend(found)
        lengths.append(len(found))
    return known, np.array(ids, dtype=np.int32), np.array(lengths, dtype=np.int64)


def _postings(
    ids: NDArray[np.int32], length: NDArray[np.int64], terms: int
) -> tuple[NDArray[np.int64], NDArray[np.int32], NDArray[np.int64]]:
    """Offsets per term; per posting its document and how often the term occurs there."""
    order = np.argsort(ids, kind="stable")
    term = ids[order]
    document = np.repeat(np.arange(len(length), dtype=np.int32), length)[order]
    new = np.ones(len(ids), dtype=np.bool_)
    new[1:] = (term[1:] != term[:-1]) | (document[1:] != document[:-1])
    begin = np.flatnonzero(new)
    offsets = np.searchsorted(term[begin], np.arange(terms + 1)).astype(np.int64)
    return offsets, document[begin], np.diff(begin, append=len(ids))
