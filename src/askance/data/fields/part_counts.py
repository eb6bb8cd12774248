"""Counts of the parts of all lists, in bounded memory, and which parts only ever stand next to one another."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import count

import numpy as np
from numpy.typing import NDArray

MOST_PARTS = 1_000_000  # counted at once; then those seen once are dropped
STUCK_SHARE = 0.7  # of their occurrences, at least: in the others they are the first or last inner part
STUCK = 3  # times that parts must stand side by side to be one item


FIXED = 12  # times in one place of the list
INSIDE = 2  # inner parts from the end of the list: nearer, lists in order of the alphabet have such items
FIXED_SHARE = 0.01  # of the parts seen so often, at most, where the order of lists is free
FEW_HOLDERS = 0.05  # of the documents: so few may be no lists at all
USUAL_SHARE = 0.01  # of the documents hold so many unknown parts: then so many are usual


@dataclass(frozen=True, eq=False)
class Unknown:
    """Parts that occur once in a collection: how many of how many `parts`, in `holders` of how many `documents`.

    `held[k]`: documents that hold k of them, from 1 on.
    """

    documents: int
    parts: int
    count: int
    holders: int
    held: NDArray[np.int64]

    @property
    def rate(self) -> float:
        """Unknown parts a part. A few documents that are no lists may hold many: where few hold any, it is the rate
        that explains how many hold none.
        """
        if not self.parts:
            return 1.0
        rate = self.count / self.parts
        share = self.holders / self.documents
        if share > FEW_HOLDERS:
            return rate
        return float(min(rate, 1 - (1 - share) ** (self.documents / self.parts)))

    @property
    def usual(self) -> int:
        """The most unknown parts that are still usual in one document, by how many documents hold so many."""
        enough = max(1.0, USUAL_SHARE * self.documents)
        at_least = np.cumsum(self.held[::-1])[::-1]
        return int(np.flatnonzero(at_least >= enough).max(initial=0))


class PartCounts:
    """Parts between the first and the last separator of each list, which belong to no sentence around it.

    `add` takes the inner parts of many documents. Parts dropped to save memory were seen once when they were dropped.
    """

    def __init__(self, most: int = MOST_PARTS) -> None:
        self.documents = 0
        self.dropped = 0
        self.dropped_from = 0
        self._most = most
        self._numbers: defaultdict[str, int] = defaultdict(count().__next__)
        self._seen = np.zeros(0, dtype=np.int64)
        self._first = np.zeros(0, dtype=np.int64)  # document of the first occurrence
        self._after = _Neighbours()
        self._before = _Neighbours()
        self._from_start = _Neighbours()  # places in the list, counted from either end, in the part of neighbours
        self._from_end = _Neighbours()

    def add(self, lists: Sequence[Sequence[str]]) -> None:
        """Count the inner parts of some documents, one sequence each."""
        flat = [part for parts in lists for part in parts]
        lengths = np.fromiter(map(len, lists), dtype=np.int64, count=len(lists))
        number = np.fromiter(map(self._numbers.__getitem__, flat), dtype=np.int64, count=len(flat))
        document = np.repeat(np.arange(self.documents, self.documents + len(lists)), lengths)
        self.documents += len(lists)
        self._grow(len(self._numbers))
        np.add.at(self._seen, number, 1)
        fresh = self._first[number] < 0
        self._first[number[fresh]] = document[fresh]
        together = document[:-1] == document[1:]
        left, right = number[:-1][together], number[1:][together]
        self._after.add(left, right)
        self._before.add(right, left)
        place = np.arange(len(flat)) - np.repeat(np.cumsum(lengths) - lengths, lengths)
        self._from_start.add(number, place)
        self._from_end.add(number, np.repeat(lengths, lengths) - place)
        if len(self._numbers) > self._most:
            self._drop_singles()

    def counts(self) -> dict[str, int]:
        """Part → how often it occurs."""
        return dict(zip(self._numbers, self._seen[: len(self._numbers)].tolist(), strict=True))

    def unknown(self, edges: Mapping[str, int], holders: Mapping[str, int]) -> Unknown:
        """Of the parts that occur once in all. `edges`: first and last items with their counts; `holders`: of those the
        document of one occurrence, where that is known.
        """
        size = len(self._numbers)
        once = np.fromiter((name not in edges for name in self._numbers), dtype=np.bool_, count=size)
        once &= self._seen[:size] == 1
        outer = [part for part, times in edges.items() if times == 1 and part not in self._numbers]
        outer_documents = [holders[part] for part in outer if part in holders]
        held = np.bincount(np.concatenate([self._first[:size][once], np.array(outer_documents, dtype=np.int64)]))
        return Unknown(
            self.documents,
            self.dropped + int(self._seen.sum()) + sum(edges.values()),
            self.dropped + int(once.sum()) + len(outer),
            self.dropped_from + int(np.count_nonzero(held)),
            np.bincount(held[held > 0], minlength=1),
        )

    def stuck(self) -> list[tuple[str, ...]]:
        """Parts that only ever stand next to one another, often enough, in company that changes."""
        names = list(self._numbers)
        after, before = self._after, self._before
        follows: dict[int, int] = {}
        size = len(names)
        enough = np.maximum(STUCK, STUCK_SHARE * self._seen[:size])
        for left in np.flatnonzero(after.one[:size] & (after.times[:size] >= enough)).tolist():
            right = int(after.which[left])
            both = before.one[right] and before.which[right] == left and left != right
            if both and before.times[right] >= enough[right]:
                follows[left] = right
        chains = []
        for begin in follows.keys() - set(follows.values()):
            chain = [begin]
            while chain[-1] in follows:
                chain.append(follows[chain[-1]])
            # lists that were copied hold each part beside the same neighbours: those are no items
            if before.varied[begin] and after.varied[chain[-1]]:
                chains.append(tuple(names[number] for number in chain))
        return sorted(chains)

    def fixed(self) -> list[str]:
        """Parts that always stand in the same place of the list, where that is rare: they belong to a sentence."""
        size = len(self._numbers)
        often = self._seen[:size] >= FIXED
        from_start = self._from_start.one[:size] & (self._from_start.which[:size] >= INSIDE)
        from_end = self._from_end.one[:size] & (self._from_end.which[:size] > INSIDE)
        still = often & (from_start | from_end)
        if still.sum() > max(1.0, FIXED_SHARE * often.sum()):
            return []
        return [name for name, is_fixed in zip(self._numbers, still.tolist(), strict=True) if is_fixed]

    def _grow(self, size: int) -> None:
        missing = size - len(self._seen)
        if missing > 0:
            extra = max(missing, len(self._seen))
            self._seen = np.concatenate([self._seen, np.zeros(extra, dtype=np.int64)])
            self._first = np.concatenate([self._first, np.full(extra, -1, dtype=np.int64)])
            self._after.grow(extra)
            self._before.grow(extra)
            self._from_start.grow(extra)
            self._from_end.grow(extra)

    def _drop_singles(self) -> None:
        size = len(self._numbers)
        kept = self._seen[:size] > 1
        if kept.all():
            return
        self.dropped_from += len(np.unique(self._first[:size][~kept]))
        self.dropped += int((~kept).sum())
        renumbered = np.where(kept, np.cumsum(kept) - 1, -1)
        names = [name for name, keep in zip(self._numbers, kept.tolist(), strict=True) if keep]
        self._numbers = defaultdict(count(len(names)).__next__, zip(names, range(len(names)), strict=True))
        self._seen, self._first = self._seen[:size][kept], self._first[:size][kept]
        self._after.keep(kept, renumbered)
        self._before.keep(kept, renumbered)
        self._from_start.keep(kept, None)
        self._from_end.keep(kept, None)


class _Neighbours:
    """Of each part, the neighbour on one side, and whether it is always the same."""

    def __init__(self) -> None:
        self.which: NDArray[np.int64] = np.zeros(0, dtype=np.int64)
        self.times: NDArray[np.int64] = np.zeros(0, dtype=np.int64)
        self.varied: NDArray[np.bool_] = np.zeros(0, dtype=np.bool_)

    @property
    def one(self) -> NDArray[np.bool_]:
        return ~self.varied & (self.which >= 0)

    def grow(self, extra: int) -> None:
        self.which = np.concatenate([self.which, np.full(extra, -1, dtype=np.int64)])
        self.times = np.concatenate([self.times, np.zeros(extra, dtype=np.int64)])
        self.varied = np.concatenate([self.varied, np.zeros(extra, dtype=np.bool_)])

    def add(self, part: NDArray[np.int64], neighbour: NDArray[np.int64]) -> None:
        fresh = self.which[part] == -1
        self.which[part[fresh]] = neighbour[fresh]
        np.add.at(self.times, part, 1)
        self.varied[part[self.which[part] != neighbour]] = True

    def keep(self, kept: NDArray[np.bool_], renumbered: NDArray[np.int64] | None) -> None:
        size = len(kept)
        which = self.which[:size][kept]
        if renumbered is None:
            self.which, self.times, self.varied = which, self.times[:size][kept], self.varied[:size][kept]
            return
        gone = (which >= 0) & (renumbered[which] < 0)
        self.varied = self.varied[:size][kept] | gone
        self.which = np.where(which >= 0, renumbered[which], -1)
        self.times = self.times[:size][kept]
