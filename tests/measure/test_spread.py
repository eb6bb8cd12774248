"""What the order of tied documents can do to a figure."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from askance.data.judgments import Judgments
from askance.data.run import Run
from askance.measure.measures import Measure
from askance.measure.spread import extremes, spread, spread_between

MakeTied = Callable[..., Run]
MakeJudgments = Callable[..., Judgments]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Hit@1", 0.5),
        ("Hit@3", 0.0),
        ("RR", 1 / 3),
        ("P@1", 0.5),
        ("FirstRel", 1.0),
        ("Unjudged@1", 0.5),
        ("Hit(rel=2)@1", 0),
    ],
)
def test_the_luckiest_order_less_the_unluckiest(
    make_tied_run: MakeTied, make_judgments: MakeJudgments, text: str, expected: float
) -> None:
    """Three tied documents with one gold, a list without ties, and a query without gold that does not count."""
    run = make_tied_run([[(0, 1.0), (1, 1.0), (2, 1.0)], [(0, 2.0), (1, 1.0)], [(0, 1.0), (1, 1.0)]], 3)
    judgments = make_judgments([{1: 1.0}, {0: 1.0}, {0: 0.0}], 3)
    assert spread(Measure.parse(text), run, judgments) == pytest.approx(expected)


def test_no_ties_no_spread(make_tied_run: MakeTied, make_judgments: MakeJudgments) -> None:
    run = make_tied_run([[(0, 1.0), (1, 2.0)]], 2)
    assert extremes(run, make_judgments([{1: 1.0}], 2)) is None
    assert spread(Measure("AP"), run, make_judgments([{1: 1.0}], 2)) == 0.0


def test_no_query_with_a_value_no_spread(make_tied_run: MakeTied, make_judgments: MakeJudgments) -> None:
    pair = extremes(make_tied_run([[(0, 1.0), (1, 1.0)]], 3), make_judgments([{0: 0.0, 2: 1.0}], 3))
    assert pair is not None
    assert spread_between(Measure("FirstRel"), pair) == 0.0
    assert (
        spread_between(Measure("Hit", 1), extremes(make_tied_run([[(0, 1.0), (1, 1.0)]], 3), make_judgments([{}], 3)))
        == 0
    )
