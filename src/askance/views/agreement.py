"""The sign of a class: does gold agree more with its query in these words than a decoy does?

Per query that has words of the class: the share of (gold, decoy) pairs in which gold agrees more, a tie counting one
half; agreement is the Jaccard overlap of the words, each as often as it occurs. Then the mean over those queries with a
95 % interval. A class above one half is a friend: it tells gold from decoys, and a view that hides it loses. A class
below is an enemy. One at one half says nothing either way, and hiding it is free.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from askance.text.classes import counted
from askance.views.judged import Judged
from askance.views.slots import Slots

Words = Mapping[str, tuple[str, ...]]
Floats = NDArray[np.float64]
Reading = Literal["friend", "enemy", "neither"]

MARGIN = 0.02
"""A friend stands clear of one half by this much: less is too little to give up a view for."""

ENOUGH = 8
"""Queries with words of a class, below which its sign is not read."""

_NORMAL = 1.959964


@dataclass(frozen=True, slots=True)
class Agreement:
    """Of one class: mean over `n` queries with its words, the 95 % interval of the mean (normal), and what it says.

    "neither" also where fewer than eight queries have such words: low and high are then 0 and 1.
    """

    name: str
    value: float
    low: float
    high: float
    n: int

    @property
    def reading(self) -> Reading:
        if self.low > 0.5 + MARGIN:
            return "friend"
        return "enemy" if self.high < 0.5 else "neither"


def agreements(slots: Slots, judged: Judged) -> dict[str, Agreement]:
    """The sign of every class, open or not, by name."""
    read = Read.of(slots, judged)
    return {each.name: read.agreement(each.name) for each in slots.classes}


class Read:
    """Queries and documents as words of classes: class name → known terms, one mapping a text."""

    def __init__(self, judged: Judged, queries: Sequence[Words], documents: Sequence[Words]) -> None:
        self._judged, self._queries, self._documents = judged, queries, documents
        self._usable = [
            at
            for at, (gold, decoys) in enumerate(zip(judged.gold, judged.decoys, strict=True))
            if len(gold) and len(decoys)
        ]

    @classmethod
    def of(cls, slots: Slots, judged: Judged) -> Read:
        words = {text: slots.words_of(text) for text in dict.fromkeys((*judged.queries, *judged.documents))}
        return cls(judged, [words[text] for text in judged.queries], [words[text] for text in judged.documents])

    def agreement(self, name: str, among: Container[str] | None = None) -> Agreement:
        """The sign of one class, or of some of its words."""
        coded: dict[frozenset[str], int] = {}
        held = [_counted(words, name, among) for words in self._documents]
        codes = np.array([coded.setdefault(each, len(coded)) for each in held], dtype=np.int64)
        scores_of: dict[frozenset[str], Floats] = {}
        shares = []
        for at in self._usable:
            asked = _counted(self._queries[at], name, among)
            if not asked:
                continue
            if asked not in scores_of:
                scores_of[asked] = np.array([len(asked & each) / len(asked | each) for each in coded])
            scores = scores_of[asked][codes]
            shares.append(pair_share(scores[self._judged.gold[at]], scores[self._judged.decoys[at]]))
        return _estimated(name, np.array(shares, dtype=np.float64))

    def asked(self, name: str) -> list[str]:
        """Words of a class that enough queries have, the most frequent first."""
        seen = Counter(term for words in self._queries for term in set(words.get(name, ())))
        return [term for term, count in sorted(seen.items(), key=lambda one: (-one[1], one[0])) if count >= ENOUGH]


def _counted(words: Words, name: str, among: Container[str] | None) -> frozenset[str]:
    return counted(term for term in words.get(name, ()) if among is None or term in among)


def pair_share(gold: Floats, decoys: Floats) -> float:
    """Share of (gold, decoy) pairs in which gold scores higher, a tie counting one half."""
    ordered = np.sort(decoys)
    below = np.searchsorted(ordered, gold, side="left").sum() + np.searchsorted(ordered, gold, side="right").sum()
    return float(below) / (2 * len(gold) * len(decoys))


def _estimated(name: str, shares: Floats) -> Agreement:
    n = len(shares)
    if n < ENOUGH:
        return Agreement(name, float(shares.mean()) if n else 0.5, 0.0, 1.0, n)
    mean, half = float(shares.mean()), _NORMAL * float(shares.std(ddof=1)) / n**0.5
    return Agreement(name, mean, max(mean - half, 0.0), min(mean + half, 1.0), n)
