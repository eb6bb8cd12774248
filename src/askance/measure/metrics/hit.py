"""Hit@k, also called Success@k: is any gold document among the first k?"""

from __future__ import annotations

from askance.measure.first_gold import sum_over_first_gold
from askance.measure.judged import Judged, Values
from askance.measure.metrics.metric import Candidates, Metric


def compute(judged: Judged, k: int | None) -> Values:
    """1 where a gold document stands at rank k or before, else 0 [queries]."""
    return judged.relevant[:, :k].any(axis=1).astype(float)


def expected(candidates: Candidates, k: int | None) -> Values:
    """1 − ∏_{i<k} (N − K − i)/(N − i): the hypergeometric chance of at least one gold document [queries]."""
    return sum_over_first_gold(candidates, lambda rank: 1.0)


METRIC = Metric(
    name="Hit",
    says="share of queries with a gold document among the first k",
    graded=False,
    binary="always",
    cutoff="required",
    compute=compute,
    expected=expected,
)
