"""From a run and the new order of its first places to the reranked run."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from askance.data.rows import frozen
from askance.data.run import Run


def reordered(run: Run, order: Sequence[NDArray[np.int64]], name: str) -> Run:
    """The run with the first places of each list permuted: `order[q]` says which old place comes 1st, 2nd …

    The new scores are places counted from the end of the list: the last document has 1, each one above it one more.
    A reranker compares only the first few, so its own scores have no place beside those of the tail; and first-stage
    scores, left where they were, would keep ties that the reranker has broken. Places say the order and nothing else,
    to whoever sorts by score.
    """
    document = run.document.copy()
    for query, places in enumerate(order):
        start = run.offsets[query]
        document[start : start + len(places)] = run.document[start + places]
    lengths = np.diff(run.offsets)
    score = np.repeat(run.offsets[1:], lengths) - np.arange(len(document))
    return replace(run, name=name, document=frozen(document), score=frozen(score.astype(np.float64)))
