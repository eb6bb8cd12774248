"""Rprec: precision at R, R being the number of gold documents."""

from __future__ import annotations

import numpy as np

from askance.measure.expectation import found_among_first
from askance.measure.judged import Judged, Values
from askance.measure.metrics.metric import Candidates, Metric


def compute(judged: Judged, k: int | None) -> Values:
    """Gold documents among the first R, divided by R, also where the list is shorter [queries] (trec_eval's Rprec)."""
    return found_among_first(judged, judged.gold_in, judged.gold) / np.maximum(judged.gold, 1)


def expected(candidates: Candidates, k: int | None) -> Values:
    """min(R, n)/N, n ranks counting: every document is as likely as any to be among them [queries]."""
    return np.minimum(candidates.gold, candidates.cutoff) / np.maximum(candidates.size, 1)


METRIC = Metric(
    name="Rprec",
    says="share of the first R documents that are gold, R being how many gold documents there are",
    graded=False,
    binary="never",
    cutoff="never",
    compute=compute,
    expected=expected,
)
