"""Krippendorff's alpha: agreement of any number of judges, labels missing or not (Krippendorff 2019, chapter 12).

α = 1 − D_o/D_e. D_o: the mean difference of two labels of one item. D_e: that of any two labels. Both come from the
coincidence matrix: every ordered pair of labels of an item with m labels, weighted 1/(m − 1). An item with a single
label can be compared with nothing and counts nowhere.
"""

from __future__ import annotations

from typing import Literal, get_args

import numpy as np

from askance.core.errors import UnknownName
from askance.measure.agreement.table import Codes
from askance.measure.judged import Values

Level = Literal["nominal", "ordinal", "interval"]
LEVELS: tuple[Level, ...] = get_args(Level)


def coincidences(codes: Codes, labels: int) -> Values:
    """The share of each item in the coincidence matrix: float64 [items, labels, labels]; zero where it has one label.

    `codes` int64 [judges, items]: places on the scale, −1 where there is no label.
    """
    counts = np.stack([(codes == place).sum(axis=0) for place in range(labels)], axis=1).astype(np.float64)
    pairs = counts[:, :, None] * counts[:, None, :]
    diagonal = np.arange(labels)
    pairs[:, diagonal, diagonal] -= counts
    others = counts.sum(axis=1) - 1
    return np.asarray(pairs / np.where(others > 0, others, np.inf)[:, None, None])


def alpha(matrices: Values, level: Level, scale: Values) -> Values:
    """α of coincidence matrices [..., labels, labels]; NaN where all labels are the same.

    The difference of two labels: nominal 1 where they differ; interval the square of the difference of their values on
    the `scale` [labels]; ordinal the square of how many labels lie between them, half of each end counted.
    """
    matrices = np.asarray(matrices, dtype=np.float64)
    occurs = matrices.sum(axis=-1)
    apart = _differences(occurs, level, scale)
    observed = np.sum(matrices * apart, axis=(-2, -1)) * (occurs.sum(axis=-1) - 1)
    expected = np.sum(occurs[..., :, None] * occurs[..., None, :] * apart, axis=(-2, -1))
    shortfall = np.divide(observed, expected, out=np.full(np.shape(expected), np.nan), where=expected > 0)
    return np.asarray(1.0 - shortfall)


def _differences(occurs: Values, level: Level, scale: Values) -> Values:
    """[..., labels, labels]"""
    if level == "nominal":
        return np.asarray(1.0 - np.eye(len(scale)))
    if level == "interval":
        return np.asarray(np.square(scale[:, None] - scale))
    if level == "ordinal":
        middle = np.cumsum(occurs, axis=-1) - occurs / 2
        return np.asarray(np.square(middle[..., :, None] - middle[..., None, :]))
    raise UnknownName("level of measurement", level, LEVELS)
