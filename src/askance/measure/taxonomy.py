"""What stands at rank 1 instead of gold, and whether it reads closer to the query than gold does."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from askance.core.estimate import Estimate
from askance.data.collection import OTHER, Excluded, Roles, Tier
from askance.data.run import Run
from askance.measure.closeness import Compared
from askance.measure.intervals import proportion
from askance.measure.judged import Mask, gold_of
from askance.measure.misses import Misses, misses


@dataclass(frozen=True, slots=True)
class Winners:
    """How many misses have a document of this role (its name) at rank 1, and which share of the misses that is."""

    role: str
    count: int
    share: Estimate


@dataclass(frozen=True, slots=True)
class Taxonomy:
    """Rank-1 failures by role: every role of the collection, those with none too, in its order.

    `misses`: queries that have gold, and something else at rank 1; the counts of `winners` add up to it. `empty`:
    queries that have gold and an empty list, not among the misses. `lexically_closer`: share of the misses whose
    winner reads closer to the query than the closest gold document does.
    """

    misses: int
    empty: int
    winners: tuple[Winners, ...]
    lexically_closer: Estimate


def taxonomy(
    run: Run,
    tier: Tier,
    roles: Roles | None,
    compared: Compared,
    *,
    excluded: Excluded | None = None,
    mask: Mask | None = None,
) -> Taxonomy:
    """Rank-1 failures of a run under a tier, among the queries of `mask` [queries] (None: all)."""
    missed = misses(run, tier, roles, excluded=excluded, mask=mask)
    names = [role.name for role in missed.roles]
    every = (OTHER,) if roles is None else roles.every
    winners = tuple(
        Winners(role.name, names.count(role.name), proportion(names.count(role.name), len(missed))) for role in every
    )
    return Taxonomy(len(missed), missed.empty, winners, _lexically_closer(missed, tier, compared, excluded))


def _lexically_closer(missed: Misses, tier: Tier, compared: Compared, excluded: Excluded | None) -> Estimate:
    closer = ties = 0
    for query, winner in zip(missed.query.tolist(), missed.winner.tolist(), strict=True):
        gold = gold_of(tier.judgments, query, tier.threshold, excluded)
        scores = compared.scores(query, np.append(winner, gold))
        closest = scores[1:].max()
        closer += int(scores[0] > closest)
        ties += int(scores[0] == closest)
    share = proportion(closer, len(missed))
    said = f"; {ties} ties with the closest gold document count as not closer" if ties else ""
    return Estimate(share.value, share.low, share.high, share.n, share.method + said, share.left_out)
