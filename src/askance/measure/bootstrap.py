"""The percentile bootstrap of a mean, computed instead of drawn: no seed, no noise.

The mean of n values drawn with replacement is a sum of n independent draws, over n: its distribution is the n-fold
convolution of the observed one, and its characteristic function the n-th power of the observed one's. Two distinct
values are a binomial. Where few sums are possible they are all enumerated. Values on a common lattice (k/10, 1/2520 …)
give the exact distribution by one FFT. Others are put on a fine grid, each value shared by its two neighbours so that
the mean stays what it was: that moves a bound of the interval by less than a hundredth of the standard error, a third
of the noise that 10,000 drawn resamples have.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import ceil, comb, floor, log, sqrt

import numpy as np

from askance.core.errors import BadInput
from askance.core.estimate import Estimate
from askance.measure.binomial import binomial_pmf
from askance.measure.intervals import NO_QUERIES, TAILS, all_equal
from askance.measure.judged import Counts, Mask, Values

COMPUTED = "percentile bootstrap over queries, computed without resampling"

_MOST_SUMS = 10_000  # enumerated; more go through the FFT
_MOST_ENUMERATED = 150  # queries; more have more sums than that with three kinds of values already
_MOST_CELLS = 1 << 18  # of an exact lattice; wider ones go on the grid
_FEWEST_CELLS = 1 << 14  # of a grid
_CELLS_OF_A_ROOT = 2_000  # of a grid, times the root of the queries
_MOST_STEPS = 5_040  # of a lattice between the lowest and the highest value
_LATTICE = 1e-9  # how far from the lattice a value may lie, in steps
_OUTSIDE = 1e-13  # probability of a sum outside the window that is computed
_NEGLIGIBLE = -45.0  # logarithm of a term of the spectrum that no longer counts
_SLACK = 1e-12  # rounding of cumulated probabilities


@dataclass(frozen=True, eq=False)
class Resampled:
    """The distribution of a resampled figure: `support` float64 [m], ascending, with probabilities `weight` [m]."""

    support: Values
    weight: Values

    def quantile(self, tail: float) -> float:
        """The smallest figure that is not exceeded with probability `tail`."""
        below = np.cumsum(self.weight)
        at = int(np.searchsorted(below, tail * below[-1] - _SLACK))
        return float(self.support[min(at, len(self.support) - 1)])

    def interval(self) -> tuple[float, float]:
        """The 2.5 % and 97.5 % quantiles."""
        low, high = (self.quantile(tail) for tail in TAILS)
        return low, high


def resampled_mean_of(values: Values) -> Resampled:
    """The distribution of the mean of `values` [queries] over all resamples; BadInput on none or on NaN."""
    found = resampled_sum_of([values])
    return Resampled(found.support / len(values), found.weight)


def resampled_difference(first: Values, second: Values) -> Resampled:
    """The distribution of mean(first) − mean(second), each resampled by itself: two samples of different queries."""
    return resampled_sum_of([first / max(len(first), 1), -second / max(len(second), 1)])


def mean_interval(values: Values) -> tuple[float, float]:
    """The 95 % interval of the mean of `values` [queries]: what infinitely many resamples would give.

    A point where all values are equal: `bootstrap_mean` says what is not known there. BadInput on none or on NaN.
    """
    return resampled_mean_of(values).interval()


def bootstrap_mean(
    values: Values, left_out: Mapping[str, int] | None = None, bounds: tuple[float, float] = (0.0, 1.0)
) -> Estimate:
    """The mean of `values` [queries] with its percentile interval; undefined where there are none.

    Where all values are equal (one query alone, too) every resample is the same and says nothing about queries not
    seen. Then the interval is the one that at most `most_others(n)` of the queries could move, were they at the
    `bounds` of the measure.
    """
    n = len(values)
    if n == 0:
        return Estimate.undefined(NO_QUERIES, left_out=left_out)
    _check(values)
    if values.min() == values.max():
        return all_equal(float(values[0]), n, left_out, bounds)
    low, high = mean_interval(values)
    few = "; of two queries, so the interval is the two values" if n == 2 else ""
    return Estimate(float(values.mean()), low, high, n, COMPUTED + few, left_out or {})


def resampled_sum_of(samples: Sequence[Values]) -> Resampled:
    """The distribution of the sum of independent resamples, each as large as its sample; samples are not empty."""
    for values in samples:
        _check(values)
    constant = float(sum(len(values) * values[0] for values in samples if values.min() == values.max()))
    varied = [values for values in samples if values.min() < values.max()]
    if not varied:
        return Resampled(np.array([constant]), np.ones(1))
    found = _of_one(varied[0]) if len(varied) == 1 else _on_a_grid(varied)
    return Resampled(found.support + constant, found.weight)


def _check(values: Values) -> None:
    if not len(values):
        raise BadInput("there are no values to resample", remedy="Give one value per query.")
    if not np.isfinite(values).all():
        raise BadInput("a value is not a finite number", remedy="Leave such queries out, and count them.")


def _of_one(values: Values) -> Resampled:
    """The distribution of the sum of one resample of values that are not all equal."""
    kinds, times = np.unique(values, return_counts=True)
    n = len(values)
    if len(kinds) == 2:
        return _binomial(kinds, times)
    steps = lattice_steps(kinds)
    if steps is not None:
        step = float(kinds[-1] - kinds[0]) / steps
        places = np.rint((values - kinds[0]) / step)
        if _cells(_window([places]))[1] <= _MOST_CELLS:
            return _convolved([places], n * float(kinds[0]), step)
    if n <= _MOST_ENUMERATED and comb(n + len(kinds) - 1, n) <= _MOST_SUMS:
        return _enumerated(kinds, times)
    return _on_a_grid([values])


def _binomial(kinds: Values, times: Counts) -> Resampled:
    n = int(times.sum())
    return Resampled(n * kinds[0] + np.arange(n + 1) * (kinds[1] - kinds[0]), binomial_pmf(n, times[1] / n))


def _enumerated(kinds: Values, times: Counts) -> Resampled:
    """Every possible sum: how often each kind is drawn is multinomial."""
    n = int(times.sum())
    drawn = _compositions(n, len(kinds))
    factorial = np.concatenate(([0.0], np.cumsum(np.log(np.arange(1.0, n + 1)))))
    logs = factorial[n] - factorial[drawn].sum(axis=1) + drawn @ np.log(times / n)
    sums = drawn @ kinds
    order = np.argsort(sums, kind="stable")
    return Resampled(sums[order], np.exp(logs[order]))


def _compositions(n: int, parts: int) -> Counts:
    """All ways to write n as a sum of `parts` whole numbers from 0 on: int64 [ways, parts]."""
    rows, left = np.zeros((1, 0), dtype=np.int64), np.array([n])
    for _ in range(parts - 1):
        owner = np.repeat(np.arange(len(left)), left + 1)
        first = np.cumsum(left + 1) - (left + 1)
        taken = np.arange(len(owner)) - first[owner]
        rows, left = np.column_stack([rows[owner], taken]), left[owner] - taken
    return np.column_stack([rows, left])


def lattice_steps(kinds: Values) -> int | None:
    """Into how many equal steps the range of these distinct ascending values parts, so that each lies on one.

    The fewest there are; None where more than 5,040 would be needed. 2,520 steps hold 1/1, 1/2 … 1/10.
    """
    if len(kinds) > _MOST_STEPS + 1:
        return None
    places = (kinds - kinds[0]) / (kinds[-1] - kinds[0])
    steps = np.arange(1, _MOST_STEPS + 1)
    for place in places[1:-1]:
        steps = steps[_near_whole(place * steps)]
        if not len(steps):
            return None
        if _near_whole(places * steps[0]).all():
            break
    return int(steps[0])


def _near_whole(places: Values) -> Mask:
    return np.abs(places - np.rint(places)) < _LATTICE


def _on_a_grid(samples: Sequence[Values]) -> Resampled:
    """The distribution of the sum on a grid so fine that the rounding counts for little."""
    origins = [float(values.min()) for values in samples]
    from_0 = [values - origin for values, origin in zip(samples, origins, strict=True)]
    widest = max(float(values.max()) for values in from_0)
    cells = max(_FEWEST_CELLS, _CELLS_OF_A_ROOT * sqrt(max(len(values) for values in samples)))
    low, high = _window([values / widest for values in from_0])
    step = widest / ceil(cells / (high - low))
    start = sum(len(values) * origin for values, origin in zip(samples, origins, strict=True))
    return _convolved([values / step for values in from_0], start, step)


def _window(places: Sequence[Values]) -> tuple[float, float]:
    """Between what the sum of resamples of places from 0 on lies, but for a probability of 1e-13.

    Bernstein's inequality: P(|S − E S| > t) ≤ 2 exp(−t²/2 / (V + R t/3)), V the variance of the sum, R the range of
    one draw. Nor is a sum below 0 or above what the largest places allow.
    """
    centre = float(sum(one.sum() for one in places))
    variance = float(sum(len(one) * one.var() for one in places))
    reach = log(2.0 / _OUTSIDE) * max(float(one.max()) for one in places) / 3
    far = reach + sqrt(reach**2 + 2 * log(2.0 / _OUTSIDE) * variance)
    most = sum(len(one) * ceil(float(one.max()) - _LATTICE) for one in places)
    return max(0.0, centre - far), min(float(most), centre + far)


def _cells(window: tuple[float, float]) -> tuple[int, int]:
    """The first whole number of a window, and how many there are."""
    first = floor(window[0])
    return first, ceil(window[1]) - first + 1


def _convolved(places: Sequence[Values], start: float, step: float) -> Resampled:
    """The distribution of start + step · (the sum of resamples of `places`), places from 0 on, in steps."""
    first, cells = _cells(_window(places))
    size = _fast_length(cells)
    folded = [(len(one), np.fft.rfft(_folded(one, size))) for one in places]
    weigh = sum(n * np.log(np.maximum(np.abs(one), 1e-300)) for n, one in folded)
    there = np.flatnonzero(weigh > _NEGLIGIBLE)
    spectrum = np.zeros(size // 2 + 1, dtype=np.complex128)
    spectrum[there] = np.exp(sum(n * np.log(one[there]) for n, one in folded))
    weight = np.roll(np.fft.irfft(spectrum, size), -(first % size))[:cells]
    support: Values = start + step * np.arange(first, first + cells, dtype=np.float64)
    return Resampled(support, np.maximum(weight, 0.0))


def _folded(places: Values, size: int) -> Values:
    """The distribution of one draw on 0 … size − 1, modulo size; a place between two cells is shared by them."""
    cell = np.floor(places)
    share = places - cell
    at = cell.astype(np.int64)
    once: Values = np.bincount(at % size, weights=1.0 - share, minlength=size).astype(np.float64)
    once += np.bincount((at + 1) % size, weights=share, minlength=size)
    return once / len(places)


def _fast_length(cells: int) -> int:
    """An even length from `cells` on, little longer, whose Fourier transform is quick: four bits, then zeros."""
    shift = max(1, cells.bit_length() - 4)
    return -(-cells >> shift) << shift
