"""How alike two rankings are: Kendall's tau of orders of the same things, rank-biased overlap of any two lists."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import NamedTuple

import numpy as np

from askance.core.errors import BadInput, DataProblem
from askance.data.rows import owner_of, pair_keys
from askance.data.run import Run
from askance.measure.judged import Counts, Values

PERSISTENCE = 0.9
"""The usual p of rank-biased overlap: the first ten ranks carry 86 % of the weight (Webber et al. 2010)."""


class Taus(NamedTuple):
    """Kendall's tau [...], ties counting neither way, and tau-b, which leaves tied pairs out of the divisor."""

    tau: Values
    tau_b: Values


def kendall(first: Values, second: Values) -> Taus:
    """Tau of two orders by value, highest first [..., things].

    tau = (concordant − discordant)/(all pairs); tau-b divides by √((pairs − ties of the first) · (pairs − ties of the
    second)) instead (Kendall 1945). NaN where there are fewer than two things, or where a side is all ties (tau-b).
    """
    if first.shape[-1] != second.shape[-1]:
        raise BadInput(f"orders of {first.shape[-1]} and {second.shape[-1]} things", remedy="Order the same things.")
    upper, lower = np.triu_indices(first.shape[-1], 1)
    # −1, 0, 1 in one byte each: a thousand resamples of the order of 63 systems take 2 MB, not 16
    a = np.sign(first[..., upper] - first[..., lower]).astype(np.int8)
    b = np.sign(second[..., upper] - second[..., lower]).astype(np.int8)
    balance = np.asarray(np.sum(a * b, axis=-1, dtype=np.int64), dtype=np.float64)
    untied = np.sqrt(np.count_nonzero(a, axis=-1) * np.asarray(np.count_nonzero(b, axis=-1), dtype=np.float64))
    return Taus(_divided(balance, np.full(balance.shape, float(len(upper)))), _divided(balance, untied))


def overlap_of_orders(first: Values, second: Values, p: float = PERSISTENCE) -> Values:
    """Rank-biased overlap of two orders by value, highest first, of the same things [..., things] → [...].

    Extrapolated, as in `overlap_of_lists`. Under ties it is the mean over all orders of the tied things (the variant
    RBO^a of Corsi and Urbano 2024). NaN where there is nothing to order.
    """
    _check(p)
    things = first.shape[-1]
    if not things:
        return np.full(first.shape[:-1], np.nan)
    together = np.einsum("...td,...td->...d", _chance_within(first), _chance_within(second))
    depth = np.arange(1, things + 1)
    summed = np.sum(together / depth * p**depth, axis=-1)
    return np.asarray(np.minimum((1 - p) / p * summed + p**things, 1.0))


def overlap_of_lists(first: Sequence[Hashable], second: Sequence[Hashable], p: float = PERSISTENCE) -> float:
    """Rank-biased overlap of two lists, extrapolated beyond their ends (Webber, Moffat and Zobel 2010, equation 32).

    (1 − p) Σ_d p^(d−1) · (share of the first d that both lists have), the share staying beyond the ends as it is
    there. 1 for equal lists, 0 for lists that share nothing; the lists may differ in length. NaN where one is empty.
    """
    _check(p)
    for ranking in (first, second):
        if len(set(ranking)) < len(ranking):
            raise DataProblem("a list holds the same thing twice", remedy="Rank each thing once.")
    place = {thing: rank for rank, thing in enumerate(second, 1)}
    met = [max(rank, place[thing]) for rank, thing in enumerate(first, 1) if thing in place]
    meetings = np.array(met, dtype=np.int64)
    lengths = np.array([[len(first)], [len(second)]], dtype=np.int64)
    return float(_extrapolated(np.zeros(len(meetings), dtype=np.int64), meetings, lengths[0], lengths[1], p)[0])


def overlap_of_runs(first: Run, second: Run, depth: int, p: float = PERSISTENCE) -> Values:
    """Rank-biased overlap of the first `depth` of two runs over the same queries and documents [queries].

    NaN where a run lists nothing for the query.
    """
    _check(p)
    first, second = first.top(depth), second.top(depth)
    shared = shared_ranks(first, second)
    lengths = (np.diff(first.offsets), np.diff(second.offsets))
    return _extrapolated(shared.query, np.maximum(shared.first, shared.second), *lengths, p)


class SharedRanks(NamedTuple):
    """Documents that both runs list: the query of each, and its rank, from 1, in the one and the other [rows]."""

    query: Counts
    first: Counts
    second: Counts


def shared_ranks(first: Run, second: Run) -> SharedRanks:
    """Where the documents that both runs list stand; DataProblem where they are over other queries or documents."""
    if first.queries != second.queries or first.documents != second.documents:
        raise DataProblem(
            f"runs {first.name!r} and {second.name!r} are over other queries or documents",
            remedy="Read both over the same collection.",
        )
    width = max(len(first.documents), 1)
    keys, others = (pair_keys(run.offsets, run.document, width) for run in (first, second))
    _, at, there = np.intersect1d(keys, others, assume_unique=True, return_indices=True)
    ranks = [np.arange(len(run.document)) - run.offsets[owner_of(run.offsets)] + 1 for run in (first, second)]
    return SharedRanks(owner_of(first.offsets)[at].astype(np.int64), ranks[0][at], ranks[1][there])


def _chance_within(values: Values) -> Values:
    """The chance that each thing is among the first d, tied things in any order [..., things, depths]."""
    before = (values[..., None, :] > values[..., :, None]).sum(axis=-1)
    tied = (values[..., None, :] == values[..., :, None]).sum(axis=-1)
    depth = np.arange(1, values.shape[-1] + 1)
    chance: Values = np.clip((depth - before[..., None]) / tied[..., None], 0.0, 1.0)
    return chance


def _extrapolated(query: Counts, meeting: Counts, lengths: Counts, others: Counts, p: float) -> Values:
    """RBO_EXT per query [queries]; `meeting`: the depth from which on a shared thing is in both lists [rows].

    Σ_{d ≤ l} X_d/d · p^d taken thing by thing: a thing that both have from depth r on adds Σ_{d = r…l} p^d/d.
    """
    queries = len(lengths)
    short, long = np.minimum(lengths, others), np.maximum(lengths, others)
    depth = np.arange(1, int(long.max(initial=0)) + 1)
    weight = np.concatenate(([0.0], np.cumsum(p**depth / depth)))  # Σ_{d ≤ n} p^d/d
    powers = np.concatenate(([0.0], np.cumsum(p**depth)))
    within = np.bincount(query, weights=weight[long[query]] - weight[meeting - 1], minlength=queries)
    in_all = np.bincount(query, minlength=queries).astype(np.float64)
    in_short = np.bincount(query[meeting <= short[query]], minlength=queries).astype(np.float64)
    share = in_short / np.maximum(short, 1)
    # Σ_{short < d ≤ long} X_short (d − short)/(short · d) · p^d
    beyond = share * ((powers[long] - powers[short]) - short * (weight[long] - weight[short]))
    end = ((in_all - in_short) / np.maximum(long, 1) + share) * p**long
    overlap: Values = np.where(short > 0, np.minimum((1 - p) / p * (within + beyond) + end, 1.0), np.nan)
    return overlap


def _divided(over: Values, under: Values) -> Values:
    """NaN where there is nothing to divide by."""
    found: Values = np.divide(over, under, out=np.full(over.shape, np.nan), where=under > 0)
    return found


def _check(p: float) -> None:
    if not 0 < p < 1:
        raise BadInput(f"the persistence of rank-biased overlap is {p}", remedy="Name a p between 0 and 1, e.g. 0.9.")
