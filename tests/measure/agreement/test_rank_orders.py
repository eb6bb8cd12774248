"""Kendall's tau and rank-biased overlap against their definitions, scipy and all orders of ties."""

from __future__ import annotations

from fractions import Fraction
from itertools import permutations, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import kendalltau

from askance.core.errors import BadInput, DataProblem
from askance.data.ids import Ids
from askance.data.run import Run
from askance.measure.agreement.rank_orders import (
    kendall,
    overlap_of_lists,
    overlap_of_orders,
    overlap_of_runs,
    shared_ranks,
)

THINGS = "abcdefgh"
LISTS = st.permutations(THINGS).flatmap(lambda order: st.integers(1, len(THINGS)).map(lambda n: order[:n]))
ORDERS = st.integers(1, 6).flatmap(
    lambda n: st.tuples(*(st.lists(st.integers(0, 3), min_size=n, max_size=n) for _ in range(2)))
)


def overlap_by_definition(first: list[str], second: list[str], p: Fraction) -> Fraction:
    """Webber et al. 2010, equation 32, with sets and fractions."""
    short, long = sorted((first, second), key=len)
    s, l = len(short), len(long)  # noqa: E741 (as in the paper)
    shared = [len(set(short[:d]) & set(long[:d])) for d in range(l + 1)]
    summed = sum((Fraction(shared[d], d) * p**d for d in range(1, l + 1)), Fraction(0))
    summed += sum((Fraction(shared[s] * (d - s), s * d) * p**d for d in range(s + 1, l + 1)), Fraction(0))
    return (1 - p) / p * summed + (Fraction(shared[l] - shared[s], l) + Fraction(shared[s], s)) * p**l


@settings(deadline=None)
@given(LISTS, LISTS, st.sampled_from([Fraction(1, 2), Fraction(9, 10), Fraction(98, 100)]))
def test_overlap_of_lists_is_as_defined(first: list[str], second: list[str], p: Fraction) -> None:
    exact = overlap_by_definition(first, second, p)
    assert overlap_of_lists(first, second, float(p)) == pytest.approx(float(exact), abs=1e-12)
    assert overlap_of_lists(second, first, float(p)) == pytest.approx(float(exact), abs=1e-12)
    assert 0 <= exact <= 1


def test_overlap_of_lists_worked_by_hand() -> None:
    """Depths 1, 2, 3 share 0, 2, 2 of their things: (1 − p)/p · (p² · 2/2 + p³ · 2/3) + p³ · 2/3 at p = ½."""
    assert overlap_of_lists("abc", "bad", 0.5) == pytest.approx(1 / 4 + 1 / 12 + 1 / 12)
    assert overlap_of_lists("abc", "abc") == 1.0
    assert overlap_of_lists("abc", "xyz") == 0.0
    assert np.isnan(overlap_of_lists("", "abc"))


@settings(deadline=None)
@given(st.permutations("abcde"), st.permutations("abcde"))
def test_orders_without_ties_are_lists(first: list[str], second: list[str]) -> None:
    one, other = (np.array([-order.index(thing) for thing in "abcde"], dtype=np.float64) for order in (first, second))
    assert float(overlap_of_orders(one, other)) == pytest.approx(overlap_of_lists(first, second), abs=1e-12)


def orders_of(values: list[int]) -> list[list[int]]:
    """Every order that ties leave open."""
    things = range(len(values))
    return [
        list(order)
        for order in permutations(things)
        if all(values[a] >= values[b] for a, b in zip(order, order[1:], strict=False))
    ]


@settings(deadline=None)
@given(st.integers(1, 4).flatmap(lambda n: st.tuples(*(st.lists(st.integers(0, 2), min_size=n, max_size=n),) * 2)))
def test_under_ties_it_is_the_mean_over_all_orders(values: tuple[list[int], list[int]]) -> None:
    pairs = list(product(*map(orders_of, values)))
    mean = sum(overlap_of_lists(a, b) for a, b in pairs) / len(pairs)
    one, other = (np.array(each, dtype=np.float64) for each in values)
    assert float(overlap_of_orders(one, other)) == pytest.approx(mean, abs=1e-12)


