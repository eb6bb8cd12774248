"""AP, AP@k: average precision; its mean is MAP."""

from __future__ import annotations

import numpy as np

from askance.measure.expectation import places
from askance.measure.judged import Judged, Values
from askance.measure.metrics.metric import Candidates, Metric
from askance.measure.per_query import sum_per_query


def compute(judged: Judged, k: int | None) -> Values:
    """Precision at the rank of each listed gold document, summed, divided by all gold documents [queries].

    A gold document that is not listed (among the first k) adds 0; the divisor is the number of gold documents, not of
    those retrieved (Buckley and Voorhees 2000; trec_eval's map).

    In a tie of m documents, K of them gold, the i-th rank holds gold with the chance K/m; before it then stand, on
    average, (i − 1)(K − 1)/(m − 1) gold documents of the same tie.
    """
    gold, size = judged.gold_in, judged.size
    there = places(judged, gold > 0, k)
    group, rank = there.group, there.rank
    others = ((gold - 1) / np.maximum(size - 1, 1))[group]
    hits = (judged.earlier(gold) + 1)[group] + (rank - judged.before[group] - 1) * others
    summed = sum_per_query(judged.query[group], (gold / size)[group] * hits / rank, len(judged))
    return np.minimum(summed / np.maximum(judged.gold, 1), 1.0)  # rounding must not lift a perfect list above 1


def expected(candidates: Candidates, k: int | None) -> Values:
    """(1/N) · [H_n + (K − 1)/(N − 1) · (n − H_n)], n ranks counting, H_n = Σ_{r≤n} 1/r [queries].

    From E[AP] = (1/K) Σ_r (1/r) · [P(gold at r) + (r − 1) · P(gold at r and at another given rank)].
    """
    cutoff = candidates.cutoff
    harmonic = np.concatenate(([0.0], np.cumsum(1.0 / np.arange(1, int(cutoff.max(initial=0)) + 1))))[cutoff]
    size = np.maximum(candidates.size, 1)
    another = (candidates.gold - 1) / np.maximum(size - 1, 1)
    return np.where(candidates.gold > 0, (harmonic + another * (cutoff - harmonic)) / size, 0.0)


METRIC = Metric(
    name="AP",
    says="average precision over the query's gold documents",
    graded=False,
    binary="never",
    cutoff="optional",
    compute=compute,
    expected=expected,
)
