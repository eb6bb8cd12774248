"""A run held against judgments: grades at ranks, what was listed, what there was to find.

Every metric reads this and nothing else, so that there is one ranking and one notion of gold for all of them.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from askance.core.errors import DataProblem
from askance.data.collection import Excluded
from askance.data.judgments import Judgments
from askance.data.rows import Offsets, frozen, offsets_of, owner_of, pair_keys
from askance.data.run import Run

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
        """How many documents have a grade above 0, per query [queries]."""
        return np.diff(self.offsets)

    def take(self, queries: Counts) -> Gains:
        """The rows of these queries (positions, repeats allowed), in this order."""
        lengths = self.counts[queries]
        offsets = offsets_of(lengths)
        flat = np.repeat(self.offsets[queries] - offsets[:-1], lengths) + np.arange(offsets[-1])
        return Gains(frozen(offsets), frozen(self.gain[flat]))


@dataclass(frozen=True, eq=False)
class Judged:
    """What stands at each rank, and what there was to find.

    `grades` float64 [queries, depth]: NaN where the document is unjudged or the list has ended. `relevant` bool
    [queries, depth]: the grade reaches the threshold. `listed` int64 [queries]: length of each list. `gold` int64
    [queries]: how many documents reach the threshold. `ideal`: all grades above 0. Column r is rank r + 1; there is
    at least one column.
    """

    grades: Values
    relevant: Mask
    listed: Counts
    gold: Counts
    ideal: Gains

    def __len__(self) -> int:
        """How many queries."""
        return len(self.gold)

    @property
    def depth(self) -> int:
        """Length of the longest list (at least 1)."""
        return int(self.relevant.shape[1])

    @property
    def with_gold(self) -> Mask:
        """Queries that have at least one gold document [queries]."""
        return self.gold > 0

    def where(self, mask: Mask) -> Judged:
        """The queries that `mask` [queries] names, in the same order."""
        if mask.shape != self.gold.shape or mask.dtype != np.bool_:
            raise DataProblem(
                f"a mask of shape {mask.shape} and type {mask.dtype} cannot pick among {len(self)} queries",
                remedy="Give one True or False per query.",
            )
        return Judged(
            frozen(self.grades[mask]),
            frozen(self.relevant[mask]),
            frozen(self.listed[mask]),
            frozen(self.gold[mask]),
            self.ideal.take(np.flatnonzero(mask)),
        )


def judge(run: Run, judgments: Judgments, threshold: float = 1.0, excluded: Excluded | None = None) -> Judged:
    """Look up the grade of every ranked document; the order of the run's rows is the ranking.

    `threshold`: the lowest grade that is gold. `excluded` documents are not there to be found: they do not count as
    gold. DataProblem where run and judgments are over other queries or documents, where the threshold is not above 0
    (an unjudged document and one of grade 0 count alike), or where the run lists an excluded document.
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
    listed = np.diff(run.offsets)
    depth = max(1, int(listed.max(initial=0)))
    grades = np.full((len(run.queries), depth), np.nan)
    grades[np.arange(depth) < listed[:, None]] = judgments.grades_of(run.offsets, run.document)
    gold, ideal = _to_be_found(judgments, threshold, excluded)
    return Judged(frozen(grades), frozen(grades >= threshold), frozen(listed), gold, ideal)


def sum_per_query(query: Counts, terms: Values, queries: int) -> Values:
    """Sums of the `terms` of each query [queries].

    They are added one after the other: a longer list elsewhere never changes the last bit of a sum, as numpy's
    pairwise summation along an axis would.
    """
    return np.bincount(query, weights=terms, minlength=queries).astype(np.float64)


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


def _to_be_found(judgments: Judgments, threshold: float, excluded: Excluded | None) -> tuple[Counts, Gains]:
    owner, grade = owner_of(judgments.offsets), judgments.grade
    if excluded is not None:
        width = len(judgments.documents)
        barred = pair_keys(excluded.offsets, excluded.document, width)
        keep = ~np.isin(pair_keys(judgments.offsets, judgments.document, width), barred)
        owner, grade = owner[keep], grade[keep]
    queries = len(judgments.queries)
    gold = np.bincount(owner[grade >= threshold], minlength=queries)
    owner, grade = owner[grade > 0], grade[grade > 0]
    order = np.lexsort((-grade, owner))
    offsets = offsets_of(np.bincount(owner, minlength=queries))
    return frozen(gold), Gains(frozen(offsets), frozen(grade[order]))


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
