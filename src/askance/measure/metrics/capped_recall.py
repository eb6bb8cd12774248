"""CappedRecall@k: how much of the gold that can be among the first k is there? Recall divided by its ceiling.

Recall@k cannot reach 1 where a query has more than k gold documents. BEIR calls this one R_cap@k (Thakur et al. 2021).
"""

from __future__ import annotations

import numpy as np

from askance.measure.expectation import found_among_first
from askance.measure.judged import Judged, Values
from askance.measure.metrics.metric import Candidates, Metric


def compute(judged: Judged, k: int | None) -> Values:
    """Gold documents among the first k, divided by the lesser of k and all gold documents of the query [queries]."""
    assert k is not None, "Measure sees to it"
    found: Values = found_among_first(judged, judged.gold_in, k) / np.clip(judged.gold, 1, k)
    return found


def expected(candidates: Candidates, k: int | None) -> Values:
    """Mean gold among min(k, N) random documents, n·min(k, N)/N of n, over the lesser of k and n [queries]."""
    assert k is not None, "Measure sees to it"
    mean = candidates.gold * candidates.cutoff / np.maximum(candidates.size, 1)
    return np.asarray(mean / np.clip(candidates.gold, 1, k), dtype=np.float64)


METRIC = Metric(
    name="CappedRecall",
    says="gold documents among the first k over as many as could be there: the lesser of k and all gold",
    graded=False,
    binary="never",
    cutoff="required",
    compute=compute,
    expected=expected,
)
