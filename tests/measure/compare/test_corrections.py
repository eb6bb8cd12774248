"""Corrections for several tests: against their definitions and scipy."""

from __future__ import annotations

from itertools import chain, combinations

import numpy as np
import pytest
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st

from askance.measure.compare.corrections import benjamini_hochberg, holm

PS = st.lists(st.floats(0.0001, 1.0), min_size=1, max_size=6)


@given(PS)
def test_holm_is_bonferroni_closed_over_all_subsets(p: list[float]) -> None:
    places = range(len(p))
    subsets = list(chain.from_iterable(combinations(places, size) for size in range(1, len(p) + 1)))
    expected = [
        max(min(1.0, len(subset) * min(p[at] for at in subset)) for subset in subsets if one in subset)
        for one in places
    ]
    assert holm(p) == pytest.approx(expected)


@given(PS)
def test_benjamini_and_hochberg_is_scipys(p: list[float]) -> None:
    assert benjamini_hochberg(p) == pytest.approx(list(scipy.stats.false_discovery_control(p)))


@given(st.lists(st.one_of(st.none(), st.floats(0.0001, 1.0)), max_size=12))
def test_what_was_not_tested_changes_nothing(p: list[float | None]) -> None:
    tested = [one for one in p if one is not None]
    for correction in (holm, benjamini_hochberg):
        found = correction(p)
        assert [one for one in found if one is not None] == correction(tested)
        assert [one is None for one in found] == [one is None for one in p]


def test_nan_never_enters() -> None:
    assert holm([0.01, float("nan"), 0.03]) == pytest.approx([0.02, None, 0.03])
    assert benjamini_hochberg([0.01, float("nan"), 0.03]) == pytest.approx([0.02, None, 0.03])
    assert holm([]) == []
    assert holm([None]) == [None]


@given(PS)
def test_order_is_kept_and_nothing_gets_smaller(p: list[float]) -> None:
    for correction in (holm, benjamini_hochberg):
        found = np.array([one for one in correction(p) if one is not None])
        assert (found >= np.array(p) - 1e-12).all()
        assert (found <= 1.0).all()
        order = np.argsort(p, kind="stable")
        assert (np.diff(found[order]) >= -1e-12).all()
