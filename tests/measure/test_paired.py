"""Paired yes/no outcomes."""

from __future__ import annotations

from fractions import Fraction
from math import comb

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from askance.core.errors import BadInput
from askance.measure.paired import gained_lost, mcnemar


@pytest.mark.parametrize(
    ("gained", "lost", "p"), [(17, 1, 0.00014), (10, 13, 0.678), (8, 11, 0.648), (0, 0, 1.0), (8, 8, 1.0), (1, 0, 1.0)]
)
def test_published_values(gained: int, lost: int, p: float) -> None:
    assert mcnemar(gained, lost) == pytest.approx(p, rel=0.04 if p < 0.01 else 1e-3)


@given(st.integers(0, 30), st.integers(0, 30))
def test_it_is_exact_symmetric_and_never_above_1(gained: int, lost: int) -> None:
    n = gained + lost
    tail = sum((Fraction(comb(n, at), 2**n) for at in range(min(gained, lost) + 1)), Fraction(0))
    assert mcnemar(gained, lost) == pytest.approx(float(min(Fraction(1), 2 * tail)), rel=1e-12)
    assert mcnemar(gained, lost) == mcnemar(lost, gained)


def test_gained_and_lost_are_counted() -> None:
    before, after = np.array([0, 1, 1, 0, 0.0]), np.array([1, 0, 1, 0, 1.0])
    assert gained_lost(before, after) == (2, 1)
    assert gained_lost(before == 1, after == 1) == (2, 1)
    assert gained_lost(before, before) == (0, 0)


def test_fractions_are_refused() -> None:
    with pytest.raises(BadInput, match="yes/no measure"):
        gained_lost(np.array([0.5, 1.0]), np.array([1.0, 1.0]))


def test_other_queries_are_refused() -> None:
    with pytest.raises(BadInput, match="2 queries before and 1 after"):
        gained_lost(np.array([0.0, 1.0]), np.array([1.0]))
