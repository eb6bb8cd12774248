"""Measures as estimates."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from askance.data.judgments import Judgments
from askance.data.run import Run
from askance.measure.bootstrap import bootstrap_mean
from askance.measure.estimates import estimate
from askance.measure.intervals import proportion
from askance.measure.judged import Judged
from askance.measure.measures import Measure
from askance.measure.order import judge_by

Hold = Callable[..., Judged]
MakeJudgments = Callable[..., Judgments]


def test_queries_without_gold_are_left_out_and_counted(hold: Hold) -> None:
    judged = hold([[0], [1], [], [0]], [{0: 1}, {0: 1}, {0: 1}, {}], 2)
    found = estimate(Measure("Hit", 1), judged)
    assert found == proportion(1, 3, {"queries without gold": 1})
    graded = estimate(Measure("AP"), judged)
    assert graded == bootstrap_mean(np.array([1.0, 0.0, 0.0]), {"queries without gold": 1})
    assert graded.value == pytest.approx(1 / 3)


def test_nothing_left_out_is_not_mentioned(hold: Hold) -> None:
    found = estimate(Measure("Hit", 1), hold([[0], [1]], [{0: 1}, {0: 1}], 2))
    assert dict(found.left_out) == {}


def test_a_yes_no_measure_by_another_name_has_the_same_interval(hold: Hold) -> None:
    judged = hold([[0], [1], [0]], [{0: 1, 1: 1}, {0: 1}, {0: 1}], 2)
    found = [estimate(Measure.parse(text), judged) for text in ("Hit@1", "P@1", "RR@1")]
    assert found[0] == found[1] == found[2]


def test_no_gold_at_all_is_undefined(hold: Hold) -> None:
    for text in ("Hit@1", "AP"):
        found = estimate(Measure.parse(text), hold([[0], [1]], [{}, {}], 2))
        assert found.value is None
        assert dict(found.left_out) == {"queries without gold": 2}


def test_changed_judgments_change_the_figure(hold: Hold) -> None:
    lists = [[at] for at in range(40)]
    before = estimate(Measure("Hit", 1), hold(lists, [{at: 1} for at in range(40)], 41))
    after = estimate(Measure("Hit", 1), hold(lists, [{40 if at < 10 else at: 1} for at in range(40)], 41))
    assert (before.value, after.value) == (1.0, 0.75)


def test_a_query_without_a_value_is_left_out_and_counted(hold: Hold) -> None:
    judged = hold([[0, 1], [1], [2], [0]], [{0: 1}, {0: 1}, {2: 1}, {}], 3)
    found = estimate(Measure("FirstRel"), judged)
    assert (found.value, found.n) == (1.0, 2)
    assert dict(found.left_out) == {"queries without gold": 1, "queries that list no gold document": 1}
    assert found.low == 1.0
    assert found.high is not None
    assert 1.0 < found.high <= 2.0
    shown = estimate(Measure("Judged", 1), hold([[0], []], [{0: 1}, {0: 1}], 2))
    assert (shown.value, shown.n, dict(shown.left_out)) == (1.0, 1, {"queries with an empty list": 1})


def test_nothing_found_by_any_query_is_undefined(hold: Hold) -> None:
    found = estimate(Measure("FirstRel"), hold([[1], [1]], [{0: 1}, {0: 1}], 2))
    assert found.value is None
    assert dict(found.left_out) == {"queries that list no gold document": 2}


def test_a_threshold_of_the_measure_says_which_queries_have_gold(hold: Hold) -> None:
    judged = hold([[0], [1]], [{0: 2}, {1: 1}], 2)
    found = estimate(Measure.parse("Hit(rel=2)@1"), judged)
    assert (found.value, found.n, dict(found.left_out)) == (1.0, 1, {"queries without gold": 1})


def test_shares_of_tied_orders_are_no_proportion(
    make_tied_run: Callable[..., Run], make_judgments: MakeJudgments
) -> None:
    run = make_tied_run([[(0, 1.0), (1, 1.0)], [(0, 2.0), (1, 1.0)], [(0, 2.0), (1, 1.0)]], 2)
    judged = judge_by("expected", run, make_judgments([{0: 1}, {0: 1}, {1: 1}], 2))
    found = estimate(Measure("Hit", 1), judged)
    assert found.value == 0.5
    assert "binomial" not in found.method
    assert "binomial" in estimate(Measure("Hit", 1), judged.where(np.array([False, True, True]))).method
