"""The randomization test of paired differences (Fisher 1935): were systems exchanged at random, query by query?

Under the null each difference is as likely with either sign. p = P(|Σ ± d| ≥ |Σ d|), over all signs: counted by
convolution where the differences lie on a lattice (k/10 …), by enumeration where few are not 0. Else each difference is
rounded to a fine part of the largest, where there are up to some 500 of them: the test of rounded differences is exact
as well. Of more, signs are drawn, and the observed ones counted among them, (c + 1)/(draws + 1). Differences of 0
change nothing. For yes/no measures it is McNemar's exact test.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from askance.measure.bootstrap import lattice_steps
from askance.measure.compare.p_value import PValue
from askance.measure.judged import Counts, Values

RANDOMIZATION = "randomization"
DRAWS = 10_000

NO_DIFFERENCE = "no query differs"
NO_VALUES = "no queries"

_MOST_ENUMERATED = 32  # differences that are not 0
_MOST_STEPS = 100_000_000  # of a convolution: additions, about .1 s
_FINEST, _COARSEST = 10_000, 500  # parts of the largest difference that others are rounded to
_MOST_CELLS = 5_000_000
_BLOCK_CELLS = 2_000_000
_ROUNDING = 1e-9


def randomization(columns: Sequence[Values], seed: int, draws: int = DRAWS) -> list[PValue]:
    """The test of each column of differences [units]: exact where that can be had, else over drawn signs.

    Columns as long as each other meet the same draws. Units are what may be exchanged: queries, or sums over groups of
    queries. NaN is a unit that has no difference.
    """
    numbers = [values[~np.isnan(values)] for values in columns]
    found = [_exact(values) for values in numbers]
    by_length: dict[int, list[int]] = {}
    for at, one in enumerate(found):
        if one is None:
            by_length.setdefault(len(columns[at]), []).append(at)
    for places in by_length.values():
        matrix = np.nan_to_num(np.column_stack([columns[at] for at in places]))
        method = f"{draws:,} drawn sign flips and the observed one, seed {seed}"
        for at, p in zip(places, _drawn(matrix, seed, draws).tolist(), strict=True):
            found[at] = PValue(RANDOMIZATION, p, method)
    return [one for one in found if one is not None]


def sign_flip_p(sizes: Counts, observed: int) -> float | None:
    """P(|Σ ± sizes| ≥ |observed|) over all signs of whole numbers from 1 on, exact; None where that takes too long.

    The distribution is built up one number after the other. Only positive terms are added, so that small p are right
    too.
    """
    total = int(sizes.sum())
    if total > _MOST_CELLS or total * len(sizes) > _MOST_STEPS:
        return None
    ways = np.zeros(total + 1)
    ways[0], reach = 1.0, 0
    for size in np.sort(sizes).tolist():
        half = 0.5 * ways[: reach + 1]
        ways[: reach + 1] = half
        ways[size : reach + size + 1] += half
        reach += size
    if not observed:
        return 1.0
    most = (total - abs(observed)) // 2  # of the numbers that are turned round, their sum
    return min(1.0, 2.0 * float(ways[: most + 1].sum()))


def _exact(values: Values) -> PValue | None:
    if not len(values):
        return PValue.undefined(RANDOMIZATION, NO_VALUES)
    sizes = np.abs(values[values != 0])
    if not len(sizes):
        return PValue(RANDOMIZATION, 1.0, f"exact: {NO_DIFFERENCE}")
    steps = lattice_steps(np.unique(np.append(sizes, 0.0)))
    if steps is not None:
        step = float(sizes.max()) / steps
        places = np.rint(values / step).astype(np.int64)
        p = sign_flip_p(np.abs(places[places != 0]), int(places.sum()))
        if p is not None:
            return PValue(RANDOMIZATION, p, f"exact over all signs of {len(sizes):,} differences, by convolution")
    if len(sizes) <= _MOST_ENUMERATED:
        p = _enumerated(sizes, abs(float(values.sum())))
        return PValue(RANDOMIZATION, p, f"exact over all signs of {len(sizes):,} differences, enumerated")
    return _rounded(values, sizes)


def _rounded(values: Values, sizes: Values) -> PValue | None:
    """The test of differences rounded to as fine a part of the largest as can be convolved in a tenth of a second."""
    largest = float(sizes.max())
    affordable = int(_MOST_STEPS / (len(sizes) * float(sizes.sum()) / largest))
    if affordable < _COARSEST:
        return None
    parts = min(_FINEST, affordable)
    places = np.rint(values / largest * parts).astype(np.int64)
    p = sign_flip_p(np.abs(places[places != 0]), int(places.sum()))
    said = f"exact over all signs of {len(sizes):,} differences, rounded to 1/{parts:,} of the largest"
    return None if p is None else PValue(RANDOMIZATION, p, said)


def _enumerated(sizes: Values, observed: float) -> float:
    """Share of the sign vectors whose sum is as far from 0: all sums of one half against all of the other."""
    slack = _ROUNDING * float(sizes.sum())
    if observed <= slack:
        return 1.0
    half = len(sizes) // 2
    first, second = _all_sums(sizes[:half]), np.sort(_all_sums(sizes[half:]))
    below = np.searchsorted(second, observed - slack - first, side="left")
    reached = int((len(second) - below).sum())
    return min(1.0, 2.0 * reached / 2.0 ** len(sizes))


def _all_sums(sizes: Values) -> Values:
    sums = np.zeros(1)
    for size in sizes.tolist():
        sums = np.concatenate((sums - size, sums + size))
    return sums


def _drawn(matrix: Values, seed: int, draws: int) -> Values:
    """(c + 1)/(draws + 1) for every column of `matrix` [units, columns]."""
    from threadpoolctl import threadpool_limits  # type: ignore[import-untyped]

    units, columns = matrix.shape
    rng = np.random.default_rng(seed)
    reach = np.abs(matrix.sum(axis=0)) - _ROUNDING * np.abs(matrix).sum(axis=0)
    block = max(1, _BLOCK_CELLS // max(units, columns))
    reached = np.zeros(columns)
    with threadpool_limits(limits=1, user_api="blas"):
        for start in range(0, draws, block):
            rows = min(block, draws - start)
            bits = np.frombuffer(rng.bytes(rows * -(-units // 8)), dtype=np.uint8).reshape(rows, -1)
            signs = 1.0 - 2.0 * np.unpackbits(bits, axis=1, count=units)
            reached += (np.abs(signs @ matrix) >= reach).sum(axis=0)
    return (reached + 1.0) / (draws + 1.0)
