"""Kappa of every two label sets, and of every two in each resample of the items."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from askance.measure.agreement.kappa import Weights, kappa
from askance.measure.agreement.resampling import Resampling
from askance.measure.agreement.table import Codes
from askance.measure.judged import Counts, Values

MOST_RESAMPLES, FEWEST_RESAMPLES = 1_000, 99
"""Every two of a hundred sets are 4,950 tables in each resample: a thousand resamples are enough for an interval."""

_CELLS = 100_000_000  # of all tables of all resamples, 4 bytes each
_UNITS = 256  # whose tables are held at once
_ROWS = 64  # resamples whose kappas are computed at once


@dataclass(frozen=True, eq=False)
class Pairwise:
    """Kappas [sets, sets] and [resamples, sets, sets], symmetric, NaN on the diagonal and where undefined.

    `units`: how many queries or pairs were drawn from.
    """

    whole: Values
    drawn: Values
    units: int


def pairwise_kappas(codes: Codes, query: Counts, labels: int, weights: Weights, resampling: Resampling) -> Pairwise:
    """Kappa of every two of `codes` int64 [sets, items]; `query` int64 [items]: what is resampled together."""
    sets = len(codes)
    first, second = np.triu_indices(sets, 1)
    width = len(first) * labels * labels
    drawn = _drawn(codes, query, width, resampling)
    times = drawn.times
    tables = np.zeros((len(times), width), dtype=np.float32)
    order = np.argsort(drawn.unit, kind="stable")
    bounds = np.searchsorted(drawn.unit[order], np.arange(0, times.shape[1] + _UNITS, _UNITS))
    for number, (begin, end) in enumerate(zip(bounds[:-1], bounds[1:], strict=True)):
        start, inside = number * _UNITS, order[begin:end]
        chunk = _tables_of_units(drawn.codes[:, inside], drawn.unit[inside] - start, first, second, labels)
        tables += times[:, start : start + len(chunk)] @ chunk
    kappas = np.empty((len(times), len(first)))
    for start in range(0, len(times), _ROWS):
        rows = slice(start, start + _ROWS)
        block = tables[rows].astype(np.float64)
        kappas[rows] = kappa(block.reshape(len(block), len(first), labels, labels), weights)
    square = np.full((len(times), sets, sets), np.nan)
    square[:, first, second] = square[:, second, first] = kappas
    return Pairwise(square[0], square[1:], drawn.number)


class _Drawn(NamedTuple):
    """What is resampled: `codes` [sets, columns], the `unit` of each column, and how often each unit counts.

    `times` float32 [1 + resamples, units]: as found in the first row, as drawn in the others; exact in single
    precision up to 16 million items. `number`: of queries or pairs that are drawn from.
    """

    codes: Codes
    unit: Counts
    times: NDArray[np.float32]
    number: int


def _drawn(codes: Codes, query: Counts, width: int, resampling: Resampling) -> _Drawn:
    rng = np.random.default_rng(resampling.seed)
    if resampling.over == "pairs":
        # pairs with the same labels throughout are one kind: how often each is drawn is multinomial
        kinds, found = np.unique(codes, axis=1, return_counts=True)
        resamples = _resamples(width + len(found), resampling)
        number = int(found.sum())
        times = np.vstack([found, rng.multinomial(number, found / number, size=resamples)]).astype(np.float32)
        return _Drawn(kinds, np.arange(len(found)), times, number)
    unit = np.unique(query, return_inverse=True)[1]
    number = int(unit.max()) + 1
    times = np.ones((1 + _resamples(width + number, resampling), number), dtype=np.float32)
    for row in range(1, len(times)):
        times[row] = np.bincount(rng.integers(0, number, number), minlength=number)
    return _Drawn(codes, unit, times, number)


def _resamples(width: int, resampling: Resampling) -> int:
    """As many as asked for, but no more than there is room for."""
    return int(np.clip(_CELLS // width, FEWEST_RESAMPLES, min(resampling.resamples, MOST_RESAMPLES)))


def _tables_of_units(codes: Codes, unit: Counts, first: Counts, second: Counts, labels: int) -> NDArray[np.float32]:
    """Cross tables of the pairs of sets (first, second) per unit, flat: float32 [units, pairs · labels²]."""
    cells = labels * labels
    units = int(unit.max(initial=-1)) + 1
    counts = np.zeros((units, len(first), cells), dtype=np.float32)
    for pair, (one, other) in enumerate(zip(codes[first], codes[second], strict=True)):
        both = (one >= 0) & (other >= 0)
        at = unit[both] * cells + one[both] * labels + other[both]
        counts[:, pair] = np.bincount(at, minlength=units * cells).reshape(units, cells)
    return counts.reshape(units, len(first) * cells)
