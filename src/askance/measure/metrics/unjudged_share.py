"""Unjudged@k: how much of what is shown nobody has judged?"""

from __future__ import annotations

from askance.measure.judged import Judged, Values
from askance.measure.metrics import judged_share
from askance.measure.metrics.metric import Candidates, Metric


def compute(judged: Judged, k: int | None) -> Values:
    """1 − Judged@k: of the documents listed among the first k; NaN for an empty list [queries]."""
    return 1.0 - judged_share.compute(judged, k)


def expected(candidates: Candidates, k: int | None) -> Values:
    """1 − J/N, J of N candidates being judged [queries]."""
    return 1.0 - judged_share.expected(candidates, k)


METRIC = Metric(
    name="Unjudged",
    says="share of the first k listed documents that are not judged",
    graded=False,
    binary="at 1",
    cutoff="required",
    compute=compute,
    expected=expected,
    takes=(),
    pooled=True,
    lower_is_better=True,
    undefined="queries with an empty list",
)
