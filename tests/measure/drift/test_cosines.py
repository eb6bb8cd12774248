"""Cosines of two matrices: against the definition, with rows that have no direction, and quantiles that hold."""

from __future__ import annotations

from fractions import Fraction
from math import comb

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from askance.core.errors import BadInput, DataProblem
from askance.measure.drift.cosines import cosine_drift, cosines, quantile

ROWS = st.lists(st.lists(st.integers(-5, 5), min_size=3, max_size=3), min_size=1, max_size=6)


@settings(deadline=None)
@given(ROWS, st.integers(1, 50))
def test_cosines_are_as_defined_whatever_the_lengths(rows: list[list[int]], scale: int) -> None:
    first = np.array(rows, dtype=np.float32)
    second = np.roll(first, 1, axis=1) * scale
    found = cosines(first, second)
    for row, cosine in zip(rows, found.tolist(), strict=True):
        length = sum(x * x for x in row)
        if length == 0:
            assert np.isnan(cosine)
        else:
            turned = [row[-1], *row[:-1]]
            exact = Fraction(sum(a * b for a, b in zip(row, turned, strict=True)), length)
            assert cosine == pytest.approx(float(exact), abs=1e-12)
            assert -1.0 <= cosine <= 1.0


def test_one_matrix_twice_is_one_but_not_for_sure() -> None:
    rows = np.random.default_rng(1).normal(size=(9_000, 4)).astype(np.float16)
    values = cosines(rows, rows)
    assert np.allclose(values, 1.0)
    found = cosine_drift(np.ones(50))
    assert (found.mean.value, found.lowest.value, found.close.value) == (1.0, 1.0, 1.0)
    assert found.mean.low is not None
    assert found.mean.low < 1.0
    assert "texts" in found.mean.method
    assert found.lowest.low is None
    assert "no interval" in found.lowest.method


def test_rows_without_a_direction_are_counted() -> None:
    first = np.array([[1.0, 0], [0, 0], [np.nan, 1], [0, 1], [np.inf, 0]])
    found = cosine_drift(cosines(first, np.ones((5, 2))))
    assert found.mean.n == 2
    assert found.mean.left_out == {"rows without a direction: all zeros, or not numbers": 3}
    assert found.rows.tolist() == [0, 3]
    with pytest.raises(BadInput, match="no row has a direction"):
        cosine_drift(cosines(np.zeros((2, 2)), np.ones((2, 2))))


def test_the_lowest_are_named_lowest_first() -> None:
    values = np.linspace(1, 0.9, 30)
    found = cosine_drift(values, 0.95)
    assert found.rows.tolist() == list(range(29, 19, -1))
    assert found.lowest.value == pytest.approx(0.9)
    assert found.close.value == pytest.approx((values > 0.95).mean())


@pytest.mark.parametrize("shapes", [((3, 2), (4, 2)), ((3, 2), (3, 4)), ((3,), (3,))])
def test_matrices_of_other_shapes_are_refused(shapes: tuple[tuple[int, ...], tuple[int, ...]]) -> None:
    with pytest.raises(DataProblem, match="row by row"):
        cosines(*(np.ones(shape) for shape in shapes))


@pytest.mark.parametrize("n", [3, 10, 40])
@pytest.mark.parametrize("share", [0.05, 0.25, 0.5])
def test_the_interval_of_a_quantile_holds_it(n: int, share: float) -> None:
    """The chance that the order statistics enclose the true quantile, from the binomial, in fractions: ≥ 95 %."""
    values = np.arange(n, dtype=np.float64)
    found = quantile(values, share, (-1.0, float(n)))
    assert found.low is not None
    assert found.high is not None
    below = int(found.low) + 1 if found.low >= 0 else 0  # at least so many lie below the true quantile
    above = int(found.high) if found.high < n else n  # and at most so many
    p = Fraction(share).limit_denominator()
    held = sum(comb(n, k) * p**k * (1 - p) ** (n - k) for k in range(below, above + 1))
    assert held >= Fraction(95, 100)
    assert found.low <= (found.value or 0.0) <= found.high


def test_a_quantile_of_few_values_has_an_open_end() -> None:
    found = quantile(np.array([0.1, 0.2]), 0.5, (0.0, None))
    assert (found.low, found.high) == (0.0, None)
    assert not quantile(np.array([]), 0.5, (0.0, None)).defined
