"""Which rows of a run are judged."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from askance.data.judgments import Judgments
from askance.data.rows import owner_of, pair_keys
from askance.data.run import Run

_BLOCK = 1 << 18
_FIBONACCI = np.uint64(0x9E3779B97F4A7C15)  # 2^64 / golden ratio: multiplying by it spreads neighbours apart
_CELLS_OF_A_KEY = 12


def judged_rows(run: Run, judgments: Judgments) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Positions of the rows of `run` that are judged, ascending, and their grades.

    Most rows of a long list are unjudged. A table of hashed keys turns nearly all of those away before the binary
    search, which would cost four times as much for all rows; blocks keep it in the cache and memory low.
    """
    width = max(len(judgments.documents), 1)
    keys = pair_keys(judgments.offsets, judgments.document, width)
    if not len(keys):
        return np.zeros(0, dtype=np.int64), np.zeros(0)
    shift = np.uint64(64 - int(_CELLS_OF_A_KEY * len(keys)).bit_length())
    known = np.zeros(1 << (64 - int(shift)), dtype=np.bool_)
    known[_hashed(keys, shift)] = True
    owner = owner_of(run.offsets)
    rows, places = [], []
    for start in range(0, len(run), _BLOCK):
        block = slice(start, start + _BLOCK)
        wanted = owner[block].astype(np.int64) * width + run.document[block]
        likely = np.flatnonzero(known[_hashed(wanted, shift)])
        at = np.minimum(np.searchsorted(keys, wanted[likely]), len(keys) - 1)
        there = keys[at] == wanted[likely]
        rows.append(likely[there] + start)
        places.append(at[there])
    if not rows:
        return np.zeros(0, dtype=np.int64), np.zeros(0)
    return np.concatenate(rows), judgments.grade[np.concatenate(places)]


def _hashed(keys: NDArray[np.int64], shift: np.uint64) -> NDArray[np.int64]:
    spread = keys.view(np.uint64) * _FIBONACCI
    spread >>= shift
    return spread.view(np.int64)
