"""Judged@k: how much of what is shown has been judged?"""

from __future__ import annotations

import numpy as np

from askance.measure.expectation import found_among_first
from askance.measure.judged import Judged, Values
from askance.measure.metrics.metric import Candidates, Metric


def compute(judged: Judged, k: int | None) -> Values:
    """Judged documents among the first k, divided by how many are listed there; NaN for an empty list [queries].

    Negative grades are no judgments. A list shorter than k is not blamed for its length (as in ir_measures).
    """
    assert k is not None, "Measure sees to it"
    shown = np.minimum(judged.listed, k)
    found = found_among_first(judged, judged.judged_in, k)
    share: Values = np.divide(found, shown, out=np.full(len(judged), np.nan), where=shown > 0)
    return share


def expected(candidates: Candidates, k: int | None) -> Values:
    """J/N, J of N candidates being judged [queries]."""
    return candidates.pool / np.maximum(candidates.size, 1)


METRIC = Metric(
    name="Judged",
    says="share of the first k listed documents that are judged",
    graded=False,
    binary="at 1",
    cutoff="required",
    compute=compute,
    expected=expected,
    takes=(),
    pooled=True,
    undefined="queries with an empty list",
)
