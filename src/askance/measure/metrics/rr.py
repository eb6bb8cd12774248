"""RR, RR@k: reciprocal rank of the first gold document; its mean is MRR."""

from __future__ import annotations

from askance.measure.first_gold import over_first_gold, sum_over_first_gold
from askance.measure.judged import Counts, Judged, Values
from askance.measure.metrics.metric import Candidates, Metric


def compute(judged: Judged, k: int | None) -> Values:
    """1/r where r is the rank of the first gold document; 0 where none is listed (among the first k) [queries]."""
    return over_first_gold(judged, _reciprocal, k)


def expected(candidates: Candidates, k: int | None) -> Values:
    """Σ_r (1/r) · P(the first gold document stands at rank r) [queries]."""
    return sum_over_first_gold(candidates, _reciprocal)


def _reciprocal(rank: Counts) -> Values:
    weight: Values = 1.0 / rank
    return weight


METRIC = Metric(
    name="RR",
    says="one over the rank of the first gold document",
    graded=False,
    binary="at 1",
    cutoff="optional",
    compute=compute,
    expected=expected,
)
