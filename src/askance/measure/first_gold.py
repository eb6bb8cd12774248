"""Where the first gold document falls, of a random order: exact, without cancellation."""

from __future__ import annotations

import numpy as np

from askance.measure.expectation import Weight
from askance.measure.judged import Counts, Judged, Values
from askance.measure.metrics.metric import Candidates

_MOST_KEYS = 2.0**62
_LONG = 512  # ranks; beyond, a loop over them takes longer than one over the kinds of queries


def sum_over_first_gold(candidates: Candidates, weight: Weight) -> Values:
    """Σ over ranks r up to the cut-off of weight(r) · P(the first gold document stands at rank r) [queries].

    For a random ranking of all candidates. `weight` takes ranks [n], from 1, and gives weights [n].
    """
    before = np.zeros(len(candidates), dtype=np.int64)
    return _summed(candidates.size, candidates.gold, candidates.cutoff, before, weight)


def over_first_gold(judged: Judged, weight: Weight, k: int | None) -> Values:
    """Σ over ranks r up to k of weight(r) · P(the first gold document stands at r), over orders of ties [queries].

    Where nothing is tied this is the weight of its rank; 0 where no gold document is listed (among the first k).
    """
    at, before, size, gold = _first_groups(judged)
    reach = size - gold + 1  # the first gold document of the group stands no later
    if k is not None:
        reach = np.minimum(reach, k - before)
    out = np.zeros(len(judged))
    alone = (reach > 0) & (size == 1)
    out[at[alone]] = weight(before[alone] + 1)
    tied = (reach > 0) & (size > 1)
    if tied.any():
        out[at[tied]] = _summed(size[tied], gold[tied], reach[tied], before[tied], weight)
    return out


def surely_within(judged: Judged, k: int) -> Values:
    """1 where a gold document stands among the first k in every order of the ties, else 0 [queries]."""
    at, before, size, gold = _first_groups(judged)
    out = np.zeros(len(judged))
    out[at[before + size - gold + 1 <= k]] = 1.0
    return out


def _first_groups(judged: Judged) -> tuple[Counts, Counts, Counts, Counts]:
    """The first group with gold of each list that has one: query, before, size, number of gold documents."""
    with_gold = np.flatnonzero(judged.gold_in)
    query = judged.query[with_gold]
    first = np.ones(len(query), dtype=np.bool_)
    first[1:] = query[1:] != query[:-1]
    groups = with_gold[first]
    return judged.query[groups], judged.before[groups], judged.size[groups], judged.gold_in[groups]


def _summed(size: Counts, gold: Counts, cutoff: Counts, before: Counts, weight: Weight) -> Values:
    """Σ over i up to the cut-off of weight(before + i) · P(i), one entry each.

    P(i) = K/(N − i + 1) · ∏_{j<i−1} (N − K − j)/(N − j), the terms of 1 − ∏_{j<k} (N − K − j)/(N − j). Summing them
    instead of subtracting the product from 1 keeps the relative error near 1e-15 where gold is rare.
    """
    kinds, where = _kinds(np.stack([cutoff, size, gold, before]))
    short = int(np.searchsorted(kinds[0], _LONG, side="right"))
    total = np.concatenate((_rank_by_rank(kinds[:, :short], weight), _kind_by_kind(kinds[:, short:], weight)))
    return total[where]


def _kinds(columns: Counts) -> tuple[Counts, Counts]:
    """The distinct columns of counts, ascending, [rows, kinds], and which of them each column is."""
    if not columns.size:
        return columns, np.zeros(0, dtype=np.int64)
    widths = columns.max(axis=1) + 1
    if np.prod(widths.astype(np.float64)) < _MOST_KEYS:  # one number a column sorts ten times as fast
        keys = np.ravel_multi_index(tuple(columns), tuple(widths.tolist()))
        _, first, where = np.unique(keys, return_index=True, return_inverse=True)
        return columns[:, first], where
    kinds, where = np.unique(columns, axis=1, return_inverse=True)
    return kinds, where.reshape(-1)


def _rank_by_rank(kinds: Counts, weight: Weight) -> Values:
    """For many kinds with short cut-offs, ascending [4, kinds]."""
    cutoff, size, gold, before = kinds
    missed = np.ones(len(size))
    total = np.zeros(len(size))
    for i in range(1, int(cutoff.max(initial=0)) + 1):
        live = slice(int(np.searchsorted(cutoff, i)), None)
        left = np.maximum(size[live] - i + 1, 1)
        total[live] += weight(before[live] + i) * missed[live] * gold[live] / left
        missed[live] *= np.maximum(left - gold[live], 0) / left
        if not missed[live].any():
            break
    return total


def _kind_by_kind(kinds: Counts, weight: Weight) -> Values:
    """The same sums, to the last bit, for few kinds with long cut-offs [4, kinds]."""
    total = np.zeros(kinds.shape[1])
    for at, (cutoff, size, gold, before) in enumerate(kinds.T.tolist()):
        i = np.arange(1, cutoff + 1)
        left = np.maximum(size - i + 1, 1)
        missed = np.concatenate(([1.0], np.cumprod(np.maximum(left - gold, 0) / left)[:-1]))
        total[at] = np.cumsum(weight(before + i) * missed * gold / left)[-1]
    return total
