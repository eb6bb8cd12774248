"""Measures of one benchmark that differ from the usual ones, by names of their own: for its figures, and no others.

A benchmark of procedural memory (Kohar and Krishnan 2025, arXiv 2511.21730) divides average precision by the relevant
documents that were retrieved, and takes the ideal ranking of nDCG from them as well: whoever finds one of a hundred, at
rank 1, has 1. Its judge gives scores from 0 to 10, of which 6 and more are relevant; `grade_of` makes grades of them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import product
from math import comb, prod

import numpy as np

from askance.core.errors import BadInput
from askance.measure.expectation import places, sum_over_ranks
from askance.measure.judged import Counts, Judged, Mask, Values
from askance.measure.metrics.metric import Metric
from askance.measure.per_query import sum_per_query

RELEVANT = 6.0  # the lowest score that is relevant

_MOST_OUTCOMES = 20_000  # of a tie that is cut by the last rank


def grade_of(score: float) -> int:
    """The grade of a judge's score from 0 to 10: int(score/3.33), 0 to 3."""
    return int(score / 3.33)


def average_precision(judged: Judged, k: int | None) -> Values:
    """Precision at the rank of each gold document among the first k, summed, divided by how many these are [queries].

    Under ties the exact mean over all orders: where rank k cuts a tie, over how much of its gold stands before the cut.
    """
    gold = judged.gold_in
    whole, cut = _by_cut(judged, k)
    summed = sum_per_query(judged.query, np.where(whole, _precision_in(judged, gold), 0.0), len(judged))
    found = sum_per_query(judged.query, np.where(whole, gold, 0.0), len(judged))
    values = np.divide(summed, found, out=np.zeros(len(judged)), where=found > 0)
    earlier = judged.earlier(gold)
    for group in np.flatnonzero(cut & (gold > 0)).tolist():
        query, before = int(judged.query[group]), int(judged.before[group])
        values[query] = 0.0
        for chance, drawn in _draws([1.0] * int(gold[group]), int(judged.size[group]), _reach(before, k)):
            more = len(drawn)
            if earlier[group] + more:
                precision = _precision(before, _reach(before, k), more, int(earlier[group]))
                values[query] += chance * (summed[query] + precision) / (earlier[group] + more)
    return np.minimum(values, 1.0)  # rounding must not lift a perfect list above 1


def ndcg(judged: Judged, k: int | None) -> Values:
    """Σ grade/log2(rank + 1) over the first k, divided by that of the same documents in falling order [queries].

    Under ties the exact mean over all orders, as for `average_precision`.
    """
    whole, cut = _by_cut(judged, k)
    there = whole[judged.group]
    gained = sum_over_ranks(judged, np.where(there, judged.grade, 0.0), _weight, k)
    ideal = _ideal(judged.query[judged.group[there]], judged.grade[there], len(judged))
    values = np.divide(gained, ideal, out=np.zeros(len(judged)), where=ideal > 0)
    for group in np.flatnonzero(cut).tolist():
        query, before = int(judged.query[group]), int(judged.before[group])
        tied = judged.grade[judged.group == group]
        earlier = judged.grade[there & (judged.query[judged.group] == query)]
        reach = _reach(before, k)
        weights = float(_weight(np.arange(before + 1, before + reach + 1)).sum())
        values[query] = 0.0
        for chance, drawn in _draws(tied[tied > 0].tolist(), int(judged.size[group]), reach):
            best = float(_ideal_of(np.append(earlier, drawn)))
            if best > 0:
                values[query] += chance * (gained[query] + sum(drawn) / reach * weights) / best
    return np.minimum(values, 1.0)


def _by_cut(judged: Judged, k: int | None) -> tuple[Mask, Mask]:
    """Which groups [groups] stand among the first k whole, and which are cut by rank k: at most one a query."""
    if k is None:
        return np.ones(len(judged.query), dtype=np.bool_), np.zeros(len(judged.query), dtype=np.bool_)
    after = judged.before + judged.size
    return after <= k, (judged.before < k) & (after > k)


def _reach(before: int, k: int | None) -> int:
    assert k is not None, "without a last rank no tie is cut"
    return k - before


def _precision_in(judged: Judged, gold: Counts) -> Values:
    """Σ of the precision at the gold documents of each group, in expectation over its orders [groups]."""
    there = places(judged, gold > 0, None)
    group, rank = there.group, there.rank
    others = ((gold - 1) / np.maximum(judged.size - 1, 1))[group]
    hits = (judged.earlier(gold) + 1)[group] + (rank - judged.before[group] - 1) * others
    return sum_per_query(group, (gold / judged.size)[group] * hits / rank, len(judged.query))


def _precision(before: int, size: int, gold: int, earlier: int) -> float:
    """The same of one group."""
    others = (gold - 1) / max(size - 1, 1)
    place = np.arange(size)
    return float((gold / size * (earlier + 1 + place * others) / (before + 1 + place)).sum())


def _draws(grades: Sequence[float], size: int, reach: int) -> Iterator[tuple[float, list[float]]]:
    """What may stand in the first `reach` places of a tie of `size` documents with these `grades`, and its chance.

    BadInput where there are too many possibilities to go through.
    """
    kinds = Counter(grades)
    ranges = [range(min(times, reach) + 1) for times in kinds.values()]
    if prod(len(one) for one in ranges) > _MOST_OUTCOMES:
        raise BadInput(
            f"a tie of {size} documents with {len(kinds)} grades is cut by the last rank that counts",
            remedy="Bring tied documents into an order first, e.g. --ties trec.",
        )
    for times in product(*ranges):
        blank = reach - sum(times)
        if 0 <= blank <= size - len(grades):
            ways = prod(comb(there, drawn) for there, drawn in zip(kinds.values(), times, strict=True))
            chance = ways * comb(size - len(grades), blank) / comb(size, reach)
            yield chance, [grade for grade, drawn in zip(kinds, times, strict=True) for _ in range(drawn)]


def _ideal(query: Counts, grade: Values, queries: int) -> Values:
    """The discounted sum of each query's grades in falling order [queries]."""
    order = np.lexsort((-grade, query))
    query, grade = query[order], grade[order]
    first = np.searchsorted(query, query)
    return sum_per_query(query, np.maximum(grade, 0.0) * _weight(np.arange(len(query)) - first + 1), queries)


def _ideal_of(grades: Values) -> float:
    return float(_ideal(np.zeros(len(grades), dtype=np.int64), grades, 1)[0])


def _weight(rank: Counts) -> Values:
    weight: Values = 1.0 / np.log2(rank + 1.0)
    return weight


AP_RETRIEVED = Metric(
    name="APRetrieved",
    says="average precision over the gold documents that were retrieved, not over all: one benchmark's own",
    graded=False,
    binary="never",
    cutoff="optional",
    compute=average_precision,
)

NDCG_RETRIEVED = Metric(
    name="nDCGRetrieved",
    says="discounted cumulative gain as a share of the ideal order of what was retrieved: one benchmark's own",
    graded=True,
    binary="never",
    cutoff="optional",
    takes=("gains", "judged_only"),
    compute=ndcg,
)
