"""Bpref: how often judged non-gold stands before gold; unjudged documents do not matter."""

from __future__ import annotations

import numpy as np

from askance.measure.judged import Judged, Values
from askance.measure.metrics.metric import Metric
from askance.measure.per_query import sum_per_query


def compute(judged: Judged, k: int | None) -> Values:
    """(1/R) Σ over listed gold documents of 1 − min(n, R)/min(R, N) [queries].

    R gold and N other judged documents, n of which stand before this one; 1 − 0 where N is 0 (Buckley and Voorhees
    2004, in the form of trec_eval 8 and later). Negative grades are no judgments.

    A gold document of a tie has any number from 0 to the tie's judged non-gold documents before it, each as likely.
    """
    gold = judged.gold_in
    others = judged.judged_in - gold
    wanted = judged.gold[judged.query]
    passed = judged.earlier(others)
    below = np.clip(wanted - passed, 0, others + 1)  # how many of the equally likely n are less than R
    summed = below * passed + below * (below - 1) // 2 + (others + 1 - below) * wanted
    most = np.minimum(judged.pool - judged.gold, judged.gold)[judged.query]
    lost = summed / ((others + 1) * np.maximum(most, 1))
    return sum_per_query(judged.query, gold * (1.0 - lost), len(judged)) / np.maximum(judged.gold, 1)


METRIC = Metric(
    name="Bpref",
    says="share of the preferences of gold over judged non-gold that the ranking keeps",
    graded=False,
    binary="never",
    cutoff="never",
    compute=compute,
    takes=("rel",),
    pooled=True,
)
