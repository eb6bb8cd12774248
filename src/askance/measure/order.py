"""One order for every measure: the rows of a run sorted by score, and what becomes of equal scores."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from askance.core.errors import BadInput, DataProblem
from askance.data.judgments import Judgments
from askance.data.rows import Offsets
from askance.data.run import Run
from askance.measure.judged import Judged, judge
from askance.measure.lookup import judged_rows
from askance.measure.ties import Ties, ties_of

if TYPE_CHECKING:
    from askance.data.collection import Excluded

TiePolicy = Literal["expected", "trec", "input", "optimistic", "pessimistic"]
POLICIES: tuple[TiePolicy, ...] = get_args(TiePolicy)

_BLOCK_CELLS = 1 << 20

Order = NDArray[np.int64]


def judge_by(
    policy: TiePolicy, run: Run, judgments: Judgments, threshold: float = 1.0, excluded: Excluded | None = None
) -> Judged:
    """The run held against the judgments, its lists ordered by score and its ties by `policy`; see `ordered`, `judge`.

    Under "expected" every measure computed from it is the exact mean over all orders of tied documents.
    """
    rows = ordered(run, policy, judgments)
    return judge(rows, judgments, threshold, excluded, tied=policy == "expected")


def ordered(run: Run, policy: TiePolicy, judgments: Judgments | None = None) -> Run:
    """The same run, the highest score of each list first; the very same where it is in order already.

    Equal scores: "input" and "expected" leave them as they stand (under "expected" their order has no meaning; see
    `judge_by`). "trec" compares scores as 32-bit floats and puts the higher identifier, byte by byte, first
    (trec_eval). "optimistic" puts the highest grade first and unjudged documents last, "pessimistic" the other way
    round: the best and the worst that any order of the ties can give, for every measure; both need the `judgments`.
    """
    if policy not in POLICIES:
        raise BadInput(f"there is no way {policy!r} to order ties", remedy=f"Choose from {', '.join(POLICIES)}.")
    score = _as_32_bits(run.score) if policy == "trec" else run.score
    run, score = _sorted_by_score(run, score)
    ties = None if policy in ("expected", "input") else ties_of(run, score)
    if ties is None:
        return run
    rows, offsets = _tied_rows(run, ties)
    key = _names_down(run, rows) if policy == "trec" else _grades(run, rows, judgments, policy)
    order = np.arange(len(run))
    order[rows] = rows[_sorted_within(offsets, key)]
    return _reordered(run, order)


def _as_32_bits(score: NDArray[np.float64]) -> NDArray[np.float32]:
    with np.errstate(over="ignore"):  # beyond their range all are infinite, and tied
        return score.astype(np.float32)


def _sorted_by_score(run: Run, score: NDArray[np.floating]) -> tuple[Run, NDArray[np.floating]]:
    """The run and `score` [rows] with falling scores in each list; equal ones keep their order."""
    rises = np.flatnonzero(score[1:] > score[:-1]) + 1
    query = np.searchsorted(run.offsets, rises, side="right") - 1
    unsorted = np.flatnonzero(np.bincount(query[rises > run.offsets[query]]))
    if not len(unsorted):
        return run, score
    order = np.arange(len(run))
    lengths = np.diff(run.offsets)[unsorted]
    offsets = np.concatenate(([0], np.cumsum(lengths)))
    rows = np.repeat(run.offsets[unsorted] - offsets[:-1], lengths) + np.arange(offsets[-1])
    order[rows] = rows[_sorted_within(offsets, -score[rows])]
    return _reordered(run, order), score[order]


def _sorted_within(offsets: Offsets, key: NDArray[np.floating] | Order) -> Order:
    """Positions that sort `key` within each segment, equal keys in place; segments of one length are sorted at once."""
    order = np.arange(len(key))
    lengths = np.diff(offsets)
    by_length = np.argsort(lengths, kind="stable")
    for length in np.flatnonzero(np.bincount(lengths)).tolist():
        first, last = np.searchsorted(lengths[by_length], [length, length + 1])
        block = max(1, _BLOCK_CELLS // max(length, 1))
        for start in range(int(first), int(last), block):
            begins = offsets[by_length[start : min(start + block, int(last))]]
            rows = begins[:, None] + np.arange(length)
            order[rows] = np.take_along_axis(rows, np.argsort(key[rows], axis=1, kind="stable"), axis=1)
    return order


def _tied_rows(run: Run, ties: Ties) -> tuple[Order, Offsets]:
    """The rows of all ties, one tie after the other, and where each tie begins among them."""
    begins = ties.before + np.repeat(run.offsets[:-1], np.diff(ties.offsets))
    offsets = np.concatenate(([0], np.cumsum(ties.size)))
    return np.repeat(begins - offsets[:-1], ties.size) + np.arange(offsets[-1]), offsets


def _names_down(run: Run, rows: Order) -> Order:
    """A key that sorts these rows by identifier, byte by byte, the highest first [rows]."""
    documents, where = np.unique(run.document[rows], return_inverse=True)
    names = [run.documents[at] for at in documents.tolist()]
    place = np.empty(len(names), dtype=np.int64)
    # code points sort as their UTF-8 bytes do
    place[sorted(range(len(names)), key=names.__getitem__)] = np.arange(len(names))
    return -place[where]


def _grades(run: Run, rows: Order, judgments: Judgments | None, policy: TiePolicy) -> NDArray[np.float64]:
    """A key that sorts these rows by grade, unjudged ones lowest; the highest first under "optimistic" [rows]."""
    if judgments is None:
        raise BadInput(f"ties cannot be ordered {policy} without judgments", remedy="Bring them.")
    if run.queries != judgments.queries or run.documents != judgments.documents:
        raise DataProblem(
            f"run {run.name!r} and the judgments are over other queries or documents",
            remedy="Load both against the same collection.",
        )
    unjudged = -1.0
    grades = np.full(len(run), unjudged)
    judged, grade = judged_rows(run, judgments)
    grades[judged] = np.where(grade < 0, unjudged, grade)
    return -grades[rows] if policy == "optimistic" else grades[rows]


def _reordered(run: Run, order: Order) -> Run:
    return Run.of_distinct(run.name, run.queries, run.documents, run.offsets, run.document[order], run.score[order])
