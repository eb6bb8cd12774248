"""What an interval can be where only margins are printed: its range over all joint tables that they allow.

How many queries hit before a reranker, after it and anywhere in its candidates fixes a share of the gap, but not its
interval: that depends on how many of the hits before are hits after as well, which is seldom printed. Here the interval
is computed for every number they can be, each without resampling: the distribution of the resampled sums is the n-th
power of the characteristic function of one query.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from askance.core.errors import BadInput
from askance.core.estimate import Estimate
from askance.measure.gap import Ceiling
from askance.measure.intervals import TAILS
from askance.measure.judged import Counts, Values

_DEVIATIONS = 8.5  # half the width of the window of sums that is computed, in standard deviations
_MARGIN = 12  # more of it where a sum is rare and its distribution has a long tail
_OUTSIDE = 1e-13  # probability of a sum that no longer counts
_SLACK = 1e-12  # rounding of cumulated probabilities

Spectrum = NDArray[np.complex128]

_COMPUTED = "percentile bootstrap over queries, computed without resampling"


@dataclass(frozen=True, eq=False)
class Bounds:
    """A figure, and the 95 % interval that it has under each joint table: `ends` float64 [tables, 2].

    `said`: which tables they are.
    """

    value: float
    n: int
    ends: Values
    said: str

    @property
    def lowest(self) -> tuple[float, float]:
        """Between which figures the lower end lies."""
        return float(self.ends[:, 0].min()), float(self.ends[:, 0].max())

    @property
    def highest(self) -> tuple[float, float]:
        """Between which figures the upper end lies."""
        return float(self.ends[:, 1].min()), float(self.ends[:, 1].max())

    def widest(self) -> Estimate:
        """The figure, with the lowest lower and the highest upper end as its interval."""
        return Estimate(self.value, self.lowest[0], self.highest[1], self.n, f"{_COMPUTED}; {self.said}")

    def holds(self, low: float, high: float, slack: float) -> bool:
        """Whether both ends lie in their ranges, or at most `slack` outside."""
        within = ((low, self.lowest), (high, self.highest))
        return all(least - slack <= end <= most + slack for end, (least, most) in within)

    def tables_that_give(self, low: float, high: float, slack: float) -> list[int]:
        """The tables (rows of `ends`) whose interval has these ends, each to within `slack`."""
        return np.flatnonzero((np.abs(self.ends - (low, high)) <= slack).all(axis=1)).tolist()


def share_bounds(n: int, before: int, after: int, ceiling: int, hold: Ceiling) -> Bounds:
    """Share of the gap, (after − before)/(ceiling − before), of hits among `n` queries, over all joint tables.

    A query that hits before or after hits in the ceiling too. Table t has t more hits that are kept than must be. See
    `share_of_gap` for `hold`. BadInput where no such table exists, or there is no gap.
    """
    _check(n, before, after, ceiling)
    tables = range(max(0, before + after - ceiling), min(before, after) + 1)
    # (gained or lost, what the gap becomes narrower by) of queries kept, lost, gained, never hit but in the ceiling
    effects = np.array([[0, -1], [-1, -1], [1, 0], [0, 0]]) + ([0, 1] if hold == "resampled" else [0, 0])
    outside = np.zeros((1, 2), dtype=np.int64)
    gap = ceiling if hold == "held" else 0
    ends = [
        ratio_interval(np.vstack((effects, outside)), np.array(_split(n, before, after, ceiling, kept)), gap)
        for kept in tables
    ]
    said = f"over {_counted(tables)}: {_spoken(tables)} of the {before} hits before are hits after; ceiling {hold}"
    return Bounds((after - before) / (ceiling - before), n, np.array(ends), said)


def change_bounds(n: int, before: int, after: int) -> Bounds:
    """Difference of two shares of the same `n` queries, (after − before)/n, over all joint tables."""
    _check(n, before, after, n, gap=False)
    tables = range(max(0, before + after - n), min(before, after) + 1)
    effects = np.array([[0, 0], [-1, 0], [1, 0], [0, 0], [0, 0]])
    ends = [ratio_interval(effects, np.array(_split(n, before, after, n, kept)), n) for kept in tables]
    said = f"over {_counted(tables)}: {_spoken(tables)} of the {before} hits before are hits after"
    return Bounds((after - before) / n, n, np.array(ends), said)


def paired_share_bounds(n: int, before: int, first: int, second: int, ceiling: int) -> Bounds:
    """Difference of two shares of one gap, (first − second)/(ceiling − before), the ceiling resampled.

    There are too many joint tables of four outcomes to go through: the two are taken whose difference varies least and
    most, to first order. What lies between their ends lies in the range over all tables.
    """
    for after in (first, second):
        _check(n, before, after, ceiling)
    kinds = _kinds_of_four()
    effects = np.column_stack((kinds[:, 1] - kinds[:, 2], kinds[:, 3] - kinds[:, 0]))
    value = (first - second) / (ceiling - before)
    spread = (effects[:, 0] - value * effects[:, 1]) ** 2
    margins = np.array([before, first, second, ceiling, n])
    conditions = np.vstack((kinds.T, np.ones(len(kinds), dtype=np.int64)))
    tables = [_extreme(sign * spread, conditions, margins) for sign in (1.0, -1.0)]
    ends = [ratio_interval(effects, times, 0) for times in tables]
    return Bounds(value, n, np.array(ends), "of the joint tables that vary least and most; ceiling resampled")


def ratio_interval(effects: Counts, times: Counts, constant: int) -> tuple[float, float]:
    """The 95 % percentile interval of Σ top / (constant + Σ bottom) over all resamples of the queries.

    `effects` int64 [kinds, 2]: top and bottom of one query of each kind; `times` [kinds]: how many queries there are of
    it. Resamples whose bottom is not above 0 leave nothing to divide by, and are dropped. BadInput where all are.
    """
    weight, first = _sums(effects, times)
    top, bottom = np.nonzero(weight > _OUTSIDE)
    weight = weight[top, bottom]
    divisor = bottom + first[1] + constant
    there = divisor > 0
    if not there.any():
        raise BadInput("every resample lacks a gap", remedy="Give counts whose ceiling is above what was hit before.")
    ratios = (top[there] + first[0]) / divisor[there]
    order = np.argsort(ratios, kind="stable")
    below = np.cumsum(weight[there][order])
    low, high = (float(ratios[order[np.searchsorted(below, tail * below[-1] - _SLACK)]]) for tail in TAILS)
    return low, high


def _sums(effects: Counts, times: Counts) -> tuple[Values, tuple[int, int]]:
    """Probabilities of both resampled sums on a window, and the sums in its first cell."""
    from scipy.fft import fftfreq, irfft2, next_fast_len, rfftfreq

    n = int(times.sum())
    share = times / n
    mean = share @ effects
    width = np.sqrt(n * np.maximum(share @ (effects - mean) ** 2, 0.0))
    reach = [int(_DEVIATIONS * deviation) + _MARGIN if deviation > 0 else 0 for deviation in width]
    size = [int(next_fast_len(2 * one_side + 1, real=True)) for one_side in reach]
    first = round(n * mean[0]) - reach[0], round(n * mean[1]) - reach[1]
    angles = 2j * np.pi * fftfreq(size[0])[:, None], 2j * np.pi * rfftfreq(size[1])[None, :]
    one = sum(
        part * np.exp(-angles[0] * top) * np.exp(-angles[1] * bottom)
        for (top, bottom), part in zip(effects.tolist(), share.tolist(), strict=True)
        if part > 0
    )
    spectrum = _power(one, n) * np.exp(angles[0] * first[0]) * np.exp(angles[1] * first[1])
    return irfft2(spectrum, s=size), first


def _power(base: Spectrum, exponent: int) -> Spectrum:
    """base ** exponent by squaring: far quicker than numpy's power of complex numbers."""
    found = np.ones_like(base)
    while exponent:
        if exponent & 1:
            found = found * base
        exponent >>= 1
        if exponent:
            base = base * base
    return found


