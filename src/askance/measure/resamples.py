"""Resamples of queries: drawn with a seed, in blocks, the same ones for everything that has as many queries."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from askance.measure.judged import Counts, Values

RESAMPLES = 10_000

_BLOCK_CELLS = 1_000_000


def resampled_means(columns: Values, seed: int, resamples: int = RESAMPLES) -> Values:
    """Means of `columns` [queries, m] over resamples of the queries, with replacement: float64 [resamples, m].

    See `drawn_times`: every measure, tier and system meets the same resamples. How often each query was drawn, times
    the values: one matrix product a block.
    """
    from threadpoolctl import threadpool_limits  # type: ignore[import-untyped]

    means = np.empty((resamples, columns.shape[1]))
    # a second BLAS thread only waits for the first at this size, and long where the machine is busy
    with threadpool_limits(limits=1, user_api="blas"):
        for start, times in drawn_times(len(columns), seed, resamples):
            means[start : start + len(times)] = times @ columns / len(columns)
    return means


def drawn_times(units: int, seed: int, resamples: int, at_once: int | None = None) -> Iterator[tuple[int, Values]]:
    """(first resample, how often each of `units` was drawn in each of some resamples, float64 [some, units]).

    The resamples depend on the seed and the number of units alone. `at_once`: the most that are made together.
    """
    rng = np.random.default_rng(seed)
    block = max(1, _BLOCK_CELLS // max(units, 1))
    block = block if at_once is None else max(1, min(block, at_once))
    for start in range(0, resamples, block):
        rows = min(block, resamples - start)
        drawn = rng.integers(0, units, size=(rows, units))
        drawn += units * np.arange(rows)[:, None]
        times = np.bincount(drawn.ravel(), minlength=rows * units).reshape(rows, units)
        yield start, times.astype(np.float64)


def resampled_sums_of_kinds(rows: Values, times: Counts, seed: int, resamples: int = RESAMPLES) -> Values:
    """Sums of distinct `rows` [kinds, m], of which there are `times` [kinds]: float64 [resamples, m].

    The same distribution as resampling the queries one by one, at the price of the few kinds there are.
    """
    queries = int(times.sum())
    drawn = np.random.default_rng(seed).multinomial(queries, times / queries, size=resamples)
    return drawn.astype(np.float64) @ rows
