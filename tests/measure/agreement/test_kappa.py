"""Kappa against exact fractions, published tables and its laws."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from askance.core.errors import UnknownName
from askance.measure.agreement.kappa import WEIGHTS, Weights, cross_table, kappa, mean_difference, share_equal
from askance.measure.agreement.krippendorff import alpha

LABELS = 4
TABLES = st.lists(st.lists(st.integers(0, 9), min_size=LABELS, max_size=LABELS), min_size=LABELS, max_size=LABELS)


def by_definition(table: list[list[int]], weights: Weights) -> Fraction | None:
    """Cohen 1968, cell by cell."""
    size, total = len(table), sum(map(sum, table))
    if not total:
        return None
    rows = [Fraction(sum(row), total) for row in table]
    columns = [Fraction(sum(row[at] for row in table), total) for at in range(size)]
    power = {"plain": 0, "linear": 1, "quadratic": 2}[weights]
    cells = [(i, j) for i in range(size) for j in range(size) if i != j]
    apart = {cell: Fraction(abs(cell[0] - cell[1]), size - 1) ** power for cell in cells}
    observed = sum((apart[i, j] * Fraction(table[i][j], total) for i, j in cells), Fraction(0))
    expected = sum((apart[i, j] * rows[i] * columns[j] for i, j in cells), Fraction(0))
    return None if expected == 0 else 1 - observed / expected


@settings(deadline=None)
@given(TABLES, st.sampled_from(WEIGHTS))
def test_any_table_against_the_definition(table: list[list[int]], weights: Weights) -> None:
    exact = by_definition(table, weights)
    value = float(kappa(np.array(table), weights))
    assert np.isnan(value) if exact is None else value == pytest.approx(float(exact), abs=1e-12)


def test_a_printed_table() -> None:
    """Grant proposals read by two readers: 20 yes-yes, 5 yes-no, 10 no-yes, 15 no-no; .7 agree, kappa .40."""
    table = np.array([[20, 5], [10, 15]])
    assert share_equal(table) == pytest.approx(0.7)
    for weights in WEIGHTS:  # with two labels all weightings are one
        assert float(kappa(table, weights)) == pytest.approx(0.4)


@settings(deadline=None)
@given(TABLES, st.sampled_from(WEIGHTS))
def test_neither_judge_comes_first(table: list[list[int]], weights: Weights) -> None:
    one = np.array(table)
    assert float(kappa(one, weights)) == pytest.approx(float(kappa(one.T, weights)), nan_ok=True)


@settings(deadline=None)
@given(TABLES, st.permutations(range(LABELS)))
def test_plain_kappa_knows_no_order_of_labels(table: list[list[int]], names: list[int]) -> None:
    one = np.array(table)
    renamed = one[np.ix_(names, names)]
    assert float(kappa(renamed, "plain")) == pytest.approx(float(kappa(one, "plain")), nan_ok=True)


@settings(deadline=None)
@given(TABLES)
def test_many_tables_at_once_are_each_alone(table: list[list[int]]) -> None:
    one = np.array(table)
    stack = np.array([one, one.T, one + 1])
    for weights in WEIGHTS:
        alone = [float(kappa(each, weights)) for each in stack]
        assert kappa(stack, weights).tolist() == pytest.approx(alone, nan_ok=True)


def test_perfect_is_one_and_independent_is_about_nought() -> None:
    rng = np.random.default_rng(3)
    one, other = rng.integers(0, LABELS, (2, 40_000))
    for weights in WEIGHTS:
        assert float(kappa(cross_table(one, one, LABELS), weights)) == 1.0
        assert abs(float(kappa(cross_table(one, other, LABELS), weights))) < 0.02
        assert np.isnan(float(kappa(cross_table(np.zeros(5, dtype=np.int64), np.zeros(5, dtype=np.int64), 2), weights)))


def test_labels_that_one_judge_lacks_are_not_compared() -> None:
    table = cross_table(np.array([0, 1, -1, 1]), np.array([0, 0, 1, -1]), 2)
    assert table.tolist() == [[1, 0], [1, 0]]


def test_quadratic_kappa_and_interval_alpha_meet_in_large_samples() -> None:
    """With equal margins they differ by a term of order 1/n alone."""
    table = np.array([[300.0, 40, 10], [40, 200, 50], [10, 50, 300]])
    both = alpha(table + table.T, "interval", np.arange(3.0))
    assert float(both) == pytest.approx(float(kappa(table, "quadratic")), abs=1e-3)


def test_by_how_much_the_second_judge_labels_higher() -> None:
    table = np.array([[0, 3], [1, 0]])
    assert float(mean_difference(table, np.array([0.0, 2.0]))) == pytest.approx((3 * 2 - 1 * 2) / 4)
    assert np.isnan(float(mean_difference(np.zeros((2, 2)), np.array([0.0, 2.0]))))


def test_an_unknown_weighting_names_those_there_are() -> None:
    with pytest.raises(UnknownName, match="cubic"):
        kappa(np.eye(2), "cubic")  # type: ignore[arg-type]
