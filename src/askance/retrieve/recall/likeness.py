"""How like texts are: by the words and pairs of neighbouring words they share, or by an embedder's vectors."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from math import log, sqrt
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from askance.models.embedder import Embedder, Kind
from askance.text.analyzer import Analyzer

Floats = NDArray[np.float64]

_ANALYZER = Analyzer()
_BATCH = 64


class Likeness(Protocol):
    """Grows by texts, and says how like others are to each of them."""

    def add(self, texts: Sequence[str]) -> None: ...

    def scores(self, asked: Sequence[str]) -> Floats:
        """Cosines [asked, texts added so far]."""


def words_and_pairs(text: str) -> Counter[str]:
    """Each word, and each word with the one after it: "put a cup" has put, a, cup, "put a" and "a cup"."""
    words = _ANALYZER.terms(text)
    return Counter([*words, *(f"{one} {two}" for one, two in zip(words, words[1:], strict=False))])


def length_of(text: str) -> int:
    """How many words a text has."""
    return len(_ANALYZER.terms(text))


class ByWords:
    """Cosine of words and pairs, each with the weight (1 + ln f) · ln(1 + (N − n + ½) / (n + ½)).

    f: how often it is in the text; N: texts; n: those that have it. A word that no text has counts against a likeness
    as a rare one.
    """

    def __init__(self) -> None:
        self._texts: list[Counter[str]] = []
        self._holders: Counter[str] = Counter()
        self._held: Any = None  # the matrix of all texts, until another one is added

    def add(self, texts: Sequence[str]) -> None:
        for text in texts:
            terms = words_and_pairs(text)
            self._texts.append(terms)
            self._holders.update(terms.keys())
        self._held = None

    def scores(self, asked: Sequence[str]) -> Floats:
        if not self._texts or not asked:
            return np.zeros((len(asked), len(self._texts)))
        numbers = {term: at for at, term in enumerate(self._holders)}
        if self._held is None:
            self._held = _matrix((self._weights(terms) for terms in self._texts), numbers)
        wanted = _matrix((self._weights(words_and_pairs(text)) for text in asked), numbers)
        found: Floats = np.asarray((wanted @ self._held.T).todense(), dtype=np.float64)
        return found

    def _weights(self, terms: Mapping[str, int]) -> dict[str, float]:
        n = len(self._texts)
        weights = {
            term: (1 + log(times)) * log(1 + (n - self._holders[term] + 0.5) / (self._holders[term] + 0.5))
            for term, times in terms.items()
        }
        norm = sqrt(sum(weight * weight for weight in weights.values())) or 1.0
        return {term: weight / norm for term, weight in weights.items()}


class ByMeaning:
    """Cosine of an embedder's vectors."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder
        self._vectors: list[NDArray[np.float32]] = []

    def add(self, texts: Sequence[str]) -> None:
        if texts:
            self._vectors.append(self._embedded(texts, "document"))

    def scores(self, asked: Sequence[str]) -> Floats:
        if not self._vectors or not asked:
            return np.zeros((len(asked), sum(map(len, self._vectors))))
        found: Floats = (self._embedded(asked, "query") @ np.vstack(self._vectors).T).astype(np.float64)
        return found

    def _embedded(self, texts: Sequence[str], kind: Kind) -> NDArray[np.float32]:
        batches = [texts[at : at + _BATCH] for at in range(0, len(texts), _BATCH)]
        return np.vstack([self._embedder.embed(batch, kind) for batch in batches])


def _matrix(rows: Iterable[Mapping[str, float]], numbers: Mapping[str, int]) -> Any:
    """Rows as a sparse matrix; terms without a number count in no product."""
    from scipy.sparse import csr_array

    at, values, ends = [], [], [0]
    for row in rows:
        for term, weight in row.items():
            if term in numbers:
                at.append(numbers[term])
                values.append(weight)
        ends.append(len(at))
    return csr_array((values, at, ends), shape=(len(ends) - 1, max(len(numbers), 1)), dtype=np.float64)
