"""Ranked lists made into one.

For each list only its first `depth` documents count; a document that occurs twice in one list counts at its first
place. What a list gives to a document at rank r (from 1) with score s, weight w:

    sum      w · s
    rrf      w / (k + r)                                    (Cormack, Clarke and Büttcher 2009; k = 60)
    minmax   w · (s − least) / (greatest − least) / Σ w     .001 in place of 0 for the least, 1 where all are equal

A list that lacks the document gives 0; under minmax its weight stays in Σ w. A list of weight 0 has no say in the order
but its documents are in the result. Ties stand by position. Sums are made in 64 bits, smallest first, so that the order
of the lists changes nothing.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from askance.core.errors import BadInput, DataProblem
from askance.data.rows import Offsets, offsets_of, owner_of
from askance.data.run import Run
from askance.irl.nodes import FUSE_DEPTH, RRF_K, FuseKind

LEAST = 0.001

Numbers = NDArray[np.float64]
Places = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Ranking:
    """One list, best first: positions int64 [n], scores float64 [n]."""

    positions: Places
    scores: Numbers


@dataclass(frozen=True, eq=False)
class Lists:
    """Many lists, best first; list q is [offsets[q]:offsets[q + 1]] of positions and scores."""

    offsets: Offsets
    positions: Places
    scores: Numbers


def fuse(
    rankings: Sequence[Ranking],
    kind: FuseKind,
    weights: Sequence[float] = (),
    k: float = RRF_K,
    depth: int = FUSE_DEPTH,
    min_score: float | None = None,
) -> Ranking:
    """The lists of one query as one list. What lies below `min_score` after fusion is left out.

    `weights`: one a list, or none for all 1. BadInput where they are not, or where one is below 0 or all are 0.
    """
    many = [Lists(offsets_of([len(one.positions)]), one.positions, one.scores) for one in rankings]
    fused = fuse_many(many, kind, weights, k, depth)
    if min_score is None:
        return Ranking(fused.positions, fused.scores)
    keep = fused.scores >= min_score
    return Ranking(fused.positions[keep], fused.scores[keep])


def fuse_many(
    lists: Sequence[Lists],
    kind: FuseKind,
    weights: Sequence[float] = (),
    k: float = RRF_K,
    depth: int = FUSE_DEPTH,
) -> Lists:
    """The same for many queries at once: list q of each is fused into list q of the result."""
    weights = checked_weights(weights, len(lists))
    if not k > 0:
        raise BadInput(f"k of rrf is {k:g}, expected a number above 0", remedy=f"Leave it at {RRF_K}.")
    first = [_first(each, depth) for each in lists]
    given = [given_by(each, kind, weight, k) for each, weight in zip(first, weights, strict=True)]
    query = np.concatenate([owner_of(each.offsets) for each in first])
    position = np.concatenate([each.positions for each in first])
    total = np.concatenate(given)
    order = np.lexsort((total, position, query))
    query, position, total = query[order], position[order], total[order]
    new = np.ones(len(order), dtype=np.bool_)
    new[1:] = (query[1:] != query[:-1]) | (position[1:] != position[:-1])
    begin = np.flatnonzero(new)
    score = np.add.reduceat(total, begin) if len(begin) else total
    if kind == "minmax":
        score = score / math.fsum(weights)
    query, position = query[begin], position[begin]
    best = np.lexsort((position, -score, query))
    lengths = np.bincount(query, minlength=len(first[0].offsets) - 1)
    return Lists(offsets_of(lengths), position[best], score[best])


def checked_weights(weights: Sequence[float], lists: int) -> tuple[float, ...]:
    """One weight a list; BadInput where they cannot be that."""
    if not lists:
        raise BadInput("there is no list to fuse", remedy="Name at least one.")
    if not weights:
        return (1.0,) * lists
    if len(weights) != lists:
        raise BadInput(
            f"there are {len(weights)} weights for {lists} lists",
            remedy="Give one weight for each list, or none at all.",
        )
    if not all(math.isfinite(weight) and weight >= 0 for weight in weights) or not any(weights):
        said = ", ".join(f"{weight:g}" for weight in weights)
        raise BadInput(f"the weights are {said}", remedy="They must be finite, none below 0, and one of them above 0.")
    return tuple(float(weight) for weight in weights)


def given_by(lists: Lists, kind: FuseKind, weight: float, k: float) -> Numbers:
    """What each row of the lists gives to its document [rows]; under minmax before the division by Σ w."""
    if kind == "sum":
        return lists.scores * weight
    if kind == "rrf":
        return np.asarray(weight / (k + _ranks(lists.offsets)), dtype=np.float64)
    return scaled(lists) * weight


def scaled(lists: Lists) -> Numbers:
    """Scores between LEAST and 1, list by list [rows]."""
    lengths = np.diff(lists.offsets)
    filled = np.flatnonzero(lengths)
    if not len(filled):
        return lists.scores
    starts = lists.offsets[filled]
    low = np.repeat(np.minimum.reduceat(lists.scores, starts), lengths[filled])
    high = np.repeat(np.maximum.reduceat(lists.scores, starts), lengths[filled])
    spread = high - low
    share = (lists.scores - low) / np.where(spread > 0, spread, 1.0)
    return np.asarray(np.where(spread > 0, np.where(share == 0, LEAST, share), 1.0), dtype=np.float64)


def fuse_runs(
    runs: Sequence[Run],
    kind: FuseKind = "rrf",
    weights: Sequence[float] = (),
    k: float = RRF_K,
    depth: int = FUSE_DEPTH,
) -> Run:
    """Runs of any systems over one collection as one run; `lacking` says what each of them does not answer.

    DataProblem where they are not over the same queries and documents.
    """
    checked_weights(weights, len(runs))
    for run in runs[1:]:
        if run.queries != runs[0].queries or run.documents != runs[0].documents:
            raise DataProblem(
                f"the runs {runs[0].name!r} and {run.name!r} are not over the same queries and documents",
                remedy="Read both with the queries and documents of one collection.",
            )
    lists = [Lists(run.offsets, run.document.astype(np.int64), run.score) for run in runs]
    fused = fuse_many(lists, kind, weights, k, depth)
    name = f"{kind}({', '.join(run.name for run in runs)})"
    document = fused.positions.astype(np.int32)
    return Run.of_distinct(name, runs[0].queries, runs[0].documents, fused.offsets, document, fused.scores)


def lacking(runs: Sequence[Run]) -> tuple[int, ...]:
    """How many queries each run does not answer: there the others are fused without it."""
    return tuple(int(np.count_nonzero(np.diff(run.offsets) == 0)) for run in runs)


def _first(lists: Lists, depth: int) -> Lists:
    """The first `depth` documents of every list, each at its first place."""
    once = _without_repeats(lists)
    keep = _ranks(once.offsets) <= depth
    lengths = np.minimum(np.diff(once.offsets), depth)
    return Lists(offsets_of(lengths), once.positions[keep], once.scores[keep])


def _without_repeats(lists: Lists) -> Lists:
    query = owner_of(lists.offsets)
    order = np.lexsort((np.arange(len(query)), lists.positions, query))
    again = np.zeros(len(query), dtype=np.bool_)
    same = (query[order][1:] == query[order][:-1]) & (lists.positions[order][1:] == lists.positions[order][:-1])
    again[order[1:]] = same
    if not again.any():
        return lists
    keep = ~again
    lengths = np.bincount(query[keep], minlength=len(lists.offsets) - 1)
    return Lists(offsets_of(lengths), lists.positions[keep], lists.scores[keep])


def _ranks(offsets: Offsets) -> Places:
    """The rank of every row in its list, from 1."""
    return np.arange(1, int(offsets[-1]) + 1) - np.repeat(offsets[:-1], np.diff(offsets))
