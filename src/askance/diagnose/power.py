"""Whether so many queries can show the difference one looks for: the least difference of Hit@1 that they find.

Two systems on the same n queries, McNemar's exact test, two-sided at 5 %. A share d of the queries is discordant (one
system hits, the other misses), the true difference is δ ≤ d: each query is gained with the chance (d + δ)/2 and lost
with (d − δ)/2. The power is exact, no approximation and no draws:

    P(found) = Σₘ Binomial(m; n, d) · [ P(X ≤ k) + P(X ≥ m − k) ],   X ~ Binomial(m, (d + δ)/2d),

k the most on the smaller side of m discordant queries with which the test rejects, 2 · P(Binomial(m, ½) ≤ k) ≤ .05.
The least δ is the one whose power is 80 %. A difference of δ takes a share δ of discordant queries at least: where that
is more than d, the easiest case is taken, d = δ, one system ahead on every discordant query. Then the test finds it
with six of them, and P(found) = P(Binomial(n, δ) ≥ 6). Fewer than six queries never reach 5 %: 2 · ½ⁿ is more.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from askance.core.estimate import Estimate
from askance.diagnose.case import Case, System
from askance.diagnose.standing import gold_ranks
from askance.measure.binomial import binomial_pmf
from askance.measure.intervals import proportion
from askance.measure.judged import Counts, Values

LEVEL, POWER = 0.05, 0.8
LOOKED_FOR = 0.05
FEWEST = 6  # queries, all won by one system, with which the test reaches 5 %

_HALVINGS = 30
_NEGLIGIBLE = 1e-15  # chance of a number of discordant queries
_SCANNED = 5_000  # queries up to which every number is tried; beyond, power rises as good as steadily


@dataclass(frozen=True, slots=True)
class Detectable:
    """The least difference of Hit@1 found by these queries between two systems.

    `other` "": no second system is there, and two that hit independently of each other are assumed. `discordant`:
    share of queries on which just one hits. `least`: undefined where there are fewer than six queries. `needed`: the
    fewest queries that find the difference looked for, as all larger numbers do; None where more than a million.
    """

    system: str
    label: str
    other: str
    discordant: float
    least: Estimate
    looked_for: float
    needed: int | None

    @property
    def enough(self) -> bool:
        """Whether the least difference is at most the one looked for."""
        return self.least.value is not None and self.least.value <= self.looked_for

    @property
    def easiest(self) -> bool:
        """Whether fewer queries are discordant than the least difference takes, so that the easiest case was taken."""
        return self.least.value is not None and self.discordant < self.least.value


def detectable(case: Case, first: System, second: System | None, looked_for: float = LOOKED_FOR) -> Detectable | None:
    """None where no query has gold."""
    ranks = gold_ranks(case, first.run)
    mask = case.mask & (ranks >= 0)
    n = int(mask.sum())
    if n == 0:
        return None
    hit = (ranks == 1)[mask]
    if second is not None:
        share = proportion(int((hit != (gold_ranks(case, second.run) == 1)[mask]).sum()), n)
        how = f"discordance as between {first.label} and {second.label}"
    else:
        share = _of_independent(proportion(int(hit.sum()), n))
        how = "discordance of two systems that hit independently of each other at this rate"
    d = share.value or 0.0
    if n < FEWEST:
        least = Estimate.undefined(f"{n} queries never reach 5 %: 2 · ½ⁿ is {2 * 0.5**n:g}", n=n)
    else:
        value, *ends = (least_found(n, one or 0.0) for one in (d, share.low, share.high))
        low, high = min(value, *ends), max(value, *ends)  # of few queries, more discordance may make it easier
        method = (
            f"exact power of McNemar's test, two-sided at 5 %, power 80 %; {how}; interval from that of the discordance"
        )
        least = Estimate(value, low, high, n, method)
    other = second.label if second is not None else ""
    return Detectable(first.name, first.label, other, d, least, looked_for, queries_needed(looked_for, d))


def _of_independent(rate: Estimate) -> Estimate:
    """Discordance of two systems that hit at this rate and independently: 2p(1 − p), ½ at the most."""
    p, low, high = (one or 0.0 for one in (rate.value, rate.low, rate.high))
    ends = [2 * one * (1 - one) for one in (low, p, high)]
    top = 0.5 if low <= 0.5 <= high else max(ends)
    return Estimate(2 * p * (1 - p), min(ends), top, rate.n, rate.method)


@lru_cache(maxsize=512)
def least_found(n: int, discordant: float) -> float:
    """The least true difference that `n` ≥ 6 queries find in 80 of 100 samples; 1 for fewer, which find none."""
    low, high = 0.0, 1.0
    if n < FEWEST:
        return 1.0
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        low, high = (low, middle) if power(n, discordant, middle) >= POWER else (middle, high)
    return high


@lru_cache(maxsize=128)
def queries_needed(difference: float, discordant: float, most: int = 1_000_000) -> int | None:
    """The fewest queries that find this difference, as every larger number does; None where more than `most`.

    Power does not rise with every query, since the test's limit moves in steps: the last number of queries that misses
    it is looked for. Beyond 5,000 it is found to one in a thousand.
    """
    high = 16
    while power(high, discordant, difference) < POWER:
        if high >= most:
            return None
        high = min(2 * high, most)
    low = high // 2
    while high - low > max(1, high // 1000 if high > _SCANNED else 1):
        middle = (low + high) // 2
        low, high = (low, middle) if power(middle, discordant, difference) >= POWER else (middle, high)
    if high > _SCANNED:
        return high
    for n in range(high + high // 4 + 20, 0, -1):
        if power(n, discordant, difference) < POWER:
            return n + 1
    return 1


def power(n: int, discordant: float, difference: float) -> float:
    """The chance that the test finds `difference` where a share `discordant` of `n` queries (at least it) differs."""
    share = max(discordant, difference)
    if share <= 0:
        return 0.0
    counts = binomial_pmf(n, share)
    numbers = np.flatnonzero(counts > _NEGLIGIBLE)
    return float(counts[numbers] @ _rejects(numbers, (share + difference) / (2 * share)))


def _rejects(numbers: Counts, gained: float) -> Values:
    """The chance that the test rejects with so many discordant queries, each gained with the chance `gained`."""
    from scipy.special import bdtr, bdtrc

    limits = _limits(int(numbers[0]), int(numbers[-1]))[numbers - numbers[0]]
    found = np.zeros(len(numbers))
    some = limits >= 0
    k, m = limits[some], numbers[some]
    found[some] = bdtr(k, m, gained) + bdtrc(m - k - 1, m, gained)
    return found


@lru_cache(maxsize=256)
def _limits(first: int, last: int) -> Counts:
    """For `first` … `last` discordant queries, the most on the smaller side with which the test rejects; −1: never."""
    from scipy.special import bdtr

    m = np.arange(first, last + 1)
    found = np.maximum(np.floor(m / 2 - 0.98 * np.sqrt(m)).astype(np.int64) - 2, -1)  # near, and not above
    while True:
        found[(found >= 0) & (2.0 * bdtr(np.maximum(found, 0), m, 0.5) > LEVEL)] -= 1
        more = (2 * (found + 1) < m) & (2.0 * bdtr(np.minimum(found + 1, m), m, 0.5) <= LEVEL)
        if not more.any():
            return found
        found[more] += 1