def _split(n: int, before: int, after: int, ceiling: int, kept: int) -> list[int]:
    """How many queries are kept, lost, gained, hit in the ceiling alone, and not even there."""
    found = before + after - kept
    return [kept, before - kept, after - kept, ceiling - found, n - ceiling]


def _kinds_of_four() -> Counts:
    """(before, first, second, ceiling) of every kind of query: whoever hits somewhere hits in the ceiling."""
    within = [(b, f, s, 1) for b in (0, 1) for f in (0, 1) for s in (0, 1)]
    return np.array([(0, 0, 0, 0), *within], dtype=np.int64)


def _extreme(cost: Values, conditions: Counts, margins: Counts) -> Counts:
    """The table of whole counts with these margins that costs least."""
    from scipy.optimize import LinearConstraint, milp

    found = milp(
        cost, integrality=np.ones(len(cost), dtype=np.int64), constraints=LinearConstraint(conditions, margins, margins)
    )
    if found.x is None:
        raise BadInput("no joint table has these margins", remedy="Check the counts.")
    return np.rint(found.x).astype(np.int64)


def _check(n: int, before: int, after: int, ceiling: int, *, gap: bool = True) -> None:
    if not (0 <= before <= ceiling <= n and 0 <= after <= ceiling and n > 0):
        raise BadInput(
            f"{before} hits before, {after} after and {ceiling} in the ceiling, of {n} queries, cannot be",
            remedy="What hits at rank 1, before or after, hits in the ceiling too.",
        )
    if gap and ceiling == before:
        raise BadInput("there is no gap: nothing below rank 1 to recover", remedy="Give a ceiling above the hits.")


def _spoken(tables: Iterable[int]) -> str:
    first, *rest = list(tables)
    return f"{first} to {rest[-1]}" if rest else str(first)


def _counted(tables: Iterable[int]) -> str:
    number = len(list(tables))
    return "the one joint table that the margins allow" if number == 1 else f"all {number} joint tables"
