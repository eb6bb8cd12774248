"""A run held against judgments."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from askance.core.errors import DataProblem
from askance.data.collection import Excluded
from askance.data.ids import Ids
from askance.data.judgments import Judgments
from askance.data.rows import offsets_of
from askance.data.run import Run
from askance.measure.judged import Gains, Judged, candidate_counts, gold_of, judge
from askance.measure.lookup import judged_rows
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


def test_negative_grades_are_no_judgments_and_fractions_are_kept(hold: Callable[..., Judged]) -> None:
    judged = hold([[0, 1, 2, 3]], [{0: -1.0, 1: 0.5, 2: 1.5, 4: -2.0, 5: 0.0}], 6)
    assert judged.grade.tolist() == [0.5, 1.5]
    assert judged.before.tolist() == [1, 2]
    assert (judged.gold.tolist(), judged.pool.tolist()) == ([1], [3])
    assert judged.ideal.gain.tolist() == [1.5, 0.5]
    assert judged.listed.tolist() == [4]


def test_another_threshold(hold: Callable[..., Judged]) -> None:
    judged = hold([[0, 1], [2]], [{0: 1.0, 1: 2.0, 3: 3.0}, {2: 1.0}], 4)
    higher = judged.at_least(2.0)
    assert higher.relevant.tolist() == [False, True, False]
    assert higher.gold.tolist() == [2, 0]
    assert judged.relevant.all()
    assert higher.at_least(1.0).gold.tolist() == judged.gold.tolist()


def test_other_gains_leave_gold_as_it_is(hold: Callable[..., Judged]) -> None:
    judged = hold([[0, 1, 2]], [{0: 1.0, 1: 2.0, 2: 0.0}], 3, threshold=2.0).gaining(lambda grade: grade**2)
    assert judged.grade.tolist() == [1.0, 4.0, 0.0]
    assert judged.ideal.gain.tolist() == [4.0, 1.0]
    assert judged.relevant.tolist() == [False, True, False]
    assert judged.gold.tolist() == [1]


def test_unjudged_documents_can_be_taken_out(hold: Callable[..., Judged]) -> None:
    judged = hold([[9, 0, 8, 1], [7]], [{0: 1.0, 1: 0.0, 2: 1.0}, {0: 1.0}], 10).without_unjudged()
    assert judged.before.tolist() == [0, 1]
    assert judged.listed.tolist() == [2, 0]
    assert judged.gold.tolist() == [2, 1]


def _scored(*lists: list[tuple[int, float]], documents: int = 9) -> Run:
    ids = Ids(f"d{at}" for at in range(documents))
    rows = {f"q{query}": [(f"d{at}", score) for at, score in row] for query, row in enumerate(lists)}
    return Run.of("r", Ids(rows), ids, rows)


def test_documents_with_one_score_are_a_group(make_judgments: MakeJudgments) -> None:
    run = _scored([(0, 5), (1, 3), (2, 3), (3, 3), (4, 1), (5, 1)], [(6, 2), (7, 2)], [(8, 1)])
    judgments = make_judgments([{0: 1.0, 3: 0.0, 1: 2.0, 5: 1.0}, {8: 1.0}, {8: 1.0}], 9)
    judged = judge(run, judgments, tied=True)
    assert list(zip(judged.query, judged.before, judged.size, strict=True)) == [
        (0, 0, 1),
        (0, 1, 3),
        (0, 4, 2),
        (2, 0, 1),
    ]
    assert judged.group.tolist() == [0, 1, 1, 2, 3]
    assert judged.grade.tolist() == [1.0, 2.0, 0.0, 1.0, 1.0]
    assert judged.gold_in.tolist() == [1, 1, 1, 1]
    assert judged.judged_in.tolist() == [1, 2, 1, 1]
    assert judged.earlier(judged.judged_in).tolist() == [0, 1, 3, 0]
    assert judged.ties is not None
    assert judged.ties.before.tolist() == [1, 4, 0]
    kept = judged.where(np.array([False, True, True]))
    assert kept.query.tolist() == [1]
    assert kept.ties is not None
    assert kept.ties.offsets.tolist() == [0, 1, 1]
    condensed = judged.without_unjudged()
    assert condensed.before.tolist() == [0, 1, 3, 0]
    assert condensed.size.tolist() == [1, 2, 1, 1]
    assert condensed.listed.tolist() == [4, 0, 1]
    assert condensed.ties is not None
    assert (condensed.ties.before.tolist(), condensed.ties.size.tolist()) == ([1], [2])


def test_scores_say_nothing_unless_ties_are_asked_for(make_judgments: MakeJudgments) -> None:
    run = _scored([(0, 1), (1, 2), (2, 2)])
    judgments = make_judgments([{1: 1.0}], 9)
    assert judge(run, judgments).ties is None
    assert judge(run, judgments).before.tolist() == [1]
    with pytest.raises(DataProblem, match="scores of query 'q0' rise"):
        judge(run, judgments, tied=True)


@given(st.integers(0, 2**32 - 1))
def test_judged_rows_are_found_as_by_looking_each_up(seed: int) -> None:
    rng = np.random.default_rng(seed)
    queries, documents = Ids(f"q{at}" for at in range(6)), Ids(f"d{at}" for at in range(40))
    lists = {query: [(f"d{at}", 1.0) for at in rng.permutation(40)[: rng.integers(0, 40)]] for query in queries}
    grades = {
        query: {f"d{at}": float(rng.integers(-2, 4)) for at in rng.integers(0, 40, 9)} for query in list(queries)[:4]
    }
    run = Run.of("r", queries, documents, lists)
    rows, found = judged_rows(run, Judgments.of(queries, documents, grades))
    flat = [(query, document) for query in queries for document, _ in lists[query]]
    expected = [(at, grades[q][d]) for at, (q, d) in enumerate(flat) if d in grades.get(q, {})]
    assert list(zip(rows.tolist(), found.tolist(), strict=True)) == expected


def test_many_rows_are_looked_up_block_by_block() -> None:
    documents = 300_000
    queries, ids = Ids(["q", "r"]), Ids(f"d{at}" for at in range(documents))
    column = np.tile(np.arange(documents, dtype=np.int32), 2)
    run = Run("r", queries, ids, offsets_of([documents, documents]), column, np.zeros(2 * documents))
    judged = np.arange(0, documents, 1_000, dtype=np.int32)
    grade = np.arange(len(judged)).astype(float)
    judgments = Judgments(queries, ids, offsets_of([0, len(judged)]), judged, grade)
    rows, found = judged_rows(run, judgments)
    assert (rows == documents + judged).all()
    assert (found == grade).all()


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
    for array in (
        judged.grade,
        judged.before,
        judged.relevant,
        judged.listed,
        judged.gold,
        judged.ideal.gain,
        judged.ideal.offsets,
    ):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 0


def test_gains_are_taken_in_any_order_with_repeats() -> None:
    gains = Gains(np.array([0, 2, 2, 3]), np.array([2.0, 1.0, 3.0]))
    taken = gains.take(np.array([2, 0, 1, 0]))
    assert taken.gain.tolist() == [3.0, 2.0, 1.0, 2.0, 1.0]
    assert taken.counts.tolist() == [1, 2, 0, 2]
    assert Gains.ones(np.array([2, 0, 1])).counts.tolist() == [2, 0, 1]
    assert gains.at_least(2.0).tolist() == [1, 0, 1]
    padded = gains.padded(np.array([3, 1, 0]))
    assert (padded.gain.tolist(), padded.counts.tolist()) == ([2.0, 1.0, 0.0, 0.0, 3.0], [3, 1, 1])


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
