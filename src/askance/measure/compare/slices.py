"""Slices of queries: where two systems differ, whether they differ more in one slice than in another, and which slices
cannot be told apart.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import comb

import numpy as np

from askance.core.errors import BadInput
from askance.measure.compare.p_value import PValue
from askance.measure.compare.sign_flips import DRAWS, RANDOMIZATION
from askance.measure.judged import Mask, Values

CONFOUNDED_FROM = 0.9
MOST_VALUES = 50

_BLOCK_CELLS = 2_000_000
_ROUNDING = 1e-9


@dataclass(frozen=True, slots=True)
class Confounded:
    """Two slices so alike (Cramér's V from .9 on) that what one explains the other does too. `n`: queries of both."""

    first: str
    second: str
    v: float
    n: int


@dataclass(frozen=True, slots=True)
class Split:
    """A part of the queries and what it is held against: `rest` is the other value of two, else all other values."""

    slice: str
    value: str
    rest: str
    inside: Mask
    outside: Mask


def cramers_v(first: Sequence[str | None], second: Sequence[str | None]) -> tuple[float | None, int]:
    """Cramér's V (1946), √(χ²/(n · (min(rows, columns) − 1))), and n, the queries that have a value of both.

    None where one of them has a single value there: nothing can be confounded with it.
    """
    pairs = [(one, other) for one, other in zip(first, second, strict=True) if one and other]
    rows, columns = (sorted({pair[side] for pair in pairs}) for side in (0, 1))
    if min(len(rows), len(columns)) < 2:
        return None, len(pairs)
    table = np.zeros((len(rows), len(columns)))
    for one, other in pairs:
        table[rows.index(one), columns.index(other)] += 1
    expected = np.outer(table.sum(axis=1), table.sum(axis=0)) / len(pairs)
    chi2 = float(((table - expected) ** 2 / expected).sum())
    return float(np.sqrt(chi2 / (len(pairs) * (min(table.shape) - 1)))), len(pairs)


def confounded(slices: Mapping[str, Sequence[str | None]]) -> list[Confounded]:
    """The pairs of slices that cannot be told apart."""
    found = []
    for (first, one), (second, other) in combinations(slices.items(), 2):
        v, n = cramers_v(one, other)
        if v is not None and v >= CONFOUNDED_FROM - _ROUNDING:
            found.append(Confounded(first, second, min(1.0, v), n))
    return found


def values_of(name: str, column: Sequence[str | None]) -> dict[str, Mask]:
    """The values of a slice, in order of appearance, and which queries have each [queries]."""
    values = [value for value in dict.fromkeys(column) if value]
    if len(values) > MOST_VALUES:
        raise BadInput(
            f"the slice {name!r} has {len(values):,} values, at most {MOST_VALUES} can be told apart",
            remedy="Slice by a property with few values.",
        )
    return {value: np.array([one == value for one in column], dtype=np.bool_) for value in values}


def splits(name: str, column: Sequence[str | None]) -> list[Split]:
    """What is held against what in a slice: its two values, else each value against all others; one value: nothing."""
    masks = values_of(name, column)
    if len(masks) < 2:
        return []
    if len(masks) == 2:
        (value, inside), (rest, outside) = masks.items()
        return [Split(name, value, rest, inside, outside)]
    there = np.logical_or.reduce(list(masks.values()))
    return [Split(name, value, "all others", inside, there & ~inside) for value, inside in masks.items()]


def exchanged_labels(columns: Sequence[Values], split: Split, seed: int, draws: int = DRAWS) -> list[PValue]:
    """Randomization of the labels of a slice: had queries them at random, how often were the two means as far apart?

    For each column of values [queries], NaN where a query has none. Over all ways to share the labels out where there
    are few, else over drawn ones with the observed one among them, (c + 1)/(draws + 1). Undefined where a side has no
    queries.
    """
    alike: dict[bytes, list[int]] = {}
    for at, values in enumerate(columns):
        alike.setdefault(np.isnan(values).tobytes(), []).append(at)
    found: dict[int, PValue] = {}
    for places in alike.values():
        there = (split.inside | split.outside) & ~np.isnan(columns[places[0]])
        matrix = np.column_stack([columns[at][there] for at in places])
        found |= dict(zip(places, _exchanged(matrix, split.inside[there], seed, draws), strict=True))
    return [found[at] for at in range(len(columns))]


def _exchanged(matrix: Values, inside: Mask, seed: int, draws: int) -> list[PValue]:
    """The test of each column of `matrix` [queries, columns]."""
    n, chosen = len(inside), int(inside.sum())
    if chosen in (0, n):
        return [PValue.undefined(RANDOMIZATION, "one side of the slice has no queries")] * matrix.shape[1]
    # the difference of the means rises with the sum inside, since the whole sum stays
    centred = matrix - matrix.mean(axis=0)
    reach = np.abs(inside.astype(np.float64) @ centred) - _ROUNDING * np.abs(centred).sum(axis=0)
    if comb(n, chosen) * n <= _BLOCK_CELLS:
        every = np.array(list(combinations(range(n), chosen)))
        labels = np.zeros((len(every), n))
        np.put_along_axis(labels, every, 1.0, axis=1)
        reached = (np.abs(labels @ centred) >= reach).sum(axis=0)
        method = "exact over all exchanges of the labels of the slice"
        return [PValue(RANDOMIZATION, p, method) for p in (reached / len(every)).tolist()]
    reached = _reached_by_draws(centred, inside, reach, seed, draws)
    method = f"{draws:,} drawn exchanges of the labels of the slice and the observed one, seed {seed}"
    return [PValue(RANDOMIZATION, p, method) for p in ((reached + 1.0) / (draws + 1.0)).tolist()]


def _reached_by_draws(centred: Values, inside: Mask, reach: Values, seed: int, draws: int) -> Values:
    from threadpoolctl import threadpool_limits  # type: ignore[import-untyped]

    rng = np.random.default_rng(seed)
    block = max(1, _BLOCK_CELLS // max(centred.shape))
    reached = np.zeros(len(reach))
    with threadpool_limits(limits=1, user_api="blas"):
        for start in range(0, draws, block):
            rows = np.tile(inside, (min(block, draws - start), 1))
            labels = rng.permuted(rows, axis=1).astype(np.float64)
            reached += (np.abs(labels @ centred) >= reach).sum(axis=0)
    return reached
