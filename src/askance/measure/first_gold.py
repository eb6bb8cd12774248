"""Where the first gold document of a random ranking falls: exact, without cancellation."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from askance.measure.judged import Values
from askance.measure.metrics.metric import Candidates


def sum_over_first_gold(candidates: Candidates, weight: Callable[[int], float]) -> Values:
    """Σ over ranks r up to the cut-off of weight(r) · P(the first gold document stands at rank r) [queries].

    P = K/(N − r + 1) · ∏_{i<r−1} (N − K − i)/(N − i), the terms of 1 − ∏_{i<k} (N − K − i)/(N − i). Summing them
    instead of subtracting the product from 1 keeps the relative error near 1e-15 where gold is rare.
    """
    kinds, where = np.unique(
        np.stack([candidates.size, candidates.gold, candidates.cutoff]), axis=1, return_inverse=True
    )
    size, gold, cutoff = kinds
    missed = np.ones(len(size))
    total = np.zeros(len(size))
    for rank in range(1, int(cutoff.max(initial=0)) + 1):
        left = np.maximum(size - rank + 1, 1)
        here = np.where(rank <= cutoff, missed * gold / left, 0.0)
        total += weight(rank) * here
        missed *= np.maximum(left - gold, 0) / left
        if not missed.any():
            break
    return total[where.reshape(-1)]
