"""The mean of a measure when every ranking is random, and where an observed mean stands against it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from math import exp, log
from typing import Literal

import numpy as np

from askance.measure.binomial import binomial_pmf
from askance.measure.judged import Values

Verdict = Literal["below", "at", "above"]

LEVEL = 0.05

_NEGLIGIBLE = 1e-290
_ROUNDING = 1e-12
_LEAST_DRAWN = 0.001  # what two thousand draws could say at least

BOUND = "at most this, two-sided, by Hoeffding's bound for random rankings of every query; the expectation is exact"


@dataclass(frozen=True, slots=True)
class Chance:
    """What a random ranking gets on average, and where the system stands.

    `expected`: mean over the queries that have gold; None where it cannot be known, and then `method` says why. `p`:
    two-sided. `verdict` at the 5 % level; None where there is no p.
    """

    expected: float | None
    p: float | None
    verdict: Verdict | None
    method: str


@dataclass(frozen=True, eq=False)
class Null:
    """The mean of a measure over the queries that have gold, when every ranking is random.

    This one is unknown, and `method` says why. Make it once per measure, tier and subset: every system without ties is
    held against the same.
    """

    expected: float | None
    method: str

    def place(self, mean: float) -> Chance:
        """Where this mean stands: two-sided p = min(1, 2 · min(P(≤), P(≥)))."""
        return Chance(None, None, None, self.method)

    def _placed(self, low: float, high: float, method: str) -> Chance:
        p = min(1.0, max(2.0 * min(low, high), _NEGLIGIBLE))  # what is too small for a float is not 0
        verdict: Verdict = "at" if p > LEVEL else "below" if low < high else "above"
        return Chance(self.expected, p, verdict, method)


@dataclass(frozen=True, eq=False)
class ExactNull(Null):
    """`weight` float64 [n + 1]: the probability of 0/n, 1/n … n/n."""

    weight: Values

    def place(self, mean: float) -> Chance:
        """Where this share stands, by summing probabilities."""
        support = np.arange(len(self.weight)) / max(len(self.weight) - 1, 1)
        low = float(self.weight[support <= mean + _ROUNDING].sum())
        high = float(self.weight[support >= mean - _ROUNDING].sum())
        return self._placed(low, high, self.method)


@dataclass(frozen=True, eq=False)
class DrawnNull(Null):
    """A mean of `queries` independent values within 0 and 1; `draw` gives means of random rankings.

    They are drawn only where they are needed: a mean so far from `expected` that two thousand draws would not come near
    it is placed by Hoeffding's bound, where the expectation is `exact`.
    """

    queries: int
    draw: Callable[[], Values]
    exact: bool

    @cached_property
    def support(self) -> Values:
        """The drawn means, ascending [draws]."""
        return np.sort(self.draw())

    def place(self, mean: float) -> Chance:
        """Where this mean stands; tails of drawn means count it as one of them (+1)."""
        if self.exact and self.expected is not None:
            tail = hoeffding(self.expected, mean, self.queries)
            if 2.0 * tail < _LEAST_DRAWN:
                low, high = (tail, 1.0) if mean < self.expected else (1.0, tail)
                return self._placed(low, high, BOUND)
        draws = len(self.support)
        low = (float((self.support <= mean + _ROUNDING).sum()) + 1.0) / (draws + 1.0)
        high = (float((self.support >= mean - _ROUNDING).sum()) + 1.0) / (draws + 1.0)
        return self._placed(low, high, f"{draws:,} {self.method}")


def exact_null(chances: Values) -> ExactNull:
    """The distribution of a share of hits, from each query's chance of a hit [queries], at least one."""
    method = "exact: hypergeometric chance of each query, Poisson-binomial, two-sided"
    return ExactNull(float(chances.mean()), method, poisson_binomial(chances))


def poisson_binomial(chances: Values) -> Values:
    """P(h hits) for h = 0 … n, of n independent queries with these chances of a hit; float64 [n + 1].

    Equal chances are one binomial; the binomials are convolved. Only positive terms are added, so that the tails are
    right to about 1e-12, relative; what is below 1e-290 counts as 0.
    """
    first, pmf = 0, np.ones(1)
    for chance_of_hit, queries in zip(*np.unique(chances, return_counts=True), strict=True):
        one = binomial_pmf(int(queries), float(chance_of_hit))
        there = np.flatnonzero(one > _NEGLIGIBLE)
        first += int(there[0])
        pmf = np.convolve(pmf, one[there[0] : there[-1] + 1])
        there = np.flatnonzero(pmf > _NEGLIGIBLE)
        first += int(there[0])
        pmf = pmf[there[0] : there[-1] + 1]
    out = np.zeros(len(chances) + 1)
    out[first : first + len(pmf)] = pmf
    return out


def hoeffding(expected: float, mean: float, n: int) -> float:
    """A bound on the chance that the mean of n independent values within 0 and 1 lies as far out as `mean`.

    exp(−n · [m log(m/μ) + (1 − m) log((1 − m)/(1 − μ))]), for the tail on which m lies; the values need not have equal
    distributions (Hoeffding 1963, theorem 1).
    """
    divergence = 0.0
    for observed, wanted in ((mean, expected), (1.0 - mean, 1.0 - expected)):
        if observed <= 0.0:
            continue
        if wanted <= 0.0:
            return 0.0
        divergence += observed * log(observed / wanted)
    return exp(-n * max(divergence, 0.0))
