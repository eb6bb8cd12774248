"""Corrections for several tests: Holm against any wrong rejection, Benjamini and Hochberg against a share of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from askance.measure.judged import Values


def holm(p: Sequence[float | None]) -> list[float | None]:
    """Holm (1979): max over j ≤ i of (m − j + 1) · p₍ⱼ₎, at most 1. None or NaN is no test: None, and not counted."""
    return _corrected(p, _holm)


def benjamini_hochberg(p: Sequence[float | None]) -> list[float | None]:
    """Benjamini and Hochberg (1995): min over j ≥ i of m/j · p₍ⱼ₎, at most 1. None or NaN is no test."""
    return _corrected(p, _benjamini_hochberg)


def _holm(ascending: Values) -> Values:
    m = len(ascending)
    return np.maximum.accumulate(ascending * (m - np.arange(m)))


def _benjamini_hochberg(ascending: Values) -> Values:
    m = len(ascending)
    return np.minimum.accumulate((ascending * m / np.arange(1, m + 1))[::-1])[::-1]


def _corrected(p: Sequence[float | None], correction: Callable[[Values], Values]) -> list[float | None]:
    tested = [at for at, one in enumerate(p) if one is not None and not np.isnan(one)]
    values = np.array([p[at] for at in tested], dtype=np.float64)
    order = np.argsort(values, kind="stable")
    found: list[float | None] = [None] * len(p)
    for place, corrected in zip(order.tolist(), correction(values[order]).tolist(), strict=True):
        found[tested[place]] = min(1.0, corrected)
    return found
