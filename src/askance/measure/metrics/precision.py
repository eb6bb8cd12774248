"""P@k: how much of the first k is gold?"""

from __future__ import annotations

import numpy as np

from askance.measure.expectation import found_among_first
from askance.measure.judged import Judged, Values
from askance.measure.metrics.metric import Candidates, Metric


def compute(judged: Judged, k: int | None) -> Values:
    """Gold documents among the first k, divided by k also where the list is shorter [queries]."""
    assert k is not None, "Measure sees to it"
    found: Values = found_among_first(judged, judged.gold_in, k) / k
    return found


def expected(candidates: Candidates, k: int | None) -> Values:
    """(K/N) · min(k, N)/k [queries]."""
    assert k is not None, "Measure sees to it"
    found: Values = candidates.cutoff * candidates.gold / (np.maximum(candidates.size, 1) * k)
    return found


METRIC = Metric(
    name="P",
    says="share of the first k documents that are gold",
    graded=False,
    binary="at 1",
    cutoff="required",
    compute=compute,
    expected=expected,
)
