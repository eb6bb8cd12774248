"""Hit@k, also called Success@k: is any gold document among the first k?"""

from __future__ import annotations

import numpy as np

from askance.measure.first_gold import over_first_gold, sum_over_first_gold, surely_within
from askance.measure.judged import Counts, Judged, Values
from askance.measure.metrics.metric import Candidates, Metric


def compute(judged: Judged, k: int | None) -> Values:
    """1 where a gold document stands at rank k or before, else 0 [queries].

    Where a tie reaches over rank k: the hypergeometric chance that one of its gold documents comes within.
    """
    assert k is not None, "Measure sees to it"
    return np.maximum(surely_within(judged, k), np.minimum(over_first_gold(judged, _one, k), 1.0))


def expected(candidates: Candidates, k: int | None) -> Values:
    """1 − ∏_{i<k} (N − K − i)/(N − i): the hypergeometric chance of at least one gold document [queries]."""
    return sum_over_first_gold(candidates, _one)


def _one(rank: Counts) -> Values:
    return np.ones(len(rank))


METRIC = Metric(
    name="Hit",
    says="share of queries with a gold document among the first k",
    graded=False,
    binary="always",
    cutoff="required",
    compute=compute,
    expected=expected,
)
