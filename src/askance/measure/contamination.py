"""Do queries that a model may have met in training do better than the rest? Two groups of queries, several times over.

Per cell the difference of both shares with its interval, and Fisher's exact p, two-sided; Holm's correction over all
cells that were looked at, since the best of several is bound to look good.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from askance.core.errors import BadInput
from askance.core.estimate import Estimate
from askance.measure.bootstrap import Resampled
from askance.measure.compare.corrections import holm
from askance.measure.intervals import clopper_pearson

LEVEL = 0.05

_ALIKE = 1e-9  # tables whose probabilities differ by less, relative, are as likely


@dataclass(frozen=True, slots=True)
class TwoGroups:
    """Hits among the queries that may be known, and among the rest; both groups hold at least one query."""

    hits: int
    n: int
    rest_hits: int
    rest_n: int

    def __post_init__(self) -> None:
        for hits, n in ((self.hits, self.n), (self.rest_hits, self.rest_n)):
            if not 0 <= hits <= n or n == 0:
                raise BadInput(f"{hits} hits of {n} queries are no share", remedy="Count hits from 0 to n, n from 1.")


@dataclass(frozen=True, slots=True)
class Contamination:
    """One cell: the difference (first group less the rest), Fisher's p, and the p that Holm's correction makes of it.

    `established`: the corrected p is at most 5 %.
    """

    groups: TwoGroups
    gap: Estimate
    p: float
    corrected: float

    @property
    def established(self) -> bool:
        return self.corrected <= LEVEL


def contamination(cells: Sequence[TwoGroups]) -> tuple[Contamination, ...]:
    """Every cell, corrected for all of them."""
    p = [fisher(cell) for cell in cells]
    return tuple(
        Contamination(cell, difference(cell), before, 1.0 if after is None else after)
        for cell, before, after in zip(cells, p, holm(p), strict=True)
    )


def difference(groups: TwoGroups) -> Estimate:
    """Share of hits in the first group less that in the rest, each resampled by itself, computed without resampling.

    Where neither group varies, resamples are all alike; then the ends are as far apart as Clopper-Pearson's intervals
    of the two shares allow.
    """
    value = groups.hits / groups.n - groups.rest_hits / groups.rest_n
    n = groups.n + groups.rest_n
    if all(hits in (0, size) for hits, size in _rows(groups)):
        (low, high), (rest_low, rest_high) = (clopper_pearson(hits, size) for hits, size in _rows(groups))
        method = "Clopper-Pearson of both shares: the percentile interval is a point where neither group varies"
        return Estimate(value, low - rest_high, high - rest_low, n, method)
    low, high = _resampled(groups).interval()
    method = f"percentile bootstrap of {groups.n} and of {groups.rest_n} queries, computed without resampling"
    return Estimate(value, low, high, n, method)


def fisher(groups: TwoGroups) -> float:
    """Fisher's exact p, two-sided: all tables with these margins that are no likelier than the one found (1935)."""
    from scipy.stats import hypergeom

    hits = groups.hits + groups.rest_hits
    possible = np.arange(max(0, hits - groups.rest_n), min(hits, groups.n) + 1)
    chances = hypergeom.pmf(possible, groups.n + groups.rest_n, hits, groups.n)
    found = chances[groups.hits - possible[0]]
    return min(1.0, float(chances[chances <= found * (1 + _ALIKE)].sum()))


def _resampled(groups: TwoGroups) -> Resampled:
    """The distribution of the difference: both counts are binomial, and independent."""
    from scipy.stats import binom

    first, rest = ((np.arange(n + 1) / n, binom.pmf(np.arange(n + 1), n, hits / n)) for hits, n in _rows(groups))
    values = (first[0][:, None] - rest[0][None, :]).ravel()
    chances = (first[1][:, None] * rest[1][None, :]).ravel()
    order = np.argsort(values, kind="stable")
    return Resampled(values[order], chances[order])


def _rows(groups: TwoGroups) -> tuple[tuple[int, int], tuple[int, int]]:
    return (groups.hits, groups.n), (groups.rest_hits, groups.rest_n)
