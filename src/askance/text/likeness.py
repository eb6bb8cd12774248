"""How alike two texts read: lexical likeness from 0 (nothing in common) to 1, per class of words.

Over all words it is the mean of three: Jaccard of the word sets, `rapidfuzz.fuzz.ratio` / 100 (2 · longest common
subsequence / both lengths, in characters), and the shorter length over the longer one; all of the lower-cased texts. It
is the lexical control of Rashid and Kellis (2026). Over any other class it is the Jaccard of what the class reads.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from askance.text.classes import CLASSES

Scores = NDArray[np.float64]

_ROOM = 4_000_000  # characters whose words are kept: about 200 MB at most


class Likeness(Protocol):
    """Compares one query with many documents."""

    def scores(self, query: str, documents: Sequence[str]) -> Scores:
        """One likeness per document, 0 to 1, float64 [documents]."""


class Overlap:
    """Jaccard of what a class of words reads.

    What was read is kept, text by text, up to a fixed room; beyond it texts are read again each time.
    """

    def __init__(self, read: Callable[[str], frozenset[str]], room: int = _ROOM) -> None:
        self._read = read
        self._room = room
        self._kept: dict[str, frozenset[str]] = {}

    def scores(self, query: str, documents: Sequence[str]) -> Scores:
        wanted = self._words(query)
        return np.array([jaccard(wanted, self._words(text)) for text in documents], dtype=np.float64)

    def _words(self, text: str) -> frozenset[str]:
        found = self._kept.get(text)
        if found is None:
            found = self._read(text)
            if self._room >= len(text):
                self._room -= len(text)
                self._kept[text] = found
        return found


class MeanOfThree:
    """Mean of Jaccard over all words, rapidfuzz's ratio, and the ratio of the lengths in characters."""

    def __init__(self) -> None:
        self._overlap = Overlap(CLASSES["all"].read)

    def scores(self, query: str, documents: Sequence[str]) -> Scores:
        if not documents:
            return np.empty(0)
        from rapidfuzz import fuzz, process

        asked, texts = query.lower(), [text.lower() for text in documents]
        ratio = process.cdist([asked], texts, scorer=fuzz.ratio, dtype=np.float64)[0] / 100.0
        length = np.array([len(text) for text in texts], dtype=np.float64)
        longer = np.maximum(length, len(asked))
        lengths = np.where(longer > 0, np.minimum(length, len(asked)) / np.maximum(longer, 1), 1.0)
        mean: Scores = (self._overlap.scores(query, documents) + ratio + lengths) / 3.0
        return mean


def jaccard(one: frozenset[str], other: frozenset[str]) -> float:
    """Common / all; 1 where both are empty, for they do not differ."""
    common = len(one & other)
    every = len(one) + len(other) - common
    return common / every if every else 1.0


LIKENESSES: Mapping[str, Likeness] = {
    name: MeanOfThree() if name == "all" else Overlap(each.read) for name, each in CLASSES.items()
}
"""One likeness per class of words, by its name."""
