"""Where gold stands in the lists of a run."""

from __future__ import annotations

import numpy as np

from askance.data.run import Run
from askance.diagnose.case import Case
from askance.measure.judged import Counts, Mask, judge


def gold_ranks(case: Case, run: Run) -> Counts:
    """Rank of the first gold document of each query, int64 [queries]; 0: none is listed, −1: there is none to find."""
    judged = judge(run, case.tier.judgments, case.tier.threshold, case.collection.excluded)
    far = np.iinfo(np.int64).max
    first = np.full(len(judged), far)
    group = judged.group[judged.relevant]
    np.minimum.at(first, judged.query[group], judged.before[group] + 1)
    return np.where(judged.with_gold, np.where(first == far, 0, first), -1)


def hits(case: Case, run: Run) -> Mask:
    """Queries with gold at rank 1 [queries]."""
    first: Mask = gold_ranks(case, run) == 1
    return first
