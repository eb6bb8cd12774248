"""Phrase search over one text field by hand: what the foretelling is held against. Nothing of it is askance's own."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

import numpy as np

WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")


def words(text: str) -> list[str]:
    """Lower case; letters, digits and apostrophes inside."""
    return WORD.findall(text.lower())


def stored(length: int) -> int:
    """Lucene's one-byte length, by the bits of what lies above 24."""
    above = length - 24
    if above < 16:
        return length
    drop = above.bit_length() - 4
    return 24 + (above >> drop << drop)


class PhraseSearch:
    """BM25 of a phrase, every document looked at."""

    def __init__(self, ids: Sequence[str], texts: Sequence[str]) -> None:
        self._ids = ids
        self._words = [words(text) for text in texts]
        self._texts = [f" {' '.join(each)} " for each in self._words]
        filled = [each for each in self._words if each]
        self._mean = sum(map(len, filled)) / max(len(filled), 1)

    def ranked(self, phrase: str) -> list[str]:
        """All documents that hold it, best first, ties by position."""
        wanted = words(phrase)
        joined = f" {' '.join(wanted)} "
        found = []
        for at, text in enumerate(self._texts):
            if joined in text:
                mine, length = self._words[at], len(wanted)
                times = sum(mine[place : place + length] == wanted for place in range(len(mine)))
                norm = 1.2 * (0.25 + 0.75 * stored(len(mine)) / self._mean)
                found.append((-float(np.float32(times / (times + norm))), at))
        return [self._ids[at] for _, at in sorted(found)]

    def failures(self, asked: Mapping[str, str], gold: Mapping[str, set[str]]) -> set[str]:
        """Queries whose first places, as many as there is gold, are not all gold."""
        return {query for query, item in asked.items() if set(self.ranked(item)[: len(gold[query])]) != gold[query]}
