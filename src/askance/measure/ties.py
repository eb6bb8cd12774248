"""Ties: documents of one list that the system gave one score, so that nothing says which stands first."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from askance.core.errors import DataProblem
from askance.data.rows import Offsets, frozen, offsets_of, owner_of
from askance.data.run import Run
from askance.measure.per_query import taken

Counts = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Ties:
    """Where two or more neighbours share a score, by query and rank.

    Those of query q are `offsets[q]:offsets[q + 1]`; `before` int64 [ties]: how many ranks precede the tie; `size`
    int64 [ties]: how many documents share it, at least 2.
    """

    offsets: Offsets
    before: Counts
    size: Counts

    def __len__(self) -> int:
        """How many ties."""
        return len(self.before)

    def take(self, queries: Counts) -> Ties:
        """The ties of these queries (positions, repeats allowed), in this order."""
        offsets, flat = taken(self.offsets, queries)
        return Ties(frozen(offsets), frozen(self.before[flat]), frozen(self.size[flat]))

    def split_at(self, k: int) -> bool:
        """Whether any tie stands on both sides of a cut after rank k."""
        return bool((self.reach(k) > k).any())

    def reach(self, k: int) -> Counts:
        """The last rank of the tie that stands on both sides of a cut after rank k, per query; k where none does."""
        split = (self.before < k) & (k < self.before + self.size)
        reach = np.full(len(self.offsets) - 1, k)
        reach[owner_of(self.offsets)[split]] = (self.before + self.size)[split]
        return reach


def ties_of(run: Run, score: NDArray[np.floating] | None = None) -> Ties | None:
    """The ties of a run whose lists are ordered by score; None where it has none.

    `score` [rows] stands in for the run's own, e.g. in another precision. DataProblem where the scores of a list rise:
    equal scores further apart would be overlooked.
    """
    score = run.score if score is None else score
    first = run.offsets[:-1][np.diff(run.offsets) > 0]
    same = score[1:] == score[:-1]
    rises = score[1:] > score[:-1]
    same[first[1:] - 1] = False
    rises[first[1:] - 1] = False
    if rises.any():
        query_at = int(np.searchsorted(run.offsets, np.flatnonzero(rises)[0], side="right")) - 1
        raise DataProblem(
            f"run {run.name!r}: the scores of query {run.queries[query_at]!r} rise along its list, "
            "so that its ties cannot be told",
            remedy="Order the lists by score, or take their order as it is.",
        )
    if not same.any():
        return None
    begins = np.flatnonzero(same & ~np.concatenate(([False], same[:-1])))
    ends = np.flatnonzero(same & ~np.concatenate((same[1:], [False])))
    query = np.searchsorted(run.offsets, begins, side="right") - 1
    return Ties(
        frozen(offsets_of(np.bincount(query, minlength=len(run.queries)))),
        frozen(begins - run.offsets[query]),
        frozen(ends - begins + 2),
    )


def tied_share(run: Run, first: int) -> float:
    """Share of the first `first` places of all lists that have the score of a neighbour in the list; 0 of none."""
    if not len(run):
        return 0.0
    rank = np.arange(first + 1)  # the last one may be tied with the one behind it
    listed = np.diff(run.offsets)[:, None]
    score = run.score[np.minimum(run.offsets[:-1, None] + rank, len(run) - 1)]
    same = (score[:, 1:] == score[:, :-1]) & (rank[1:] < listed)
    tied = same.copy()
    tied[:, 1:] |= same[:, :-1]
    return float(tied[rank[:-1] < listed].mean())
