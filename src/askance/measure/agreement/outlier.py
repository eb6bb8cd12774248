"""Which label set stands apart: the one that agrees with the others far less than they do with each other.

A set's standing is its mean kappa with the others. It stands apart where that lies below the lower fence of the
others, Q1 − 1.5 · (Q3 − Q1) of their own means without it (Tukey 1977), and the interval of the distance does not
reach 0. Of three sets the fence is the kappa of the other two. Every large sample tells the lowest set from the second
lowest; being lowest is therefore not enough.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from askance.core.estimate import Estimate
from askance.measure.agreement.pairwise import Pairwise
from askance.measure.agreement.resampling import Resampling, estimate_of
from askance.measure.judged import Values

FEWEST = 3

_FENCE = 1.5


@dataclass(frozen=True)
class Standing:
    """How a set stands among the others.

    `with_others`: mean kappa with each of them. `below_fence`: how far that lies below the fence of the others, above
    0 where it does. `stands_apart`: the whole interval of `below_fence` lies above 0.
    """

    with_others: Estimate
    below_fence: Estimate

    @property
    def stands_apart(self) -> bool:
        return self.below_fence.low is not None and self.below_fence.low > 0


def standings(pairwise: Pairwise, labelled: Sequence[int], resampling: Resampling) -> list[Standing]:
    """One per set, in order. `labelled`: how many items each set labels. Fewer than three sets have no outlier."""
    sets = len(labelled)
    means, drawn_means = _means(pairwise.whole), _means(pairwise.drawn)
    short, drawn_short = _below_fence(pairwise.whole), _below_fence(pairwise.drawn)
    found = []
    for at, n in enumerate(labelled):
        with_others = _estimate(
            float(means[at]), drawn_means[:, at], n, pairwise.units, resampling, "no kappa with another set is defined"
        )
        below = (
            Estimate.undefined("of fewer than three label sets none stands apart", n=n)
            if sets < FEWEST
            else _estimate(
                float(short[at]), drawn_short[:, at], n, pairwise.units, resampling, "too few kappas are defined"
            )
        )
        found.append(Standing(with_others, below))
    return found


def _estimate(value: float, drawn: Values, n: int, units: int, resampling: Resampling, undefined: str) -> Estimate:
    if not np.isfinite(value):
        return Estimate.undefined(undefined, n=n)
    return estimate_of(value, drawn, n, units, resampling, {})


def _means(kappas: Values) -> Values:
    """Mean kappa of each set with the others [..., sets]; undefined kappas and its own are left out."""
    there = np.isfinite(kappas)
    counts = there.sum(axis=-1)
    sums = np.where(there, kappas, 0.0).sum(axis=-1)
    means: Values = np.divide(sums, counts, out=np.full(sums.shape, np.nan), where=counts > 0)
    return means


def _below_fence(kappas: Values) -> Values:
    """How far each set's mean kappa lies below the fence of the others [..., sets]."""
    sets = kappas.shape[-1]
    means = _means(kappas)
    distance = np.full(means.shape, np.nan)
    for at in range(sets if sets >= FEWEST else 0):
        others = np.delete(np.arange(sets), at)
        of_others = _means(kappas[..., others[:, None], others])
        low, high = np.quantile(of_others, (0.25, 0.75), axis=-1)
        distance[..., at] = low - _FENCE * (high - low) - means[..., at]
    return distance
