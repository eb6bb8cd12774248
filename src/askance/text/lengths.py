"""The length of a text as Lucene keeps it: in one byte."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

_EXACT_BELOW = 24  # lengths that Lucene's byte spends on exact values before it starts to round


def stored_lengths(lengths: NDArray[np.int64]) -> NDArray[np.int64]:
    """Lengths as Lucene's byte keeps them (SmallFloat.intToByte4): above 24 rounded down to four significant bits."""
    above = np.maximum(lengths - _EXACT_BELOW, 0)
    bits = np.frexp(above.astype(np.float64))[1].astype(np.int64)
    drop = np.maximum(bits - 4, 0)
    return np.where(lengths < _EXACT_BELOW, lengths, _EXACT_BELOW + (above >> drop << drop))
