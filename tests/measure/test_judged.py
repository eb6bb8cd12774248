"""A run held against judgments."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from askance.core.errors import DataProblem
from askance.data.collection import Excluded
from askance.data.ids import Ids
from askance.data.judgments import Judgments
from askance.data.run import Run
from askance.measure.judged import Gains, Judged, candidate_counts, gold_of, judge
from askance.measure.measures import Measure
from askance.measure.per_query import sum_per_query

Make = Callable[..., Run]
MakeJudgments = Callable[..., Judgments]


def test_grades_stand_at_their_ranks(hold: Callable[..., Judged]) -> None:
    judged = hold([[2, 0, 1], [3], []], [{0: 1.0, 1: 2.0, 4: 3.0}, {0: 1.0, 3: 0.0}, {}], 5)
    found = zip(judged.query[judged.group], judged.before[judged.group] + 1, judged.grade, strict=True)
    assert list(found) == [(0, 2, 1.0), (0, 3, 2.0), (1, 1, 0.0)]
    assert judged.size.tolist() == [1, 1, 1]
    assert judged.relevant.tolist() == [True, True, False]
    assert judged.listed.tolist() == [3, 1, 0]
    assert judged.gold.tolist() == [3, 1, 0]
    assert judged.pool.tolist() == [3, 2, 0]
    assert judged.ties is None
    assert judged.with_gold.tolist() == [True, True, False]
    assert judged.ideal.gain.tolist() == [3.0, 2.0, 1.0, 1.0]
    assert judged.ideal.counts.tolist() == [3, 1, 0]
    assert len(judged) == 3


def test_the_threshold_decides_what_is_gold_but_not_what_has_a_grade(hold: Callable[..., Judged]) -> None:
    judged = hold([[0, 1, 2]], [{0: 1.0, 1: 2.0, 2: 0.5}], 3, threshold=2.0)
    assert judged.relevant.tolist() == [False, True, False]
    assert judged.gold.tolist() == [1]
    assert judged.ideal.gain.tolist() == [2.0, 1.0, 0.5]


def test_where_keeps_the_order_and_everything_of_a_query(hold: Callable[..., Judged]) -> None:
    judged = hold([[0], [1, 2], [2]], [{0: 1.0}, {1: 2.0, 0: 1.0}, {2: 3.0}], 3)
    kept = judged.where(np.array([False, True, True]))
    assert kept.gold.tolist() == [2, 1]
    assert kept.listed.tolist() == [2, 1]
    assert kept.ideal.gain.tolist() == [2.0, 1.0, 3.0]
    assert kept.ideal.offsets.tolist() == [0, 2, 3]
    assert kept.query.tolist() == [0, 1]
    assert kept.before.tolist() == [0, 0]
    assert kept.grade.tolist() == [2.0, 3.0]
    assert kept.relevant.tolist() == [True, True]
    assert kept.pool.tolist() == [2, 1]
    assert judged.where(np.ones(3, dtype=bool)) is judged


@pytest.mark.parametrize("mask", [np.array([True]), np.array([1, 0, 1])])
def test_where_refuses_what_is_no_mask(hold: Callable[..., Judged], mask: np.ndarray) -> None:
    judged = hold([[0], [0], [0]], [{0: 1.0}] * 3, 1)
    with pytest.raises(DataProblem, match="cannot pick among 3 queries"):
        judged.where(mask)


def test_an_empty_run_has_no_hits(hold: Callable[..., Judged]) -> None:
    judged = hold([[], []], [{0: 1.0}, {}], 2)
    assert judged.relevant.tolist() == []
    assert Measure("Hit", 5).compute(judged).tolist() == [0.0, 0.0]


def test_everything_is_read_only(hold: Callable[..., Judged]) -> None:
    judged = hold([[0]], [{0: 1.0}], 1)
    for array in (judged.grade, judged.before, judged.relevant, judged.listed, judged.gold, judged.ideal.gain, judged.ideal.offsets):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 0


def test_gains_are_taken_in_any_order_with_repeats() -> None:
    gains = Gains(np.array([0, 2, 2, 3]), np.array([2.0, 1.0, 3.0]))
    taken = gains.take(np.array([2, 0, 1, 0]))
    assert taken.gain.tolist() == [3.0, 2.0, 1.0, 2.0, 1.0]
    assert taken.counts.tolist() == [1, 2, 0, 2]
    assert Gains.ones(np.array([2, 0, 1])).counts.tolist() == [2, 0, 1]


def test_a_run_over_another_collection_is_refused(make_run: Make, make_judgments: MakeJudgments) -> None:
    with pytest.raises(DataProblem, match="other queries or documents"):
        judge(make_run([[0]], 2), make_judgments([{0: 1.0}], 3))


@pytest.mark.parametrize("threshold", [0.0, -1.0, float("nan"), float("inf")])
def test_a_threshold_that_makes_everything_or_nothing_gold_is_refused(
    make_run: Make, make_judgments: MakeJudgments, threshold: float
) -> None:
    with pytest.raises(DataProblem, match="threshold"):
        judge(make_run([[0]], 1), make_judgments([{0: 1.0}], 1), threshold)


def _excluded(pairs: dict[str, list[str]], queries: int, documents: int) -> Excluded:
    return Excluded.of(Ids(f"q{at}" for at in range(queries)), Ids(f"d{at}" for at in range(documents)), pairs)


def test_excluded_documents_are_not_there_to_be_found(make_run: Make, make_judgments: MakeJudgments) -> None:
    excluded = _excluded({"q0": ["d0", "d3"]}, 2, 4)
    judgments = make_judgments([{0: 1.0, 1: 1.0}, {0: 1.0}], 4)
    judged = judge(make_run([[1, 2], [0]], 4), judgments, excluded=excluded)
    assert judged.gold.tolist() == [1, 1]
    assert judged.ideal.counts.tolist() == [1, 1]
    assert gold_of(judgments, 0, 1.0, excluded).tolist() == [1]
    assert gold_of(judgments, 0, 1.0).tolist() == [0, 1]
    assert candidate_counts(4, 2, excluded).tolist() == [2, 4]
    assert candidate_counts(4, 2).tolist() == [4, 4]


def test_a_run_that_lists_an_excluded_document_is_named(make_run: Make, make_judgments: MakeJudgments) -> None:
    excluded = _excluded({"q1": ["d2"]}, 2, 3)
    with pytest.raises(DataProblem, match="1 excluded documents, the first is 'd2' for query 'q1'"):
        judge(make_run([[2], [0, 2]], 3), make_judgments([{0: 1.0}, {0: 1.0}], 3), excluded=excluded)


def test_sums_are_added_one_after_the_other() -> None:
    terms = np.array([1e16, 1.0, 1.0, 3.0])
    assert sum_per_query(np.array([0, 0, 0, 2]), terms, 3).tolist() == [((1e16 + 1.0) + 1.0), 0.0, 3.0]
