"""Two vectors of each text, one from either serving: how far apart they point."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from askance.core.errors import BadInput, DataProblem
from askance.core.estimate import Estimate
from askance.measure.bootstrap import bootstrap_mean
from askance.measure.intervals import TAILS, proportion
from askance.measure.judged import Counts, Values

CLOSE = 0.999
QUANTILES = (0.01, 0.05, 0.25, 0.5)
NO_DIRECTION = "rows without a direction: all zeros, or not numbers"

_BLOCK = 8_192
_LOWEST = 10

Vectors = NDArray[np.floating]


@dataclass(frozen=True, eq=False)
class CosineDrift:
    """Cosines of two matrices, row by row.

    `mean`; `lowest`: the smallest, which has no interval; `close`: share of rows above `threshold`; `quantiles`:
    lower quantiles. `rows`, `values`: the ten lowest, lowest first: where they stand, and their cosines.
    """

    mean: Estimate
    lowest: Estimate
    threshold: float
    close: Estimate
    quantiles: Mapping[float, Estimate]
    rows: Counts
    values: Values


def cosines(first: Vectors, second: Vectors) -> Values:
    """The cosine of each row of `first` with the same row of `second`, both [rows, dimension]: float64 [rows].

    NaN where a row is all zeros or holds what is not a number. DataProblem where the matrices differ in shape.
    """
    if first.ndim != 2 or first.shape != second.shape:
        raise DataProblem(
            f"matrices of shape {list(first.shape)} and {list(second.shape)} cannot be compared row by row",
            remedy="Bring the vectors of the same texts, in the same order, from two servings of one model.",
        )
    found = np.empty(len(first))
    for start in range(0, len(first), _BLOCK):
        rows = slice(start, start + _BLOCK)
        a, b = (np.asarray(each[rows], dtype=np.float64) for each in (first, second))
        with np.errstate(invalid="ignore", over="ignore"):
            inner = np.einsum("rd,rd->r", a, b)
            lengths = np.sqrt(np.einsum("rd,rd->r", a, a)) * np.sqrt(np.einsum("rd,rd->r", b, b))
            found[rows] = np.divide(inner, lengths, out=np.full(len(a), np.nan), where=lengths > 0)
    found[~np.isfinite(found)] = np.nan
    clipped: Values = np.clip(found, -1.0, 1.0)
    return clipped


def cosine_drift(values: Values, threshold: float = CLOSE) -> CosineDrift:
    """What the cosines of all rows say together; NaN are left out and counted. BadInput where none is left."""
    there = np.flatnonzero(np.isfinite(values))
    if not len(there):
        raise BadInput("no row has a direction in both matrices", remedy="Are these vectors? They may be all zeros.")
    kept = values[there]
    without = len(values) - len(kept)
    left_out = {NO_DIRECTION: without} if without else {}
    order = np.argsort(kept, kind="stable")[:_LOWEST]
    n = len(kept)
    least = float(kept.min())
    lowest = Estimate(least, None, None, n, "the smallest; texts not seen may lie below, so no interval", left_out)
    return CosineDrift(
        mean=_of_texts(bootstrap_mean(kept, left_out, (-1.0, 1.0))),
        lowest=lowest,
        threshold=threshold,
        close=_of_texts(proportion(int((kept > threshold).sum()), n, left_out)),
        quantiles={share: quantile(kept, share, (-1.0, 1.0), left_out) for share in QUANTILES},
        rows=there[order],
        values=kept[order],
    )


def quantile(
    values: Values,
    share: float,
    bounds: tuple[float | None, float | None],
    left_out: Mapping[str, int] | None = None,
) -> Estimate:
    """A quantile of `values` [n], with the interval between two of them that holds it whatever their distribution.

    The number of values below the true quantile is binomial: its 2.5 % and 97.5 % quantiles say between which order
    statistics that lies. An end that would lie beyond all values is the bound of what a value can be, None where there
    is no such bound.
    """
    from scipy.stats import binom

    n = len(values)
    if not n:
        return Estimate.undefined("no values", left_out=left_out)
    ordered = np.sort(values)
    below, above = (int(binom.ppf(tail, n, share)) for tail in TAILS)
    low = float(ordered[below - 1]) if below > 0 else bounds[0]
    high = float(ordered[above]) if above < n else bounds[1]
    return Estimate(
        float(np.quantile(ordered, share)),
        low,
        high,
        n,
        "between order statistics, exact from the binomial",
        left_out or {},
    )


def _of_texts(estimate: Estimate) -> Estimate:
    """The same, said of texts: they and not queries are what was drawn."""
    return replace(estimate, method=estimate.method.replace("queries", "texts"))
