"""FirstRel: the rank of the first gold document."""

from __future__ import annotations

import numpy as np

from askance.measure.first_gold import over_first_gold
from askance.measure.judged import Counts, Judged, Values
from askance.measure.metrics.metric import Metric


def compute(judged: Judged, k: int | None) -> Values:
    """The rank, from 1 on; NaN where no gold document is listed [queries].

    Its mean is over the queries that list one, the others are counted beside it: a system that finds less may look
    better by it, so read it beside Hit at the lists' length.
    """
    rank = over_first_gold(judged, _rank, None)
    return np.where(rank > 0, rank, np.nan)


def _rank(rank: Counts) -> Values:
    return rank.astype(np.float64)


METRIC = Metric(
    name="FirstRel",
    says="rank of the first gold document, where one is listed",
    graded=False,
    binary="never",
    cutoff="never",
    compute=compute,
    bounds=(1.0, np.inf),
    lower_is_better=True,
    undefined="queries that list no gold document",
    unplaced="undefined: the mean is over the queries that list gold, and a random ranking lists gold for others",
)
