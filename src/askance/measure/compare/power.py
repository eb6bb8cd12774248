"""What a comparison can find: the least difference at the queries there are, the queries that a difference needs.

For the two-sided paired t-test at 5 % that finds a true difference in 80 of 100 samples (noncentral t; Cohen 1988).
"""

from __future__ import annotations

from functools import lru_cache
from math import ceil, floor, sqrt

import numpy as np

from askance.core.errors import BadInput
from askance.core.estimate import Estimate
from askance.measure.bootstrap import mean_interval
from askance.measure.judged import Counts, Values

LEVEL, POWER = 0.05, 0.8

_NORMAL_FROM = 2_000  # degrees of freedom from which t is normal to four digits
_HALVINGS = 40
_SLICES = 4_000  # of equal probability, in which a standard deviation may be found
_TOO_FEW = "the standard deviation of one difference is not known"
_ALL_EQUAL = "all differences are equal: how much they vary is not known"
_METHOD = (
    "two-sided paired t-test at 5 %, power 80 %, from the standard deviation of the differences; interval from its"
)


def minimal_difference(differences: Values, groups: Counts | None = None) -> Estimate:
    """The least true mean difference that as many queries as `differences` [queries] find in 80 of 100 samples.

    `groups` int64 [queries], from 0 on: queries of one group vary together. The interval is the one of the standard
    deviation, the mean held. Undefined where fewer than two units differ from their mean.
    """
    n = len(differences)
    found = _deviations(differences, groups)
    if isinstance(found, str):
        return Estimate.undefined(found, n=n)
    units, deviations = found
    value, low, high = (_detectable(units) * one / sqrt(n) for one in deviations)
    return Estimate(value, low, high, n, f"{_METHOD} percentile bootstrap")


def queries_needed(differences: Values, wish: float, groups: Counts | None = None) -> Estimate:
    """How many queries like these find a true mean difference of `wish` in 80 of 100 samples; whole numbers.

    See `minimal_difference`. BadInput where `wish` is not above 0.
    """
    if not (np.isfinite(wish) and wish > 0):
        raise BadInput(f"a difference of {wish} cannot be wished for", remedy="Give one above 0, e.g. 0.02.")
    n = len(differences)
    found = _deviations(differences, groups)
    if isinstance(found, str):
        return Estimate.undefined(found, n=n)
    value, low, high = (float(_needed(one / wish)) for one in found[1])
    return Estimate(value, low, high, n, f"to find {wish:g}: {_METHOD} percentile bootstrap")


def _deviations(differences: Values, groups: Counts | None) -> tuple[int, tuple[float, float, float]] | str:
    """How many units vary by themselves, and √n times the standard error of the mean, with its interval.

    The variance of a mean of `units` clusters: units/(units − 1) · Σ u²/n², u the sums of deviations from the mean.
    """
    n = len(differences)
    if n < 2:
        return _TOO_FEW
    sums = differences - differences.mean()
    if groups is not None:
        sums = np.bincount(groups, weights=sums)
        sums = sums[np.bincount(groups, minlength=len(sums)) > 0]
    units = len(sums)
    if units < 2:
        return "there is one group: how much groups vary is not known"
    squares = sums**2
    if np.ptp(differences) == 0 or squares.max() < 1e-24:
        return _ALL_EQUAL
    factor = units / (units - 1) * units / n
    low, high = mean_interval(squares)
    deviations = [sqrt(factor * one) for one in (float(squares.mean()), low, high)]
    return units, (deviations[0], deviations[1], deviations[2])


@lru_cache(maxsize=4096)
def _detectable(n: int) -> float:
    """The least difference, in standard errors, that `n` differences find with the power wanted.

    The power, P(|Z + shift| > t · s), is averaged over the distribution of the standard deviation s that is found.
    """
    from scipy.special import gammaincinv, ndtr, ndtri, stdtrit

    if n > _NORMAL_FROM:
        return float(ndtri(1 - LEVEL / 2) + ndtri(POWER))
    middles = (np.arange(_SLICES) + 0.5) / _SLICES
    deviations = np.sqrt(2.0 * gammaincinv((n - 1) / 2, middles) / (n - 1))  # chi-square, over its degrees of freedom
    reach = stdtrit(n - 1, 1 - LEVEL / 2) * deviations
    low, high = 1.0, 4.0

    def finds(shift: float) -> bool:
        return float((ndtr(shift - reach) + ndtr(-reach - shift)).mean()) >= POWER

    while not finds(high):
        high *= 2
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        low, high = (low, middle) if finds(middle) else (middle, high)
    return high


def _needed(deviations: float) -> int:
    """The fewest queries that find a difference, `deviations` = standard deviation over difference."""
    n = max(2, floor((_detectable(_NORMAL_FROM + 1) * deviations) ** 2))
    if n > _NORMAL_FROM:
        return ceil((_detectable(_NORMAL_FROM + 1) * deviations) ** 2)
    while _detectable(n) * deviations > sqrt(n):
        n += 1
    return n