@settings(deadline=None)
@given(ORDERS)
def test_tau_and_tau_b_against_counting_and_scipy(values: tuple[list[int], list[int]]) -> None:
    first, second = (np.array(each, dtype=np.float64) for each in values)
    n = len(first)
    pairs = [(i, j) for i in range(n) for j in range(i)]
    balance = sum(int(np.sign(first[i] - first[j]) * np.sign(second[i] - second[j])) for i, j in pairs)
    found = kendall(first, second)
    if n < 2:
        assert np.isnan(float(found.tau))
        return
    assert float(found.tau) == pytest.approx(balance / len(pairs))
    if np.ptp(first) == 0 or np.ptp(second) == 0:
        assert np.isnan(float(found.tau_b))
    else:
        assert float(found.tau_b) == pytest.approx(float(kendalltau(first, second).statistic))


@settings(deadline=None)
@given(st.permutations(range(6)))
def test_same_and_opposite_orders(order: list[int]) -> None:
    values = np.array(order, dtype=np.float64)
    assert [float(each) for each in kendall(values, values)] == [1.0, 1.0]
    assert [float(each) for each in kendall(values, -values)] == [-1.0, -1.0]
    assert float(overlap_of_orders(values, values)) == pytest.approx(1.0)


def test_many_orders_at_once_are_each_alone() -> None:
    rng = np.random.default_rng(2)
    first, second = rng.integers(0, 4, (2, 30, 7)).astype(np.float64)
    together = kendall(first, second)
    for row in range(30):
        alone = kendall(first[row], second[row])
        assert float(together.tau[row]) == float(alone.tau)
        assert float(together.tau_b[row]) == float(alone.tau_b)
    overlaps = overlap_of_orders(first, second)
    assert overlaps.tolist() == [float(overlap_of_orders(first[row], second[row])) for row in range(30)]


@settings(deadline=None)
@given(st.lists(st.tuples(LISTS, LISTS), min_size=1, max_size=4), st.integers(1, 9))
def test_runs_are_compared_list_by_list(pairs: list[tuple[list[str], list[str]]], depth: int) -> None:
    queries, documents = Ids(f"q{at}" for at in range(len(pairs) + 1)), Ids(THINGS)
    one, other = (
        Run.of(
            name,
            queries,
            documents,
            {
                f"q{at}": [(document, -float(rank)) for rank, document in enumerate(pair[side])]
                for at, pair in enumerate(pairs)
            },
        )
        for side, name in enumerate(("a", "b"))
    )
    found = overlap_of_runs(one, other, depth)
    for at, (first, second) in enumerate(pairs):
        assert found[at] == pytest.approx(overlap_of_lists(first[:depth], second[:depth]), abs=1e-12)
    assert np.isnan(found[-1])  # neither run answers the last query
    shared = shared_ranks(one, other)
    assert {(int(q), int(a), int(b)) for q, a, b in zip(*shared, strict=True)} == {
        (at, first.index(document) + 1, second.index(document) + 1)
        for at, (first, second) in enumerate(pairs)
        for document in set(first) & set(second)
    }


def test_what_cannot_be_compared_is_said() -> None:
    with pytest.raises(BadInput, match="between 0 and 1"):
        overlap_of_lists("ab", "ba", 1.0)
    with pytest.raises(DataProblem, match="twice"):
        overlap_of_lists("aba", "ba")
    with pytest.raises(BadInput, match="same things"):
        kendall(np.zeros(3), np.zeros(4))
    runs = [Run.of("r", Ids(["q"]), Ids(names), {"q": [(names[0], 1.0)]}) for names in ("ab", "ba")]
    with pytest.raises(DataProblem, match="other queries or documents"):
        shared_ranks(*runs)
