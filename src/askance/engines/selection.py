"""The best of many scores, in the one order that every engine keeps: score descending, then position ascending."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray


def best(scores: NDArray[np.floating], depth: int) -> NDArray[np.int64]:
    """Where the `depth` highest scores stand, best first, ties by position. Fewer where there are fewer scores."""
    chosen = np.arange(len(scores))
    if 0 < depth < len(scores):
        last = np.partition(scores, len(scores) - depth)[len(scores) - depth]
        above = np.flatnonzero(scores > last)
        tied = np.flatnonzero(scores == last)[: depth - len(above)]
        chosen = np.sort(np.concatenate([above, tied]))
    order = np.argsort(-scores[chosen], kind="stable")
    return chosen[order][: max(depth, 0)]
