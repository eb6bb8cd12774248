"""Exact dense search against its floor: one BLAS product of the same shape and a plain argpartition selection.

Run: python bench/dense_search.py [documents] [dimension] [queries] [depth]. Repetitions are interleaved, so that a busy
machine slows both alike; medians are compared.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from statistics import median

import numpy as np
from numpy.typing import NDArray

from askance.engines.exact_vectors import nearest

REPETITIONS = 7
LIMIT = 1.3

Vectors = NDArray[np.float32]


def unit(rows: int, dimension: int, seed: int) -> Vectors:
    drawn = np.random.default_rng(seed).standard_normal((rows, dimension), dtype=np.float32)
    drawn /= np.linalg.norm(drawn, axis=1, keepdims=True)
    return drawn


def plain(queries: Vectors, documents: Vectors, depth: int) -> NDArray[np.int64]:
    """The floor: no rounding, no rule for ties, no bound on memory."""
    scores = queries @ documents.T
    chosen = np.argpartition(scores, scores.shape[1] - depth, axis=1)[:, -depth:]
    order = np.argsort(-np.take_along_axis(scores, chosen, axis=1), axis=1)
    return np.take_along_axis(chosen, order, axis=1)


def seconds(work: Callable[[], object]) -> float:
    begun = time.perf_counter()
    work()
    return time.perf_counter() - begun


def main(documents: int = 50_000, dimension: int = 384, queries: int = 1_000, depth: int = 100) -> None:
    corpus, asked = unit(documents, dimension, 1), unit(queries, dimension, 2)
    vectors = np.concatenate([corpus, asked])
    document_rows, query_rows = np.arange(documents), np.arange(documents, documents + queries)

    works: dict[str, Callable[[], object]] = {
        "product alone": lambda: asked @ corpus.T,
        "product and argpartition": lambda: plain(asked, corpus, depth),
        "askance": lambda: nearest(vectors, query_rows, document_rows, depth),
    }
    took: dict[str, list[float]] = {name: [] for name in works}
    for _ in range(REPETITIONS):
        for name, work in works.items():
            took[name].append(seconds(work))
    floor = median(took["product and argpartition"])
    print(f"{documents:,} documents × {dimension}, {queries:,} queries, depth {depth}, {REPETITIONS} repetitions")
    print(f"{'':26}{'median s':>10}{'fastest s':>11}{'of floor':>10}")
    for name, times in took.items():
        print(f"{name:26}{median(times):10.3f}{min(times):11.3f}{median(times) / floor:10.2f}")
    ratio = median(took["askance"]) / floor
    print(f"limit {LIMIT} × the floor: {'kept' if ratio <= LIMIT else 'BROKEN'}")
    if ratio > LIMIT:
        raise SystemExit(1)


if __name__ == "__main__":
    main(*(int(told.replace("_", "")) for told in sys.argv[1:]))
