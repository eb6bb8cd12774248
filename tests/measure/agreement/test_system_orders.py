"""Orders of systems under two label sets: on made values, on 63 real runs, and on the values of a whole track."""

from __future__ import annotations

import gzip
from collections import defaultdict
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import kendalltau

from askance.core.errors import DataProblem
from askance.data.ids import Ids
from askance.data.judgments import Judgments
from askance.data.run import Run
from askance.measure.agreement.system_orders import SystemValues, compare_orders, system_values
from askance.measure.judged import Values
from askance.measure.measures import Measure

SKILL = np.linspace(0.2, 0.8, 12)


def side(values: Values, first: int = 0) -> SystemValues:
    return SystemValues(Ids(f"q{first + at}" for at in range(len(values))), values)


def made(queries: int, seed: int, noise: float = 0.3) -> Values:
    return SKILL + np.random.default_rng(seed).normal(0, noise, (queries, len(SKILL)))


def test_one_order_twice_agrees_fully() -> None:
    values = made(40, 1)
    found = compare_orders(side(values), side(values), resamples=200)
    for estimate in (found.tau, found.tau_b, found.rbo):
        assert estimate.value == pytest.approx(1.0)
        assert estimate.low == pytest.approx(1.0)
        assert estimate.high == pytest.approx(1.0)
        assert "a point: every resample says the same" in estimate.method
    assert found.systems == 12
    turned = compare_orders(side(values), side(-values), resamples=200)
    assert turned.tau.value == pytest.approx(-1.0)


def test_the_interval_holds_its_value_where_quantiles_would_not() -> None:
    """A resampled order is noisier than the sample's: here most resampled taus lie below the sample's own."""
    first = made(60, 2, 0.1)
    second = first + np.random.default_rng(3).normal(0, 0.02, first.shape)
    found = compare_orders(side(first), side(second), resamples=1000)
    value, low, high = found.tau_b.value, found.tau_b.low, found.tau_b.high
    assert value == pytest.approx(float(kendalltau(first.mean(axis=0), second.mean(axis=0)).statistic))
    assert low is not None
    assert high is not None
    assert value is not None
    assert low < value <= high <= 1.0
    assert found.rbo.method.startswith("p = 0.9, extrapolated")


def test_shared_queries_are_compared_and_the_others_counted() -> None:
    first, second = side(made(30, 4)), side(made(30, 5), first=10)
    found = compare_orders(first, second, resamples=200)
    assert found.tau.n == 20
    assert found.tau.left_out == {"queries that only one side judges": 20}
    alone = compare_orders(
        SystemValues(Ids(f"q{at}" for at in range(10, 30)), first.values[10:]),
        SystemValues(Ids(f"q{at}" for at in range(10, 30)), second.values[:20]),
        resamples=200,
    )
    assert found.tau.value == alone.tau.value


def test_without_a_shared_query_each_side_keeps_its_own() -> None:
    first, second = side(made(30, 6)), side(made(50, 7), first=1000)
    found = compare_orders(first, second, resamples=200)
    assert found.tau.n == 80
    assert found.tau.left_out == {}
    assert "30 and 50 queries, of which they share none" in found.tau.method
    expected = kendalltau(first.values.mean(axis=0), second.values.mean(axis=0)).statistic
    assert found.tau_b.value == pytest.approx(float(expected))


def test_what_makes_no_order_says_why() -> None:
    one = side(made(5, 1)[:, :1])
    assert "two systems" in compare_orders(one, one).tau.method
    empty = SystemValues(Ids(()), np.empty((0, 12)), 3)
    assert "no run answers" in compare_orders(side(made(5, 1)), empty).tau.method
    flat = side(np.zeros((5, 12)))
    found = compare_orders(side(made(5, 1)), flat, resamples=50)
    assert "same mean" in found.tau_b.method
    assert found.tau.value == 0.0
    with pytest.raises(DataProblem, match="12 and 1 systems"):
        compare_orders(side(made(5, 1)), one)


def test_values_of_runs_leave_out_queries_that_no_run_answers() -> None:
    queries, documents = Ids(["q1", "q2", "q3"]), Ids(["a", "b"])
    judgments = Judgments.of(queries, documents, {"q1": {"a": 1.0}, "q2": {"b": 1.0}})
    runs = [
        Run.of("good", queries, documents, {"q1": [("a", 2.0), ("b", 1.0)]}),
        Run.of("tied", queries, documents, {"q1": [("b", 1.0), ("a", 1.0)], "q3": [("a", 1.0)]}),
    ]
    found = system_values(runs, judgments, Measure.parse("Hit@1"))
    assert found.queries.names == ("q1",)
    assert found.unanswered == 1
    assert found.values.tolist() == [[1.0, 0.5]]


def track(folder: Path, name: str, measure: str) -> SystemValues:
    values: defaultdict[str, dict[str, float]] = defaultdict(dict)
    systems: set[str] = set()
    with gzip.open(folder / f"per_query_{name}_qrels.tsv.gz", "rt") as file:
        for line in file:
            system, what, query, value = line.rstrip("\n").split("\t")
            if what == measure and query != "all":
                values[query][system] = float(value)
                systems.add(system)
    order = sorted(systems)
    table = np.array([[values[query].get(system, 0.0) for system in order] for query in values])
    return SystemValues(Ids(values), table)


@pytest.mark.parametrize("measure", ["map", "P_10"])
def test_human_and_gpt4_orders_of_a_track(shared_data: Path, measure: str) -> None:
    """TREC DL 2023: people judged 82 queries, GPT-4 618 others; 35 systems."""
    folder = shared_data / "trec_dl_runs" / "dl2023"
    human, machine = track(folder, "human", measure), track(folder, "gpt4", measure)
    assert (human.values.shape, machine.values.shape) == ((82, 35), (618, 35))
    found = compare_orders(human, machine, resamples=500)
    expected = kendalltau(human.values.mean(axis=0).round(12), machine.values.mean(axis=0).round(12)).statistic
    assert found.tau_b.value == pytest.approx(float(expected))
    assert found.tau_b.low is not None
    assert 0.6 < found.tau_b.low < 0.75 < (found.tau_b.value or 0.0) < 0.85
    assert "share none" in found.tau_b.method
