"""Measures as estimates."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from askance.measure.bootstrap import bootstrap_mean
from askance.measure.estimates import estimate
from askance.measure.intervals import proportion
from askance.measure.judged import Judged
from askance.measure.measures import Measure

Hold = Callable[..., Judged]


def test_queries_without_gold_are_left_out_and_counted(hold: Hold) -> None:
    judged = hold([[0], [1], [], [0]], [{0: 1}, {0: 1}, {0: 1}, {}], 2)
    found = estimate(Measure("Hit", 1), judged, seed=1)
    assert found == proportion(1, 3, {"queries without gold": 1})
    graded = estimate(Measure("AP"), judged, seed=1)
    assert graded == bootstrap_mean(np.array([1.0, 0.0, 0.0]), {"queries without gold": 1})
    assert graded.value == pytest.approx(1 / 3)


def test_nothing_left_out_is_not_mentioned(hold: Hold) -> None:
    found = estimate(Measure("Hit", 1), hold([[0], [1]], [{0: 1}, {0: 1}], 2), seed=1)
    assert dict(found.left_out) == {}


def test_a_yes_no_measure_by_another_name_has_the_same_interval(hold: Hold) -> None:
    judged = hold([[0], [1], [0]], [{0: 1, 1: 1}, {0: 1}, {0: 1}], 2)
    found = [estimate(Measure.parse(text), judged, seed=1) for text in ("Hit@1", "P@1", "RR@1")]
    assert found[0] == found[1] == found[2]


def test_no_gold_at_all_is_undefined(hold: Hold) -> None:
    for text in ("Hit@1", "AP"):
        found = estimate(Measure.parse(text), hold([[0], [1]], [{}, {}], 2), seed=1)
        assert found.value is None
        assert dict(found.left_out) == {"queries without gold": 2}


def test_changed_judgments_change_the_figure(hold: Hold) -> None:
    lists = [[at] for at in range(40)]
    before = estimate(Measure("Hit", 1), hold(lists, [{at: 1} for at in range(40)], 41), seed=1)
    after = estimate(Measure("Hit", 1), hold(lists, [{40 if at < 10 else at: 1} for at in range(40)], 41), seed=1)
    assert (before.value, after.value) == (1.0, 0.75)
