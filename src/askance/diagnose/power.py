"""Whether so many queries can show the difference one looks for: the least difference of Hit@1 that they find.

Two systems on the same n queries, McNemar's exact test, two-sided at 5 %. A share d of the queries is discordant (one
system hits, the other misses), the true difference is δ: each query is gained with the chance (d + δ)/2 and lost with
(d − δ)/2. The power is exact: the sum over all numbers of discordant queries, Binomial(n, d), of the chance that the
gained among them, Binomial(·, (d + δ)/2d), reach the test's limit. The least δ whose power is 80 %; where δ exceeds d,
every discordant query is gained and d is δ.
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

LEVEL, POWER = 0.05, 0.8
LOOKED_FOR = 0.05

_HALVINGS = 12
_NEGLIGIBLE = 1e-9


@dataclass(frozen=True, slots=True)
class Detectable:
    """The least difference of Hit@1 found by these queries between two systems.

    `other` "": no second system is there, and two that hit independently of each other are assumed. `discordant`:
    share of queries on which just one hits. `enough`: it is at most the difference looked for. `needed`: how many
    queries find that one, None where more than a million.
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
        return self.least.value is not None and self.least.value <= self.looked_for


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
        p = float(hit.mean())
        known = proportion(int(hit.sum()), n)
        ends = [2 * one * (1 - one) for one in (known.low or 0.0, p, known.high or 0.0)]
        top = 0.5 if (known.low or 0.0) <= 0.5 <= (known.high or 0.0) else max(ends)
        share = Estimate(2 * p * (1 - p), min(ends), top, n, known.method)
        how = "discordance of two systems that hit independently of each other at this rate"
    d = share.value or 0.0
    value, low, high = (least_found(n, one or 0.0) for one in (d, share.low, share.high))
    method = (
        f"exact power of McNemar's test, two-sided at 5 %, power 80 %; {how}; interval from that of the discordance"
    )
    least = Estimate(value, low, high, n, method)
    other = second.label if second is not None else ""
    return Detectable(first.name, first.label, other, d, least, looked_for, queries_needed(looked_for, d))


@lru_cache(maxsize=512)
def least_found(n: int, discordant: float) -> float:
    """The least true difference that `n` queries find in 80 of 100 samples; 1 where not even that is found."""
    low, high = 0.0, 1.0
    if power(n, discordant, 1.0) < POWER:
        return 1.0
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        low, high = (low, middle) if power(n, discordant, middle) >= POWER else (middle, high)
    return high


@lru_cache(maxsize=128)
def queries_needed(difference: float, discordant: float, most: int = 1_000_000) -> int | None:
    """How many queries find this difference, to about one in a hundred; None where more than `most`."""
    low, high = 1, 16
    while power(high, discordant, difference) < POWER:
        low, high = high, high * 2
        if high > most:
            return None
    while high - low > max(1, high // 100):
        middle = (low + high) // 2
        low, high = (low, middle) if power(middle, discordant, difference) >= POWER else (middle, high)
    return high


def power(n: int, discordant: float, difference: float) -> float:
    """The chance that the test finds `difference` where a share `discordant` of `n` queries (at least it) differs."""
    share = max(discordant, difference)
    if share <= 0:
        return 0.0
    gained = (share + difference) / (2 * share)
    counts = binomial_pmf(n, share)
    total = 0.0
    for number in np.flatnonzero(counts > _NEGLIGIBLE).tolist():
        limit = _limit(number)
        if limit >= 0:
            of_them = binomial_pmf(number, gained)
            total += float(counts[number]) * float(of_them[: limit + 1].sum() + of_them[number - limit :].sum())
    return total


@lru_cache(maxsize=100_000)
def _limit(number: int) -> int:
    """The most queries on the smaller side with which the test still rejects; −1 where it never does."""
    below = 2.0 * np.cumsum(binomial_pmf(number, 0.5)[: number // 2 + 1])
    return int(np.searchsorted(below, LEVEL, side="right")) - 1
