"""The binomial distribution against scipy's, and against exact fractions."""

from __future__ import annotations

from fractions import Fraction
from math import comb

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binom

from askance.measure.binomial import binomial_pmf, binomial_quantile, binomial_tail


@pytest.mark.parametrize(("n", "p"), [(0, 0.5), (1, 0.25), (7, 0.5), (12, 0.875), (30, 1 / 1024)])
def test_every_term_against_fractions(n: int, p: float) -> None:
    chance = Fraction(p)
    exact = [comb(n, hits) * chance**hits * (1 - chance) ** (n - hits) for hits in range(n + 1)]
    assert binomial_pmf(n, p) == pytest.approx([float(term) for term in exact], rel=1e-13)


@pytest.mark.parametrize(("n", "p", "at"), [(5, 0.0, 0), (5, 1.0, 5), (0, 0.0, 0), (0, 1.0, 0)])
def test_certain_trials(n: int, p: float, at: int) -> None:
    assert binomial_pmf(n, p).tolist() == [float(hits == at) for hits in range(n + 1)]
    assert binomial_quantile(0.025, n, p) == binomial_quantile(0.975, n, p) == at


@given(st.integers(1, 20_000), st.floats(1e-9, 1 - 1e-9))
def test_like_scipy(n: int, p: float) -> None:
    theirs = binom.pmf(np.arange(n + 1), n, p)
    there = theirs > 1e-290
    assert np.allclose(binomial_pmf(n, p)[there], theirs[there], rtol=2e-11, atol=0)
    for hits in {0, n // 3, n}:
        assert binomial_tail(hits, n, p) == pytest.approx(float(binom.cdf(hits, n, p)), rel=1e-9)


@given(st.integers(1, 3_000).flatmap(lambda n: st.tuples(st.just(n), st.integers(0, n))))
def test_quantiles_of_shares_are_scipys(told: tuple[int, int]) -> None:
    n, hits = told
    for tail in (0.025, 0.5, 0.975):
        assert binomial_quantile(tail, n, hits / n) == int(binom.ppf(tail, n, hits / n))
