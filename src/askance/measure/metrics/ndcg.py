"""nDCG, nDCG@k: discounted cumulative gain as a share of the ideal ranking's; `gains=exp` gains 2^grade − 1."""

from __future__ import annotations

import numpy as np

from askance.data.rows import owner_of
from askance.measure.expectation import sum_over_ranks
from askance.measure.judged import Counts, Gains, Judged, Values
from askance.measure.metrics.metric import Candidates, Metric
from askance.measure.per_query import sum_per_query


def compute(judged: Judged, k: int | None) -> Values:
    """Σ_r gain(r)/log2(r + 1) over the first k, divided by that of the ideal ranking [queries].

    The gain is the grade, or 2^grade − 1 under `gains=exp` (Burges 2005), fractional grades included. Grades of 0 and
    below gain nothing; the threshold of gold plays no part. The ideal ranking has all documents with a grade above 0,
    cut at k only (Järvelin and Kekäläinen 2002, trec_eval's ndcg and ndcg_cut).
    """
    gained = sum_over_ranks(judged, judged.grade, _weight, k)
    return np.minimum(_share(gained, _ideal(judged.ideal, k)), 1.0)  # rounding must not lift a perfect list above 1


def expected(candidates: Candidates, k: int | None) -> Values:
    """(Σ gains / N) · Σ_{r≤n} 1/log2(r + 1), n ranks counting, divided by the ideal ranking's [queries]."""
    gains = candidates.gains
    total = sum_per_query(owner_of(gains.offsets).astype(np.int64), gains.gain, len(candidates))
    weights = _weight(np.arange(1, int(candidates.cutoff.max(initial=0)) + 1))
    reach = np.concatenate(([0.0], np.cumsum(weights)))[candidates.cutoff]
    return _share(total / np.maximum(candidates.size, 1) * reach, _ideal(gains, k))


def _weight(rank: Counts) -> Values:
    weight: Values = 1.0 / np.log2(rank + 1.0)
    return weight


def _ideal(gains: Gains, k: int | None) -> Values:
    """The discounted gain of the ideal ranking, cut at k [queries]."""
    owner = owner_of(gains.offsets).astype(np.int64)
    rank = np.arange(1, len(gains.gain) + 1) - gains.offsets[owner]
    within = np.ones(len(rank), dtype=np.bool_) if k is None else rank <= k
    return sum_per_query(owner[within], gains.gain[within] * _weight(rank[within]), len(gains.counts))


def _share(gained: Values, ideal: Values) -> Values:
    return np.divide(gained, ideal, out=np.zeros(len(ideal)), where=ideal > 0)


METRIC = Metric(
    name="nDCG",
    says="discounted cumulative gain as a share of the ideal ranking's",
    graded=True,
    binary="never",
    cutoff="optional",
    takes=("gains", "judged_only"),
    compute=compute,
    expected=expected,
)
