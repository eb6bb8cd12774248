"""Kappa of every two label sets, and of every two in each resample of the items."""

from __future__ import annotations

from dataclasses import dataclass

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
    units = np.unique(query, return_inverse=True)[1] if resampling.over == "queries" else np.arange(codes.shape[1])
    number = int(units.max(initial=-1)) + 1
    width = len(first) * labels * labels
    resamples = int(np.clip(_CELLS // max(width, 1), FEWEST_RESAMPLES, min(resampling.resamples, MOST_RESAMPLES)))
    times = _times(number, resamples, resampling.seed)
    tables = np.zeros((len(times), width), dtype=np.float32)
    order = np.argsort(units, kind="stable")
    bounds = np.searchsorted(units[order], np.arange(0, number + _UNITS, _UNITS))
    for start, (begin, end) in zip(range(0, number, _UNITS), zip(bounds[:-1], bounds[1:], strict=True), strict=True):
        inside = order[begin:end]
        chunk = _tables_of_units(codes[:, inside], units[inside] - start, first, second, labels)
        tables += times[:, start : start + len(chunk)] @ chunk
    kappas = np.empty((len(times), len(first)))
    for start in range(0, len(times), _ROWS):
        rows = slice(start, start + _ROWS)
        block = tables[rows].astype(np.float64)
        kappas[rows] = kappa(block.reshape(len(block), len(first), labels, labels), weights)
    square = np.full((len(times), sets, sets), np.nan)
    square[:, first, second] = square[:, second, first] = kappas
    return Pairwise(square[0], square[1:], number)


def _times(units: int, resamples: int, seed: int) -> NDArray[np.float32]:
    """How often each unit counts: once each in the first row, as drawn in the others; float32 [1 + resamples, units].

    Counts in single precision are exact up to 16 million items.
    """
    rng = np.random.default_rng(seed)
    drawn = rng.integers(0, max(units, 1), size=(resamples, units))
    times = np.ones((1 + resamples, units), dtype=np.float32)
    for row, draw in enumerate(drawn, 1):
        times[row] = np.bincount(draw, minlength=units)
    return times


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
