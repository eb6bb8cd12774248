"""The paired bootstrap test: resamples of the differences, shifted to a mean of 0, studentized (Sakai 2006).

p = (c + 1)/(draws + 1), c the resamples whose |mean − observed mean|/standard error is as large as the observed
|mean|/standard error. Unlike "0 lies outside of the percentile interval" it holds its level with few queries too.
Units are queries, or whole groups of them: then the mean is Σ sums/Σ sizes, and its standard error is that of a ratio.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from askance.measure.compare.p_value import PValue
from askance.measure.compare.sign_flips import DRAWS, NO_DIFFERENCE, NO_VALUES
from askance.measure.judged import Values
from askance.measure.resamples import drawn_times

BOOTSTRAP = "bootstrap"
ALL_EQUAL = "all differences are equal, and say nothing of how much they vary"

_CELLS = 1_000_000
_ROUNDING = 1e-9
_NOTHING = 1e-24


@dataclass(frozen=True, eq=False)
class Part:
    """Sums of differences over each unit and how many differences each has, float64 [units, columns].

    A statistic is the sum over its parts of sign · Σ sums/Σ sizes: one part is a mean, two of opposite sign are a
    difference of means.
    """

    sums: Values
    sizes: Values
    sign: float = 1.0


def bootstrap_tests(parts: Sequence[Part], seed: int, draws: int = DRAWS, units: str = "queries") -> list[PValue]:
    """The test of every column of the parts; all columns meet the same resamples. `units`: what they are, in words."""
    from threadpoolctl import threadpool_limits  # type: ignore[import-untyped]

    count, columns = parts[0].sums.shape
    if not count:
        return [PValue.undefined(BOOTSTRAP, NO_VALUES)] * columns
    means = [_mean(part) for part in parts]
    value = np.sum([part.sign * mean for part, mean in zip(parts, means, strict=True)], axis=0)
    # sums of deviations from the observed means: a resample's statistic is then its distance from the observed one
    around = [replace(part, sums=part.sums - mean * part.sizes) for part, mean in zip(parts, means, strict=True)]
    error = _observed_error(around)
    with np.errstate(divide="ignore", invalid="ignore"):
        observed = np.abs(value) / error * (1.0 - _ROUNDING)
    reached = np.zeros(columns)
    with threadpool_limits(limits=1, user_api="blas"):
        for _, times in drawn_times(count, seed, draws, at_once=_CELLS // max(1, columns)):
            distance, variance = _statistic(around, times)
            with np.errstate(divide="ignore", invalid="ignore"):
                far = np.abs(distance) / np.sqrt(np.maximum(variance, 0.0))
            reached += (~(far < observed)).sum(axis=0)  # what has no standard error counts as reached
    p = (reached + 1.0) / (draws + 1.0)
    method = f"paired bootstrap test, studentized, {draws:,} resamples of {units} and the observed one, seed {seed}"
    varies = error**2 > _NOTHING
    return [_said(parts, at, float(p[at]), bool(varies[at]), method) for at in range(columns)]


def _mean(part: Part) -> Values:
    """The mean of each column; NaN where it has no differences."""
    sizes = part.sizes.sum(axis=0)
    found: Values = np.divide(part.sums.sum(axis=0), sizes, out=np.full(len(sizes), np.nan), where=sizes > 0)
    return found


def _observed_error(around: Sequence[Part]) -> Values:
    """The standard error of the statistic by linearization, from sums of deviations: √ Σ (Σ sign · sums/size)²."""
    with np.errstate(divide="ignore", invalid="ignore"):
        linear = np.sum([part.sign * part.sums / part.sizes.sum(axis=0) for part in around], axis=0)
    error: Values = np.sqrt((linear**2).sum(axis=0))
    return error


def _statistic(around: Sequence[Part], times: Values) -> tuple[Values, Values]:
    """The statistic and its variance in each resample, from `times` [resamples, units]: [resamples, columns] both."""
    columns: list[Values] = []
    factors: list[Values] = []
    value = np.zeros((len(times), around[0].sums.shape[1]))
    for part in around:
        size = times @ part.sizes
        with np.errstate(divide="ignore", invalid="ignore"):
            mean, inverse = (times @ part.sums) / size, part.sign / size
        value += part.sign * mean
        columns += [part.sums, part.sizes]
        factors += [inverse, -mean * inverse]
    variance = np.zeros_like(value)
    for at, one in enumerate(columns):
        for other in range(at, len(columns)):
            twice = 1.0 if other == at else 2.0
            with np.errstate(invalid="ignore"):
                variance += twice * factors[at] * factors[other] * (times @ (one * columns[other]))
    return value, variance


def _said(parts: Sequence[Part], at: int, p: float, varies: bool, method: str) -> PValue:
    if any(not part.sizes[:, at].any() for part in parts):
        return PValue.undefined(BOOTSTRAP, NO_VALUES)
    if not any(part.sums[:, at].any() for part in parts):
        return PValue(BOOTSTRAP, 1.0, NO_DIFFERENCE)
    if not varies:
        return PValue.undefined(BOOTSTRAP, ALL_EQUAL)
    return PValue(BOOTSTRAP, p, method)
