"""What two servings decide otherwise: discordant queries, their margins, McNemar."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pytest

from askance.data.collection import Excluded
from askance.data.ids import Ids
from askance.data.judgments import Judgments
from askance.data.run import Run
from askance.measure.drift.decisions import first_places, measure_drift
from askance.measure.drift.found import DriftFound, ServingCard, TierDrift
from askance.measure.measures import Measure
from askance.report.drift_tables import drift_figures_grid

HIT = Measure.parse("Hit@1")
Lists = Mapping[str, Sequence[tuple[str, float]]]


def world(queries: int, lists: Lists, name: str = "run") -> Run:
    return Run.of(name, Ids(f"q{at}" for at in range(queries)), Ids("abcdg"), lists)


def gold_of(queries: int) -> Judgments:
    """Document g is gold for every query but the last, which has none."""
    names = [f"q{at}" for at in range(queries)]
    return Judgments.of(Ids(names), Ids("abcdg"), {name: {"g": 1.0} for name in names[:-1]})


def test_margins_are_gaps_at_the_decision() -> None:
    first = world(3, {"q0": [("g", 0.9), ("a", 0.7), ("b", 0.1)], "q1": [("a", 0.5), ("b", 0.4), ("g", 0.3)]})
    second = world(3, {"q0": [("a", 0.8), ("b", 0.75), ("g", 0.5)], "q1": [("g", 0.6)]})
    found = measure_drift(HIT, first, second, gold_of(3))
    assert (found.gained, found.lost, found.p) == (1, 1, 1.0)
    assert (found.first.value, found.second.value, found.difference.value) == (0.5, 0.5, 0.0)
    assert found.difference.left_out == {"queries without gold": 1}
    one, other = found.discordant
    assert (one.query, other.query) == ("q0", "q1")
    assert (one.first.value, one.first.rank) == (1.0, 1)
    assert one.first.margin == pytest.approx(0.9 - 0.7)
    assert (one.second.value, one.second.rank) == (0.0, 3)
    assert one.second.margin == pytest.approx(0.5 - 0.8)
    assert other.first.margin == pytest.approx(0.3 - 0.5)
    assert (other.second.rank, other.second.margin) == (1, None)  # nothing stands below that it had to beat
    deeper = measure_drift(Measure.parse("Hit@2"), first, second, gold_of(3))
    (_, lost) = deeper.discordant[0].first, deeper.discordant[0].second
    assert deeper.discordant[0].first.margin == pytest.approx(0.9 - 0.1)  # would have to fall behind rank 3
    assert lost.margin == pytest.approx(0.5 - 0.75)  # would have to pass rank 2


def test_gold_that_is_not_listed_has_no_rank_and_no_margin() -> None:
    first, second = world(2, {"q0": [("g", 1.0), ("a", 0.5)]}), world(2, {"q0": [("a", 1.0)]})
    (query,) = measure_drift(HIT, first, second, gold_of(2)).discordant
    assert (query.second.rank, query.second.margin) == (None, None)


def test_queries_that_one_serving_left_unanswered_are_counted() -> None:
    first, second = world(3, {"q0": [("g", 1.0)], "q1": [("g", 1.0)]}), world(3, {"q0": [("g", 1.0)]})
    found = measure_drift(HIT, first, second, gold_of(3))
    assert found.difference.n == 1
    assert found.difference.left_out == {"queries that not both runs answer": 1, "queries without gold": 1}


def test_excluded_gold_is_no_gold() -> None:
    queries, documents = Ids(["q0", "q1"]), Ids("abcdg")
    excluded = Excluded.of(queries, documents, {"q0": ["g"]})
    run = Run.of("r", queries, documents, {"q0": [("a", 1.0)], "q1": [("g", 1.0)]})
    gold = Judgments.of(queries, documents, {"q0": {"g": 1.0}, "q1": {"g": 1.0}})
    found = measure_drift(HIT, run, run, gold, 1.0, excluded)
    assert found.difference.n == 1


def test_a_graded_measure_has_an_interval_and_no_p() -> None:
    first, second = world(2, {"q0": [("g", 1.0), ("a", 0.5)]}), world(2, {"q0": [("a", 1.0), ("g", 0.9)]})
    found = measure_drift(Measure.parse("RR"), first, second, gold_of(2))
    assert (found.gained, found.lost, found.p, found.discordant) == (None, None, None, ())
    assert found.difference.value == pytest.approx(-0.5)
    tied = world(2, {"q0": [("a", 1.0), ("g", 1.0)]})
    assert measure_drift(HIT, first, tied, gold_of(2), ties="expected").p is None
    assert measure_drift(HIT, first, tied, gold_of(2), ties="input").p == 1.0


def test_seventeen_to_one() -> None:
    """The published comparison of two deployments of one embedder: 17 queries to 1, p = .00014."""
    hit, miss = [("g", 1.0), ("a", 0.5)], [("a", 1.0), ("g", 0.9)]
    first = world(31, {f"q{at}": hit if at < 17 else miss if at == 17 else hit for at in range(30)}, "one")
    second = world(31, {f"q{at}": miss if at < 17 else hit for at in range(30)}, "other")
    found = measure_drift(HIT, first, second, gold_of(31))
    assert (found.gained, found.lost) == (1, 17)
    assert found.p == pytest.approx(2 * (1 + 18) / 2**18)
    assert f"{found.p:.5f}" == "0.00014"
    assert len(found.discordant) == 18
    cards = [ServingCard(name, "run", {}) for name in ("one", "other")]
    whole = DriftFound(cards[0], cards[1], None, (), None, None, (TierDrift("", found), TierDrift("", found)))
    assert whole.corrected == pytest.approx([4 * 19 / 2**18] * 2)
    row = drift_figures_grid(whole).rows[2]
    assert row[6:10] == ["1", "17", "0.000144958", "0.000289917"]


def test_first_places_and_how_narrow_the_lead_was() -> None:
    first = world(
        4,
        {
            "q0": [("a", 0.50), ("b", 0.49)],
            "q1": [("a", 0.9), ("b", 0.5)],
            "q2": [("c", 0.6)],
            "q3": [("d", 0.3)],
        },
    )
    second = world(4, {"q0": [("b", 0.52), ("a", 0.51)], "q1": [("a", 0.8), ("b", 0.5)], "q2": [("a", 0.6)]})
    found = first_places(first, second)
    assert found.changed.value == pytest.approx(2 / 3)
    assert found.changed.left_out == {"queries that not both runs answer": 1}
    change, other = found.changes
    assert (change.query, change.first, change.second) == ("q0", "a", "b")
    assert change.first_margin == pytest.approx(0.01)
    assert change.second_margin == pytest.approx(0.01)
    assert (other.query, other.first_margin, other.second_margin) == ("q2", None, None)
    assert found.margin_changed.value == pytest.approx(0.01)
    assert found.margin_changed.left_out == {"lists of a single document": 1}
    assert found.margin_kept.value == pytest.approx(0.4)


def test_the_record_is_json_without_nan() -> None:
    import json

    first, second = world(2, {"q0": [("g", 1.0), ("a", 0.5)]}), world(2, {"q0": [("a", 1.0)]})
    drift = measure_drift(HIT, first, second, gold_of(2))
    card = ServingCard("r", "run", {"tags": ["x"]})
    found = DriftFound(card, card, None, (), None, first_places(first, second), (TierDrift("", drift),))
    again = json.loads(json.dumps(found.record(), allow_nan=False))
    assert again["schema"] == "askance/drift/1"
    assert again["measures"][0]["discordant"][0]["second"] == {"value": 0.0, "rank": None, "margin": None}
    assert np.isclose(again["measures"][0]["p"], 1.0)
