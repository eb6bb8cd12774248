"""Ties: where they are, and how much of a ranking they are."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from askance.core.errors import DataProblem
from askance.data.run import Run
from askance.measure.ties import Ties, tied_share, ties_of

MakeTied = Callable[..., Run]


def scored(*rows: list[float]) -> list[list[tuple[int, float]]]:
    return [list(enumerate(row)) for row in rows]


def by_query(ties: Ties) -> list[list[tuple[int, int]]]:
    pairs = list(zip(ties.before.tolist(), ties.size.tolist(), strict=True))
    return [pairs[start:end] for start, end in zip(ties.offsets[:-1], ties.offsets[1:], strict=True)]


def test_ties_never_reach_over_a_list(make_tied_run: MakeTied) -> None:
    run = make_tied_run(scored([3, 2, 2, 1], [1, 1, 1], [], [1], [1, 0, 0, -1, -1]), 5)
    ties = ties_of(run)
    assert ties is not None
    assert by_query(ties) == [[(1, 2)], [(0, 3)], [], [], [(1, 2), (3, 2)]]
    assert len(ties) == 4


def test_no_ties(make_tied_run: MakeTied) -> None:
    assert ties_of(make_tied_run(scored([2, 1], [1], []), 2)) is None
    assert ties_of(make_tied_run(scored([], []), 2)) is None


def test_in_another_precision(make_tied_run: MakeTied) -> None:
    run = make_tied_run(scored([0.70000001, 0.7]), 2)
    assert ties_of(run) is None
    assert ties_of(run, run.score.astype(np.float32)) is not None


def test_lists_whose_scores_rise_are_refused(make_tied_run: MakeTied) -> None:
    with pytest.raises(DataProblem, match="scores of query 'q1' rise"):
        ties_of(make_tied_run(scored([1, 1], [0, 1, 0]), 3))


def test_ties_are_taken_with_repeats_in_any_order(make_tied_run: MakeTied) -> None:
    ties = ties_of(make_tied_run(scored([1, 1], [2, 1], [3, 3, 1, 1]), 4))
    assert ties is not None
    assert by_query(ties.take(np.array([2, 0, 1, 2]))) == [[(0, 2), (2, 2)], [(0, 2)], [], [(0, 2), (2, 2)]]


def test_a_cut_splits_a_tie_that_stands_on_both_sides() -> None:
    ties = Ties(np.array([0, 2]), np.array([1, 5]), np.array([3, 2]))
    assert [k for k in range(1, 9) if ties.split_at(k)] == [2, 3, 6]


@given(st.lists(st.lists(st.integers(0, 3), max_size=7), min_size=1, max_size=4))
def test_every_neighbour_with_one_score_is_in_a_tie(make_tied_run: MakeTied, rows: list[list[int]]) -> None:
    falling = [sorted(map(float, row), reverse=True) for row in rows]
    ties = ties_of(make_tied_run(scored(*falling), 7))
    expected = [
        [(row.index(value), row.count(value)) for value in sorted(set(row), reverse=True) if row.count(value) > 1]
        for row in falling
    ]
    assert (by_query(ties) if ties is not None else [[] for _ in rows]) == expected


@pytest.mark.parametrize(
    ("rows", "first", "share"),
    [
        ([[3, 2, 2, 1]], 10, 0.5),
        ([[3, 2, 2, 1]], 2, 0.5),
        ([[3, 2, 2, 1]], 1, 0.0),
        ([[1, 1], [2, 1]], 10, 0.5),
        ([[1], [1]], 10, 0.0),
        ([[], []], 10, 0.0),
    ],
)
def test_the_share_of_places_with_a_tied_neighbour(
    make_tied_run: MakeTied, rows: list[list[float]], first: int, share: float
) -> None:
    assert tied_share(make_tied_run(scored(*rows), 4), first) == share
