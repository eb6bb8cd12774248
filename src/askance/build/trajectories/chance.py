"""What a random ranking gets on each tier: the exact mean, and the range that 95 % of random rankings fall into."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from askance.core.estimate import Estimate
from askance.data.collection import Collection
from askance.measure.chance import chance
from askance.measure.judged import candidate_counts
from askance.measure.measures import Measure
from askance.measure.nulls import poisson_binomial

CUTOFFS = (1, 5, 10)

_TAILS = (0.025, 0.975)
_METHOD = "exact: hypergeometric chance of each query; low and high hold 95 % of random rankings, Poisson-binomial"


def chances(collection: Collection) -> Iterator[tuple[str, str, Estimate]]:
    """(tier, measure, chance) for Hit@1, Hit@5 and Hit@10, over the queries that have gold in the tier."""
    excluded = collection.excluded
    sizes = candidate_counts(len(collection.documents), len(collection.queries), excluded)
    for tier in collection.tiers.values():
        gold = tier.judgments.gold_counts(tier.threshold)
        held = gold > 0
        without = int(np.count_nonzero(~held))
        for k in CUTOFFS:
            measure = Measure("Hit", k)
            each = chance(measure, sizes[held], gold[held])
            assert not isinstance(each, str)  # sizes are known and Hit has a closed form
            below = np.cumsum(poisson_binomial(each))
            low, high = (int(np.searchsorted(below, tail - 1e-12)) / len(each) for tail in _TAILS)
            left_out = {"queries without gold": without} if without else {}
            estimate = Estimate(float(each.mean()), low, high, len(each), _METHOD, left_out)
            yield tier.name, str(measure), estimate
