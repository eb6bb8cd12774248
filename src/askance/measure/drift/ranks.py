"""Two runs of the same queries: how much of the ranking stayed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from askance.core.errors import DataProblem
from askance.core.estimate import Estimate
from askance.data.run import Run
from askance.measure.agreement.rank_orders import PERSISTENCE, overlap_of_runs, shared_ranks
from askance.measure.bootstrap import bootstrap_mean
from askance.measure.intervals import proportion
from askance.measure.judged import Counts, Mask, Values

DEPTHS = (1, 5, 10)
UNANSWERED = "queries that only one run answers"
EMPTY = "queries that neither run answers"


@dataclass(frozen=True)
class RankDrift:
    """Means over queries.

    `overlap`: k → share of the first k that both runs list there. `same_first`: share of queries with the same
    document at rank 1; `same_order`: with the same first `depth`, in the same order. `rbo`: rank-biased overlap of the
    first `depth`, persistence `p`. `moved`: by how many ranks a document moves that one of them lists among the first
    `depth` and both list at all. `gone`: how many of those documents only one lists at all.
    """

    depth: int
    p: float
    overlap: Mapping[int, Estimate]
    same_first: Estimate
    same_order: Estimate
    rbo: Estimate
    moved: Estimate
    gone: Estimate


def rank_drift(first: Run, second: Run, *, depths: Sequence[int] = DEPTHS, p: float = PERSISTENCE) -> RankDrift:
    """Compare the lists of two runs over the same queries and documents, to the largest of `depths`.

    Queries that one of them does not answer are left out and counted. DataProblem where they share no query.
    """
    depth = max(depths)
    kept = answered_by_both(first, second)
    left_out = {UNANSWERED: int((_answered(first) ^ _answered(second)).sum())}
    left_out[EMPTY] = len(kept) - int(kept.sum()) - left_out[UNANSWERED]
    left_out = {reason: count for reason, count in left_out.items() if count}
    places = [run.matrix(depth)[kept] for run in (first, second)]
    moved, gone = _moves(first, second, depth)
    longest = float(max(np.diff(first.offsets).max(initial=0), np.diff(second.offsets).max(initial=0)))
    same = places[0] == places[1]
    return RankDrift(
        depth=depth,
        p=p,
        overlap={k: bootstrap_mean(_overlap(first, second, k)[kept], left_out) for k in depths},
        same_first=proportion(int(same[:, 0].sum()), len(same), left_out),
        same_order=proportion(int(same.all(axis=1).sum()), len(same), left_out),
        rbo=bootstrap_mean(overlap_of_runs(first, second, depth, p)[kept], left_out),
        moved=_mean_of_moves(moved[kept], longest, left_out),
        gone=bootstrap_mean(gone[kept], left_out, (0.0, 2.0 * depth)),
    )


def answered_by_both(first: Run, second: Run) -> Mask:
    """Queries for which both runs list something [queries]; DataProblem where there are none."""
    if first.queries != second.queries or first.documents != second.documents:
        raise DataProblem(
            f"runs {first.name!r} and {second.name!r} are over other queries or documents",
            remedy="Read both over the same collection.",
        )
    both: Mask = _answered(first) & _answered(second)
    if not both.any():
        examples = [
            ", ".join(run.queries[int(at)] for at in np.flatnonzero(_answered(run))[:3]) for run in (first, second)
        ]
        raise DataProblem(
            f"the runs answer no query in common: {first.name} answers {examples[0] or 'none'}, "
            f"{second.name} {examples[1] or 'none'}",
            remedy="Compare two servings of one model on the same queries. Identifiers are compared letter by letter.",
        )
    return both


def _answered(run: Run) -> Mask:
    return run.offsets[1:] > run.offsets[:-1]


def _overlap(first: Run, second: Run, k: int) -> Values:
    """Share of the first k that both list there [queries]; of shorter lists, of the longer one."""
    one, other = first.top(k), second.top(k)
    both = np.bincount(shared_ranks(one, other).query, minlength=len(one.queries))
    return both / np.maximum(1, np.maximum(np.diff(one.offsets), np.diff(other.offsets)))


def _moves(first: Run, second: Run, depth: int) -> tuple[Values, Values]:
    """Mean ranks moved (NaN where no document is in both lists), and documents that only one lists [queries]."""
    queries = len(first.queries)
    shared = shared_ranks(first, second)
    high = np.minimum(shared.first, shared.second) <= depth
    query, by = shared.query[high], np.abs(shared.first - shared.second)[high]
    counts = np.bincount(query, minlength=queries)
    moved = np.divide(
        np.bincount(query, weights=by, minlength=queries), counts, out=np.full(queries, np.nan), where=counts > 0
    )
    listed = np.minimum(np.diff(first.offsets), depth) + np.minimum(np.diff(second.offsets), depth)
    found = _within(query, shared.first[high], depth, queries) + _within(query, shared.second[high], depth, queries)
    return moved, (listed - found).astype(np.float64)


def _within(query: Counts, rank: Counts, depth: int, queries: int) -> Counts:
    return np.bincount(query[rank <= depth], minlength=queries)


def _mean_of_moves(moved: Values, longest: float, left_out: Mapping[str, int]) -> Estimate:
    there = np.isfinite(moved)
    apart = int((~there).sum())
    counted = {**left_out, "queries whose lists share no document": apart} if apart else left_out
    return bootstrap_mean(moved[there], counted, (0.0, longest))
