"""nDCG, nDCG@k: discounted cumulative gain, linear in the grade, as a share of the ideal ranking's."""

from __future__ import annotations

import numpy as np

from askance.data.rows import owner_of
from askance.measure.judged import Counts, Gains, Judged, Values, sum_per_query
from askance.measure.metrics.metric import Candidates, Metric


def compute(judged: Judged, k: int | None) -> Values:
    """Σ_r grade(r)/log2(r + 1) over the first k, divided by that of the ideal ranking [queries].

    Grades of 0 and below gain nothing; the threshold of gold plays no part. The ideal ranking has all documents with a
    grade above 0, cut at k only (Järvelin and Kekäläinen 2002, trec_eval's ndcg and ndcg_cut).
    """
    grades = judged.grades[:, :k]
    query, column = np.nonzero(grades > 0)
    gained = sum_per_query(query, grades[query, column] / _discount(column), len(judged))
    return _share(gained, _ideal(judged.ideal, k))


def expected(candidates: Candidates, k: int | None) -> Values:
    """(Σ gains / N) · Σ_{r≤n} 1/log2(r + 1), n ranks counting, divided by the ideal ranking's [queries]."""
    gains = candidates.gains
    total = sum_per_query(owner_of(gains.offsets).astype(np.int64), gains.gain, len(candidates))
    weights = 1.0 / _discount(np.arange(int(candidates.cutoff.max(initial=0))))
    reach = np.concatenate(([0.0], np.cumsum(weights)))[candidates.cutoff]
    return _share(total / np.maximum(candidates.size, 1) * reach, _ideal(gains, k))


def _discount(column: Counts) -> Values:
    discount: Values = np.log2(column + 2.0)
    return discount


def _ideal(gains: Gains, k: int | None) -> Values:
    """The discounted gain of the ideal ranking, cut at k [queries]."""
    owner = owner_of(gains.offsets).astype(np.int64)
    column = np.arange(len(gains.gain)) - gains.offsets[owner]
    within = np.ones(len(column), dtype=np.bool_) if k is None else column < k
    return sum_per_query(owner[within], gains.gain[within] / _discount(column[within]), len(gains.counts))


def _share(gained: Values, ideal: Values) -> Values:
    return np.divide(gained, ideal, out=np.zeros(len(ideal)), where=ideal > 0)


METRIC = Metric(
    name="nDCG",
    says="discounted cumulative gain (linear in the grade) as a share of the ideal ranking's",
    graded=True,
    binary="never",
    cutoff="optional",
    compute=compute,
    expected=expected,
)
