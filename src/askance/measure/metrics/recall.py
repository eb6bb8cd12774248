"""Recall@k, also called R@k: how much of the gold is among the first k?"""

from __future__ import annotations

import numpy as np

from askance.measure.expectation import found_among_first
from askance.measure.judged import Judged, Values
from askance.measure.metrics.metric import Candidates, Metric


def compute(judged: Judged, k: int | None) -> Values:
    """Gold documents among the first k, divided by all gold documents of the query [queries]."""
    assert k is not None, "Measure sees to it"
    found: Values = found_among_first(judged, judged.gold_in, k) / np.maximum(judged.gold, 1)
    return found


def expected(candidates: Candidates, k: int | None) -> Values:
    """min(k, N)/N: every document is as likely as any to be among the first k [queries]."""
    return np.where(candidates.gold > 0, candidates.cutoff / np.maximum(candidates.size, 1), 0.0)


METRIC = Metric(
    name="Recall",
    says="share of a query's gold documents that are among the first k",
    graded=False,
    binary="never",
    cutoff="required",
    compute=compute,
    expected=expected,
)
