"""A run held against judgments: which judged documents stand where, and what there was to find.

Every metric reads this and nothing else, so that there is one ranking and one notion of gold for all of them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from askance.core.errors import DataProblem
from askance.data.judgments import Judgments
from askance.data.rows import Offsets, frozen, offsets_of, owner_of, pair_keys
from askance.data.run import Run
from askance.measure.lookup import judged_rows
from askance.measure.per_query import taken
from askance.measure.ties import Ties, ties_of

if TYPE_CHECKING:
    from askance.data.collection import Excluded

Values = NDArray[np.float64]
Counts = NDArray[np.int64]
Mask = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Gains:
    """Grades above 0 per query, largest first: what an ideal ranking lists.

    Row q is `gain[offsets[q]:offsets[q + 1]]`; `offsets` int64 [queries + 1], `gain` float64 [rows].
    """

    offsets: Offsets
    gain: Values

    @classmethod
    def ones(cls, counts: Counts) -> Gains:
        """Yes/no judgments: `counts` gold documents of grade 1 per query."""
        offsets = offsets_of(counts)
        return cls(frozen(offsets), frozen(np.ones(int(offsets[-1]))))

    @property
    def counts(self) -> Counts:
        """How many rows each query has [queries]."""
        return np.diff(self.offsets)

    def at_least(self, threshold: float) -> Counts:
        """How many rows of each query reach the threshold [queries]."""
        before = np.concatenate(([0], np.cumsum(self.gain >= threshold)))
        return before[self.offsets[1:]] - before[self.offsets[:-1]]

    def take(self, queries: Counts) -> Gains:
        """The rows of these queries (positions, repeats allowed), in this order."""
        offsets, flat = taken(self.offsets, queries)
        return Gains(frozen(offsets), frozen(self.gain[flat]))

    def padded(self, counts: Counts) -> Gains:
        """With zeros at the end of each query, up to `counts` rows."""
        offsets = offsets_of(np.maximum(counts, self.counts))
        gain = np.zeros(int(offsets[-1]))
        gain[np.arange(len(self.gain)) + np.repeat(offsets[:-1] - self.offsets[:-1], self.counts)] = self.gain
        return Gains(frozen(offsets), frozen(gain))


@dataclass(frozen=True, eq=False)
class Found:
    """Judged documents in a ranking, one entry each: `query`, `rank` (from 1), int64 [found], `grade` float64 [found].

    `relevant` bool [found]: whether it is gold.
    """

    query: Counts
    rank: Counts
    grade: Values
    relevant: Mask


@dataclass(frozen=True, eq=False)
class Judged:
    """Which judged documents stand where, and what there was to find.

    A judged document is one whose grade is 0 or more; a negative grade says that a document was pooled and not judged
    (trec_eval), and counts as no judgment. Unjudged documents take ranks and have no entry here.

    A **group** is a tie that holds a judged document, or such a document alone: `query`, `before`, `size` int64
    [groups], by query and rank. Its documents share the ranks `before + 1` to `before + size`; where nothing is tied
    every size is 1. Each judged document belongs to one: `group` int64, `grade` float64, `relevant` bool (it is gold)
    [found]; within a group by falling grade, so that the order of the input leaves no trace.

    Per query [queries]: `listed`: length of the list; `gold`: how many documents are gold, listed or not; `pool`: how
    many are judged. `ideal`: all grades above 0. `ties`: all ties of all lists, None where there are none.
    """

    query: Counts
    before: Counts
    size: Counts
    group: Counts
    grade: Values
    relevant: Mask
    listed: Counts
    gold: Counts
    pool: Counts
    ideal: Gains
    ties: Ties | None = None

    @classmethod
    def of(
        cls, found: Found, listed: Counts, gold: Counts, pool: Counts, ideal: Gains, ties: Ties | None = None
    ) -> Judged:
        """From judged documents by query and rank; those whose ranks lie in one tie become one group."""
        query, rank, grade, relevant = found.query, found.rank, found.grade, found.relevant
        before, size, group = rank - 1, np.ones(len(rank), dtype=np.int64), np.arange(len(rank))
        if ties is not None and len(ties):
            before, size = _within(ties, query, before)
            order = np.lexsort((-grade, before, query))
            query, before, size = query[order], before[order], size[order]
            grade, relevant = grade[order], relevant[order]
            first = np.ones(len(query), dtype=np.bool_)
            first[1:] = (query[1:] != query[:-1]) | (before[1:] != before[:-1])
            group = np.cumsum(first) - 1
            query, before, size = query[first], before[first], size[first]
        for array in (query, before, size, group, grade, relevant, listed, gold, pool):
            array.setflags(write=False)
        return cls(query, before, size, group, grade, relevant, listed, gold, pool, ideal, ties)

    def __len__(self) -> int:
        """How many queries."""
        return len(self.gold)

    @property
    def with_gold(self) -> Mask:
        """Queries that have at least one gold document [queries]."""
        return self.gold > 0

    @cached_property
    def gold_in(self) -> Counts:
        """How many gold documents each group holds, int64 [groups]."""
        return np.bincount(self.group[self.relevant], minlength=len(self.query))

    @cached_property
    def judged_in(self) -> Counts:
        """How many judged documents each group holds, int64 [groups]."""
        return np.bincount(self.group, minlength=len(self.query))

    @cached_property
    def values(self) -> dict[object, Values]:
        """What measures have computed from this; its figure, chance and spread ask for the same."""
        return {}

    def total_in(self, values: Values | Mask) -> Values:
        """Sums over each group of one value a judged document [found]: float64 [groups]."""
        return np.bincount(self.group, weights=values, minlength=len(self.query)).astype(np.float64)

    def earlier(self, count: Counts) -> Counts:
        """What the groups that precede each one in its list hold together of `count` [groups]: int64 [groups]."""
        through = np.cumsum(count)
        per_query = np.bincount(self.query, minlength=len(self))
        start = np.concatenate(([0], through))[np.cumsum(per_query) - per_query]
        before: Counts = through - count - start[self.query]
        return before

    def where(self, mask: Mask) -> Judged:
        """The queries that `mask` [queries] names, in the same order."""
        if mask.shape != self.gold.shape or mask.dtype != np.bool_:
            raise DataProblem(
                f"a mask of shape {mask.shape} and type {mask.dtype} cannot pick among {len(self)} queries",
                remedy="Give one True or False per query.",
            )
        if mask.all():
            return self
        queries, groups = np.flatnonzero(mask), mask[self.query]
        found = groups[self.group]
        return Judged(
            frozen((np.cumsum(mask) - 1)[self.query[groups]]),
            frozen(self.before[groups]),
            frozen(self.size[groups]),
            frozen((np.cumsum(groups) - 1)[self.group[found]]),
            frozen(self.grade[found]),
            frozen(self.relevant[found]),
            frozen(self.listed[mask]),
            frozen(self.gold[mask]),
            frozen(self.pool[mask]),
            self.ideal.take(queries),
            None if self.ties is None else self.ties.take(queries),
        )

    def at_least(self, threshold: float) -> Judged:
        """Documents whose grade reaches the threshold are gold, whatever was before."""
        return replace(self, relevant=frozen(self.grade >= threshold), gold=frozen(self.ideal.at_least(threshold)))

    def gaining(self, gain: Callable[[Values], Values]) -> Judged:
        """Every grade counts for what `gain` makes of it; it must keep 0 and the order. What is gold stays gold."""
        ideal = Gains(self.ideal.offsets, frozen(gain(self.ideal.gain)))
        return replace(self, grade=frozen(gain(self.grade)), ideal=ideal)

    def without_unjudged(self) -> Judged:
        """Unjudged documents are taken out of the lists, the others move up."""
        inside = self.judged_in
        listed = np.bincount(self.query, weights=inside, minlength=len(self)).astype(np.int64)
        before = frozen(self.earlier(inside))
        tied = inside > 1
        per_query = np.bincount(self.query[tied], minlength=len(self))
        ties = Ties(frozen(offsets_of(per_query)), frozen(before[tied]), frozen(inside[tied])) if tied.any() else None
        return replace(self, before=before, size=frozen(inside), listed=frozen(listed), ties=ties)


def judge(
    run: Run,
    judgments: Judgments,
    threshold: float = 1.0,
    excluded: Excluded | None = None,
    *,
    tied: bool = False,
) -> Judged:
    """Look up the grade of every ranked document; the order of the run's rows is the ranking.

    `threshold`: the lowest grade that is gold. `excluded` documents are not there to be found: they do not count as
    gold. `tied`: neighbours with one score are tied, and measures give their expectation over all orders of them;
    without it a score says nothing. DataProblem where run and judgments are over other queries or documents, where the
    threshold is not above 0 (an unjudged document and one of grade 0 count alike), where the run lists an excluded
    document, or where ties are asked for and the scores of a list rise.
    """
    if run.queries != judgments.queries or run.documents != judgments.documents:
        raise DataProblem(
            f"run {run.name!r} and the judgments are over other queries or documents",
            remedy="Load both against the same collection.",
        )
    if not (np.isfinite(threshold) and threshold > 0):
        raise DataProblem(f"the threshold of gold is {threshold}", remedy="Name a grade above 0, e.g. 1.")
    if excluded is not None:
        _refuse_excluded(run, excluded)
    rows, grade = judged_rows(run, judgments)
    rows, grade = rows[grade >= 0], grade[grade >= 0]
    query = np.searchsorted(run.offsets, rows, side="right") - 1
    found = Found(query, rows - run.offsets[query] + 1, grade, grade >= threshold)
    gold, pool, ideal = _to_be_found(judgments, threshold, excluded)
    return Judged.of(found, np.diff(run.offsets), gold, pool, ideal, ties_of(run) if tied else None)


def candidate_counts(documents: int, queries: int, excluded: Excluded | None = None) -> Counts:
    """How many documents each query chooses among: all but its excluded ones, int64 [queries]."""
    counts = np.full(queries, documents, dtype=np.int64)
    if excluded is not None:
        counts -= np.diff(excluded.offsets)
    return counts


def gold_of(judgments: Judgments, query: int, threshold: float, excluded: Excluded | None = None) -> Counts:
    """Positions of the gold documents of one query, ascending, without its excluded ones."""
    documents, grades = judgments.of_query(query)
    gold = documents[grades >= threshold].astype(np.int64)
    return gold if excluded is None else gold[~np.isin(gold, excluded.of_query(query))]


def _within(ties: Ties, query: Counts, before: Counts) -> tuple[Counts, Counts]:
    """How many ranks precede what stands at each (query, before + 1), a document or its tie, and how many share it."""
    width = 1 + max(int(before.max(initial=0)), int(ties.before.max(initial=0)))
    begins = owner_of(ties.offsets).astype(np.int64) * width + ties.before
    at = np.searchsorted(begins, query * width + before, side="right") - 1
    inside = (at >= ties.offsets[query]) & (before < ties.before[at] + ties.size[at])
    return np.where(inside, ties.before[at], before), np.where(inside, ties.size[at], 1)


def _to_be_found(judgments: Judgments, threshold: float, excluded: Excluded | None) -> tuple[Counts, Counts, Gains]:
    owner, grade = owner_of(judgments.offsets), judgments.grade
    if excluded is not None:
        width = len(judgments.documents)
        barred = pair_keys(excluded.offsets, excluded.document, width)
        keep = ~np.isin(pair_keys(judgments.offsets, judgments.document, width), barred)
        owner, grade = owner[keep], grade[keep]
    queries = len(judgments.queries)
    gold = np.bincount(owner[grade >= threshold], minlength=queries)
    pool = np.bincount(owner[grade >= 0], minlength=queries)
    owner, grade = owner[grade > 0], grade[grade > 0]
    order = np.lexsort((-grade, owner))
    offsets = offsets_of(np.bincount(owner, minlength=queries))
    return gold, pool, Gains(frozen(offsets), frozen(grade[order]))


def _refuse_excluded(run: Run, excluded: Excluded) -> None:
    width = len(run.documents)
    keys = pair_keys(run.offsets, run.document, width)
    listed = np.flatnonzero(np.isin(keys, pair_keys(excluded.offsets, excluded.document, width)))
    if len(listed):
        query, document = divmod(int(keys[listed[0]]), width)
        raise DataProblem(
            f"run {run.name!r} lists {len(listed)} excluded documents, the first is "
            f"{run.documents[document]!r} for query {run.queries[query]!r}",
            remedy="Excluded documents are never candidates: retrieve without them.",
        )
