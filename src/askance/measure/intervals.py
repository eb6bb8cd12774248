"""95 % intervals of proportions and of means over queries.

The percentile bootstrap of a proportion needs no resampling: a resampled count of hits is binomial. It is a point
where all or no queries hit; there Clopper-Pearson stands in. Means of other values: `bootstrap_mean` of bootstrap.py,
without resampling; here, by name, over drawn resamples.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from askance.core.errors import BadInput
from askance.core.estimate import Estimate
from askance.measure.binomial import binomial_quantile
from askance.measure.judged import Values
from askance.measure.resamples import RESAMPLES, resampled_means

TAILS = (0.025, 0.975)
NO_QUERIES = "no queries"

_EXACT = "percentile bootstrap over queries, exact from the binomial"
_CLOPPER_PEARSON = "Clopper-Pearson: the percentile interval is a point where all or no queries hit"


def binomial_interval(hits: int, n: int) -> tuple[float, float]:
    """The 2.5 % and 97.5 % quantiles of Binomial(n, hits/n)/n: what infinitely many resamples would give."""
    _check(hits, n)
    low, high = (binomial_quantile(tail, n, hits / n) / n for tail in TAILS)
    return low, high


def clopper_pearson(hits: int, n: int) -> tuple[float, float]:
    """The exact interval: all p for which neither tail of Binomial(n, p) at `hits` is below 2.5 %.

    It holds the true p in at least 95 % of samples, for every p and n (Clopper and Pearson 1934).
    """
    _check(hits, n)
    if hits in (0, n):  # the one tail there is has a closed form
        end = TAILS[0] ** (1 / n)
        return (0.0, 1.0 - end) if hits == 0 else (end, 1.0)
    from scipy.special import betaincinv

    return float(betaincinv(hits, n - hits + 1, TAILS[0])), float(betaincinv(hits + 1, n - hits, TAILS[1]))


def most_others(n: int) -> float:
    """The largest share of queries that may differ when `n` of them all agree: Clopper-Pearson's upper end at 0."""
    return clopper_pearson(0, n)[1]


def proportion(hits: int, n: int, left_out: Mapping[str, int] | None = None) -> Estimate:
    """A share of yes/no outcomes with its interval; undefined where n is 0."""
    if n == 0:
        return Estimate.undefined(NO_QUERIES, left_out=left_out)
    point = hits in (0, n)
    low, high = clopper_pearson(hits, n) if point else binomial_interval(hits, n)
    return Estimate(hits / n, low, high, n, _CLOPPER_PEARSON if point else _EXACT, left_out or {})


def resampled_mean(
    values: Values,
    seed: int,
    resamples: int = RESAMPLES,
    left_out: Mapping[str, int] | None = None,
    bounds: tuple[float, float] = (0.0, 1.0),
) -> Estimate:
    """The mean of `values` [queries] with the percentile interval of its resamples; undefined where there are none.

    Where all values are equal (one query alone, too) every resample is the same and says nothing about queries not
    seen. Then the interval is the one that at most `most_others(n)` of the queries could move, were they at the
    `bounds` of the measure.
    """
    n = len(values)
    if n == 0:
        return Estimate.undefined(NO_QUERIES, left_out=left_out)
    if not np.isfinite(values).all():
        raise BadInput("a value is not a finite number", remedy="Leave such queries out, and count them.")
    if values.min() == values.max():
        return all_equal(float(values[0]), n, left_out, bounds)
    means = resampled_means(values[:, None], seed, resamples)[:, 0]
    low, high = np.quantile(means, TAILS)
    few = "; of two queries, so the interval is the two values" if n == 2 else ""
    method = f"percentile bootstrap over queries, {resamples:,} resamples, seed {seed}{few}"
    return Estimate(float(values.mean()), float(low), float(high), n, method, left_out or {})


def all_equal(value: float, n: int, left_out: Mapping[str, int] | None, bounds: tuple[float, float]) -> Estimate:
    """The mean of `n` equal values: at most `most_others(n)` of the queries may differ, were they at the `bounds`."""
    share = most_others(n)
    low, high = (value + share * (bound - value) for bound in bounds)
    said = "one value" if n == 1 else f"all {n} values are equal"
    ends = f"{bounds[0]:g} or {bounds[1]:g}"
    method = f"{said}: Clopper-Pearson for the share of queries that may differ, were they at {ends}"
    return Estimate(value, low, high, n, method, left_out or {})


def _check(hits: int, n: int) -> None:
    if not (0 <= hits <= n and n > 0):
        raise BadInput(f"{hits} hits of {n} queries are no proportion", remedy="Count hits from 0 to n, n from 1 on.")
