"""Rows per query: one flat column with offsets, the shape that judgments, runs, roles and exclusions share."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Offsets = NDArray[np.int64]
Positions = NDArray[np.int32]


def offsets_of(lengths: Sequence[int] | NDArray[np.int64]) -> Offsets:
    """Offsets [n + 1] of rows with these lengths: row q is `flat[offsets[q]:offsets[q + 1]]`."""
    offsets = np.zeros(len(lengths) + 1, dtype=np.int64)
    np.cumsum(np.asarray(lengths, dtype=np.int64), out=offsets[1:])
    return offsets


def frozen(array: NDArray) -> NDArray:  # type: ignore[type-arg]
    """The same array, read-only."""
    array.setflags(write=False)
    return array


def owner_of(offsets: Offsets) -> Positions:
    """For each flat entry, the row it belongs to."""
    return np.repeat(np.arange(len(offsets) - 1, dtype=np.int32), np.diff(offsets))


def pair_keys(offsets: Offsets, column: Positions, width: int) -> NDArray[np.int64]:
    """One key per (row, value) pair: row · width + value. `width` exceeds every value."""
    return owner_of(offsets).astype(np.int64) * width + column
