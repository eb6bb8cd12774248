"""Queries that have gold and whose rank 1 is not gold."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from askance.data.collection import OTHER, Excluded, Role, Roles, Tier
from askance.data.run import Run
from askance.measure.judged import Counts, Mask, judge
from askance.measure.measures import Measure

_HIT = Measure("Hit", 1)


@dataclass(frozen=True, eq=False)
class Misses:
    """`query` int64 [misses] ascending, `winner` int64 [misses]: the document at rank 1; positions.

    `roles`: what each winner is to its query. `empty`: queries that have gold and whose list is empty; they have no
    winner and are not among the misses.
    """

    query: Counts
    winner: Counts
    roles: tuple[Role, ...]
    empty: int

    def __len__(self) -> int:
        return len(self.query)


def misses(
    run: Run, tier: Tier, roles: Roles | None = None, *, excluded: Excluded | None = None, mask: Mask | None = None
) -> Misses:
    """The misses of a run under a tier, among the queries of `mask` [queries] (None: all)."""
    first = run.top(1)
    judged = judge(first, tier.judgments, tier.threshold, excluded)
    failed = judged.with_gold & (_HIT.compute(judged) == 0)
    if mask is not None:
        failed &= mask
    there = judged.listed > 0
    query = np.flatnonzero(failed & there)
    winner = first.matrix(1)[query, 0].astype(np.int64)
    found = (OTHER,) * len(query) if roles is None else tuple(roles.at(query, winner, len(run.documents)))
    return Misses(query, winner, found, int((failed & ~there).sum()))
