"""Slices: which cannot be told apart, and whether systems differ more in one than in another."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st

from askance.core.errors import BadInput
from askance.measure.compare.p_value import PValue
from askance.measure.compare.slices import confounded, cramers_v, exchanged_labels, splits, values_of
from askance.measure.judged import Values


def halves(n: int, first: int) -> list[str | None]:
    return ["u" if at < first else "v" for at in range(n)]


def one(values: Values, first: int, seed: int = 0, draws: int = 10_000) -> PValue:
    (split,) = splits("slice", halves(len(values), first))
    return exchanged_labels([values], split, seed, draws)[0]


# --- Cramér's V


@given(st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from("xyz")), min_size=2, max_size=60))
def test_v_is_scipys(pairs: list[tuple[str, str]]) -> None:
    first, second = [pair[0] for pair in pairs], [pair[1] for pair in pairs]
    rows, columns = sorted(set(first)), sorted(set(second))
    table = np.array([[pairs.count((row, column)) for column in columns] for row in rows])
    v, n = cramers_v(first, second)
    assert n == len(pairs)
    if min(table.shape) < 2:
        assert v is None
    else:
        assert v == pytest.approx(float(scipy.stats.contingency.association(table, method="cramer")))


def test_the_same_slice_under_two_names_is_confounded() -> None:
    length = ["short", "long"] * 20
    slices: dict[str, list[str | None]] = {
        "length": [*length],
        "source": ["web" if one == "short" else "book" for one in length],
        "nearly": [*("a" if one == "short" else "b" for one in length[:-1]), "a"],
        "day": ["x" if at < 20 else "y" for at in range(40)],
    }
    found = confounded(slices)
    assert [(one.first, one.second) for one in found] == [
        ("length", "source"),
        ("length", "nearly"),
        ("source", "nearly"),
    ]
    assert found[0].v == pytest.approx(1.0)
    assert found[1].v == pytest.approx(0.95, abs=0.01)
    assert found[0].n == 40


def test_queries_without_a_value_do_not_count() -> None:
    v, n = cramers_v(["a", "b", None, "", "a"], ["x", "y", "x", "y", None])
    assert (v, n) == (1.0, 2)
    assert cramers_v([None, None], ["x", "y"]) == (None, 0)
    assert cramers_v([], []) == (None, 0)


# --- what is held against what


def test_two_values_are_held_against_each_other_and_more_against_the_others() -> None:
    (only,) = splits("length", ["s", "l", "s", None])
    assert (only.value, only.rest) == ("s", "l")
    assert only.inside.tolist() == [True, False, True, False]
    assert only.outside.tolist() == [False, True, False, False]
    several = splits("kind", ["a", "b", "c", ""])
    assert [(split.value, split.rest) for split in several] == [(value, "all others") for value in "abc"]
    assert several[1].outside.tolist() == [True, False, True, False]
    assert splits("constant", ["a", "a"]) == []


def test_a_slice_of_a_value_a_query_is_refused() -> None:
    with pytest.raises(BadInput, match="51 values"):
        values_of("query", [str(at) for at in range(51)])


# --- interactions


@given(st.lists(st.integers(-3, 3), min_size=2, max_size=8), st.data())
def test_few_queries_are_every_exchange(numbers: list[int], data: st.DataObject) -> None:
    first = data.draw(st.integers(1, len(numbers) - 1))
    total = sum(numbers)

    def apart(chosen: tuple[int, ...]) -> float:
        inside = sum(numbers[at] for at in chosen)
        return abs(inside / first - (total - inside) / (len(numbers) - first))

    ways = list(combinations(range(len(numbers)), first))
    observed = apart(tuple(range(first)))
    expected = sum(apart(chosen) >= observed - 1e-9 for chosen in ways) / len(ways)
    found = one(np.array(numbers, dtype=np.float64), first)
    assert found.p == pytest.approx(expected)
    assert found.method.startswith("exact")


def test_many_queries_are_drawn_as_scipy_draws_them() -> None:
    values = np.random.default_rng(1).normal(0, 1, 60)
    values[:25] += 0.4
    theirs = scipy.stats.permutation_test(
        (values[:25], values[25:]),
        lambda x, y, axis: x.mean(axis=axis) - y.mean(axis=axis),
        n_resamples=20_000,
        rng=np.random.default_rng(3),
    )
    found = one(values, 25, seed=2)
    assert found.p == pytest.approx(float(theirs.pvalue), abs=0.02)
    assert "seed 2" in found.method
    assert one(values, 25, seed=2) == found
    assert one(values + 100 * (np.arange(60) < 25), 25, draws=999).p == pytest.approx(0.001)


def test_columns_share_their_draws_and_nan_is_no_query() -> None:
    values = np.random.default_rng(1).normal(0, 1, (3, 60))
    values[2, :10] = np.nan
    (split,) = splits("slice", halves(60, 25))
    together = exchanged_labels(list(values), split, seed=4)
    assert together == [exchanged_labels([column], split, seed=4)[0] for column in values]
    assert together[2].p == pytest.approx(one(values[2, 10:], 15, seed=5).p, abs=0.03)


def test_the_edges() -> None:
    assert one(np.full(40, 0.3), 20).p == 1.0
    (split,) = splits("slice", halves(4, 2))
    (found,) = exchanged_labels([np.array([np.nan, np.nan, 0.1, 0.2])], split, seed=0)
    assert found.p is None
    assert found.reason == "one side of the slice has no queries"


def test_labels_given_at_random_are_rejected_as_often_as_the_level_says() -> None:
    rng = np.random.default_rng(8)
    columns = [np.where(rng.random(50) < 0.5, 0.0, rng.normal(0.1, 0.3, 50)) for _ in range(2_000)]
    (split,) = splits("slice", halves(50, 15))
    p = [found.p for found in exchanged_labels(columns, split, seed=0, draws=1_000)]
    rejected = float(np.mean([one is not None and one <= 0.05 for one in p]))
    assert 0.03 <= rejected <= 0.05 + 3.5 * (0.05 * 0.95 / 2_000) ** 0.5
