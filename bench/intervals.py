"""Intervals of graded means without resampling, against scipy's bootstrap (percentile, 10,000 resamples, its default
batch) and against our own drawn resamples.

Target: 12 measures at n = 10,000 together in less than scipy takes for one. The last table is how far the computed
bounds are from those of 200,000 resamples, in standard errors, beside the noise that these have. Where values are steps
of 1/10 or 1/5, a bound is one of few, and resampling may by chance give its neighbour.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial
from math import sqrt
from statistics import median

import numpy as np
from scipy.stats import bootstrap, norm

from askance.measure.bootstrap import mean_interval
from askance.measure.judged import Values
from askance.measure.resamples import resampled_means

SIZES = (118, 500, 10_000)
MEASURES = 12
REPETITIONS = 5
RESAMPLES, MANY = 10_000, 200_000


def measures(n: int) -> list[Values]:
    """Twelve columns as graded measures give them: nDCG, AP, RR, P, Recall, differences of them."""
    rng = np.random.default_rng(n)
    rank = rng.integers(1, 101, n)
    first = np.where(rank <= 10, rank, 0)
    ap, other = rng.beta(0.6, 1.5, n), rng.beta(0.7, 1.4, n)
    return [
        ap,
        other,
        rng.beta(1.0, 1.0, n),
        1 / rank,
        np.where(first > 0, 1 / np.maximum(first, 1), 0.0),
        np.where(first > 0, 1 / np.log2(1 + np.maximum(first, 1)), 0.0),
        rng.binomial(10, ap) / 10,
        rng.binomial(5, ap) / 5,
        rng.binomial(rank, 0.4) / rank,
        ap - other,
        np.where(rng.random(n) < 0.7, 0.0, rng.normal(0.01, 0.3, n)),
        (rng.binomial(10, ap) - rng.binomial(10, other)) / 10,
    ]


def seconds(work: Callable[[], object]) -> float:
    begun = time.perf_counter()
    work()
    return time.perf_counter() - begun


def computed_intervals(columns: list[Values]) -> None:
    for values in columns:
        mean_interval(values)


def drawn_intervals(matrix: Values) -> None:
    np.quantile(resampled_means(matrix, 0, RESAMPLES), (0.025, 0.975), axis=0)


def by_scipy(values: Values) -> None:
    bootstrap((values,), np.mean, n_resamples=RESAMPLES, method="percentile", rng=np.random.default_rng(0))


def main() -> None:
    kept = True
    print("| n | 12 measures, computed, ms | drawn 10,000, ms | scipy, one measure, ms | computed of scipy |")
    print("|--:|--:|--:|--:|--:|")
    for n in SIZES:
        columns = measures(n)
        works: dict[str, Callable[[], object]] = {
            "computed": partial(computed_intervals, columns),
            "drawn": partial(drawn_intervals, np.column_stack(columns)),
            "scipy": partial(by_scipy, columns[0]),
        }
        took: dict[str, list[float]] = {name: [] for name in works}
        for _ in range(REPETITIONS):
            for name, work in works.items():
                took[name].append(seconds(work))
        computed, drawn, scipy = (1e3 * median(took[name]) for name in works)
        print(f"| {n:,} | {computed:.1f} | {drawn:.0f} | {scipy:.0f} | {computed / scipy:.2f} |")
        kept = kept and (n < SIZES[-1] or computed < scipy)
    print(f"\nTarget at n = {SIZES[-1]:,}: {'kept' if kept else 'MISSED'}\n")
    deviations()
    if not kept:
        raise SystemExit(1)


def deviations() -> None:
    """How far the computed bounds are from those of many resamples."""
    noise = sqrt(0.025 * 0.975 / MANY) / norm.pdf(norm.ppf(0.025))
    print(f"| n = 118, {MANY:,} resamples | lower bound, standard errors | upper bound | noise of resampling |")
    print("|---|--:|--:|--:|")
    columns = measures(118)
    means = resampled_means(np.column_stack(columns), 1, MANY)
    for at, values in enumerate(columns):
        drawn = np.quantile(means[:, at], (0.025, 0.975))
        error = values.std() / sqrt(len(values))
        low, high = (np.array(mean_interval(values)) - drawn) / error
        print(f"| measure {at + 1} | {low:+.4f} | {high:+.4f} | {noise:.4f} |")


if __name__ == "__main__":
    main()
