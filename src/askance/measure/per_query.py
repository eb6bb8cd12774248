"""Flat columns of terms, added up or picked by query."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from askance.data.rows import Offsets, offsets_of


def sum_per_query(query: NDArray[np.int64], terms: NDArray[np.float64], queries: int) -> NDArray[np.float64]:
    """Sums of the `terms` of each query [queries].

    They are added one after the other: a longer list elsewhere never changes the last bit of a sum, as numpy's
    pairwise summation along an axis would.
    """
    return np.bincount(query, weights=terms, minlength=queries).astype(np.float64)


def taken(offsets: Offsets, queries: NDArray[np.int64]) -> tuple[Offsets, NDArray[np.int64]]:
    """Offsets of the rows of these queries (repeats allowed), and where each row stood in the flat column."""
    lengths = np.diff(offsets)[queries]
    found = offsets_of(lengths)
    return found, np.repeat(offsets[:-1][queries] - found[:-1], lengths) + np.arange(found[-1])
