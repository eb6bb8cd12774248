"""Kappa: agreement of two judges on one scale, beyond what their habits would give by chance (Cohen 1960, 1968)."""

from __future__ import annotations

from typing import Literal, get_args

import numpy as np

from askance.core.errors import UnknownName
from askance.measure.agreement.table import Codes
from askance.measure.judged import Counts, Values

Weights = Literal["plain", "linear", "quadratic"]
WEIGHTS: tuple[Weights, ...] = get_args(Weights)


def disagreement(labels: int, weights: Weights) -> Values:
    """How far apart two of `labels` places on the scale are, 0 to 1 [labels, labels].

    With i and j places on the scale, from 0 to k − 1: plain 1 where they differ; linear |i − j|/(k − 1); quadratic its
    square.
    """
    place = np.arange(labels)
    apart: Values = np.abs(place[:, None] - place) / (labels - 1)
    if weights == "plain":
        return np.asarray(apart > 0, dtype=np.float64)
    if weights == "linear":
        return apart
    if weights == "quadratic":
        return np.asarray(np.square(apart))
    raise UnknownName("weighting of kappa", weights, WEIGHTS)


def cross_table(first: Codes, second: Codes, labels: int) -> Counts:
    """How often the one judge says i where the other says j, over items that both label [labels, labels].

    `first`, `second` int64 [items]: places on the scale, −1 where there is no label.
    """
    both = (first >= 0) & (second >= 0)
    return np.bincount(first[both] * labels + second[both], minlength=labels * labels).reshape(labels, labels)


def kappa(tables: Values | Counts, weights: Weights) -> Values:
    """1 − Σ w·observed / Σ w·expected of cross tables [..., labels, labels]; NaN where nothing is expected to differ.

    Expected: the product of the margins. 1 is perfect agreement, 0 what the margins alone would give.
    """
    tables = np.asarray(tables, dtype=np.float64)
    apart = disagreement(tables.shape[-1], weights)
    total = tables.sum(axis=(-2, -1))
    rows, columns = tables.sum(axis=-1), tables.sum(axis=-2)
    observed = np.einsum("...ij,ij->...", tables, apart) * total
    expected = np.einsum("...i,ij,...j->...", rows, apart, columns, optimize=True)
    return np.asarray(1.0 - _divided(observed, expected))


def share_equal(tables: Values | Counts) -> Values:
    """Share of items on which the judges say the same [...]; NaN of an empty table."""
    tables = np.asarray(tables, dtype=np.float64)
    total = tables.sum(axis=(-2, -1))
    equal = np.trace(tables, axis1=-2, axis2=-1)
    return _divided(equal, total)


def mean_difference(tables: Values | Counts, scale: Values) -> Values:
    """By how much the second judge (columns) labels higher than the first, on average [...]; NaN of an empty table."""
    tables = np.asarray(tables, dtype=np.float64)
    total = tables.sum(axis=(-2, -1))
    higher = np.einsum("...ij,ij->...", tables, scale[None, :] - scale[:, None])
    return _divided(higher, total)


def _divided(over: Values, under: Values) -> Values:
    """NaN where there is nothing to divide by."""
    found: Values = np.divide(over, under, out=np.full(np.shape(under), np.nan), where=under > 0)
    return found
