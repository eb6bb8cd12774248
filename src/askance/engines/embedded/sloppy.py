"""How often a phrase occurs in a document when its terms may move: as Lucene's SloppyPhraseMatcher counts.

Every term of the phrase has a cursor over its places in the document, less its place in the phrase; a phrase in order
has all cursors at one value. The least cursor moves on as long as that makes the window smaller; a window not above
`slop` is an occurrence and counts 1 / (1 + window). Terms that the phrase repeats never stand on one place.
Source: lucene/core, org.apache.lucene.search.SloppyPhraseMatcher.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from heapq import heapify, heappop, heappush

import numpy as np

Places = Mapping[str, Sequence[int]]  # term → its places in the document, ascending


def places_of(found: Iterable[tuple[str, int]], terms: Iterable[str]) -> Places:
    """Where these terms stand, of all terms of a document and their places."""
    wanted: dict[str, list[int]] = {term: [] for term in terms}
    for term, at in found:
        if term in wanted:
            wanted[term].append(at)
    return wanted


def exact_frequency(phrase: Sequence[tuple[int, str]], places: Places) -> int:
    """How often the terms stand next to one another and in order."""
    starts = set(places[phrase[0][1]])
    for offset, term in phrase[1:]:
        starts &= {at - offset for at in places[term]}
    return len(starts)


def sloppy_frequency(phrase: Sequence[tuple[int, str]], places: Places, slop: int) -> float:
    """Σ 1 / (1 + distance) over the occurrences within `slop`; a 32-bit float's value, 0 where there is none."""
    if any(not places[term] for _, term in phrase):
        return 0.0
    total = np.float32(0)
    for distance in _Window(phrase, places).distances(slop):
        total += np.float32(1) / (np.float32(1) + np.float32(distance))
    return float(total)


class _Cursor:
    """A term of the phrase on its way through the document."""

    def __init__(self, ordinal: int, offset: int, places: Sequence[int]) -> None:
        self.ordinal, self.offset = ordinal, offset
        self.at = 0
        self._places = places
        self._next = 0
        self.group: list[_Cursor] = []  # the cursors of the same term, by offset; empty where there is one only
        self.advance()

    def advance(self) -> bool:
        """Go to the next place; False where there is none."""
        if self._next >= len(self._places):
            return False
        self.at = self._places[self._next] - self.offset
        self._next += 1
        return True

    @property
    def place(self) -> int:
        return self.at + self.offset

    def shared(self) -> _Cursor | None:
        """Another cursor of the same term on the same place."""
        return next((other for other in self.group if other is not self and other.place == self.place), None)

    def __lt__(self, other: _Cursor) -> bool:
        return (self.at, self.offset, self.ordinal) < (other.at, other.offset, other.ordinal)


class _Window:
    def __init__(self, phrase: Sequence[tuple[int, str]], places: Places) -> None:
        self._cursors = [_Cursor(number, offset, places[term]) for number, (offset, term) in enumerate(phrase)]
        groups: dict[str, list[_Cursor]] = {}
        for cursor, (_, term) in zip(self._cursors, phrase, strict=True):
            groups.setdefault(term, []).append(cursor)
        self._open = True
        for group in groups.values():
            if len(group) > 1:
                self._spread(sorted(group, key=lambda cursor: cursor.offset))
        self._end = max(cursor.at for cursor in self._cursors)
        self._queue = list(self._cursors)
        heapify(self._queue)

    def _spread(self, group: list[_Cursor]) -> None:
        """Set the cursors of one term on places of their own."""
        for number, cursor in enumerate(group):
            cursor.group = group
            for _ in range(number):
                self._open = self._open and cursor.advance()

    def distances(self, slop: int) -> Iterable[int]:
        """The windows not above `slop`, from left to right."""
        while self._open:
            cursor = heappop(self._queue)
            distance = self._end - cursor.at
            following = self._queue[0].at
            self._open = False
            while self._advance(cursor):
                if cursor.group and not self._part(cursor):
                    break
                if cursor.at > following:
                    heappush(self._queue, cursor)
                    self._open = True
                    break
                distance = min(distance, self._end - cursor.at)
            if distance <= slop:
                yield distance

    def _advance(self, cursor: _Cursor) -> bool:
        if not cursor.advance():
            return False
        self._end = max(self._end, cursor.at)
        return True

    def _part(self, cursor: _Cursor) -> bool:
        """Where two cursors of one term stand on one place, move the lesser on; False where there is no further."""
        first, moved = cursor, False
        while (other := cursor.shared()) is not None:
            cursor = min(cursor, other, key=lambda each: (each.at, each.offset))
            if not self._advance(cursor):
                return False
            moved = moved or other is not first
        if moved:
            heapify(self._queue)
        return True
