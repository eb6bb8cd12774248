"""Intervals: exact coverage, published values, the edges."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binom, binomtest, bootstrap

from askance.core.errors import BadInput
from askance.measure.intervals import binomial_interval, clopper_pearson, most_others, proportion, resampled_mean
from askance.measure.resamples import resampled_means, resampled_sums_of_kinds

PRINTED = [
    (61, 500, 9.4, 15.2),
    (43, 500, 6.2, 11.2),
    (14, 500, 1.4, 4.4),
    (488, 500, 96.2, 98.8),
    (476, 500, 93.2, 97.0),
    (18, 118, 9.3, 22.0),
]


@pytest.mark.parametrize(("hits", "n", "low", "high"), PRINTED)
def test_the_percentile_interval_needs_no_resamples(hits: int, n: int, low: float, high: float) -> None:
    found = binomial_interval(hits, n)
    assert [round(100 * end, 1) for end in found] == [low, high]


def test_the_percentile_interval_is_what_resampling_tends_to() -> None:
    values = np.repeat([1.0, 0.0], [11, 107])
    low, high = np.quantile(resampled_means(values[:, None], seed=4, resamples=20_000), (0.025, 0.975))
    assert (low, high) == pytest.approx(binomial_interval(11, 118), abs=1 / 118 + 1e-12)


@pytest.mark.parametrize("p", [0.0, 0.02, 0.1, 0.5])
@pytest.mark.parametrize("n", [40, 118, 500])
def test_clopper_pearson_covers_95_percent_exactly_computed(n: int, p: float) -> None:
    hits = np.arange(n + 1)
    ends = np.array([clopper_pearson(int(count), n) for count in hits])
    covered = (ends[:, 0] <= p) & (p <= ends[:, 1])
    assert float(binom.pmf(hits, n, p)[covered].sum()) >= 0.95


def test_the_percentile_interval_does_not_cover_at_the_edge_and_that_is_known() -> None:
    hits = np.arange(41)
    ends = np.array([binomial_interval(int(count), 40) for count in hits])
    covered = (ends[:, 0] <= 0.02) & (ends[:, 1] >= 0.02)
    assert float(binom.pmf(hits, 40, 0.02)[covered].sum()) == pytest.approx(0.55, abs=0.01)


@given(st.integers(1, 400).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_clopper_pearson_is_scipys(case: tuple[int, int]) -> None:
    theirs = binomtest(*case).proportion_ci(0.95, "exact")
    assert clopper_pearson(*case) == pytest.approx((float(theirs.low), float(theirs.high)), abs=1e-12)


def test_no_hits_and_all_hits_have_an_interval() -> None:
    none = proportion(0, 500)
    assert (none.value, none.low) == (0.0, 0.0)
    assert none.high == pytest.approx(0.0074, abs=5e-5)
    assert "Clopper-Pearson" in none.method
    every = proportion(500, 500, {"queries without gold": 3})
    assert (every.value, every.high) == (1.0, 1.0)
    assert every.low == pytest.approx(1 - 0.0074, abs=5e-5)
    assert dict(every.left_out) == {"queries without gold": 3}
    assert proportion(0, 60).high == pytest.approx(0.0596, abs=5e-5)


def test_between_them_it_is_the_percentile_interval() -> None:
    found = proportion(11, 118)
    assert (found.low, found.high) == binomial_interval(11, 118)
    assert "binomial" in found.method
    assert found.n == 118


@pytest.mark.parametrize(("hits", "n"), [(0, 1), (1, 1), (0, 2), (1, 2), (2, 2)])
def test_one_or_two_queries_say_next_to_nothing(hits: int, n: int) -> None:
    found = proportion(hits, n)
    assert found.low is not None
    assert found.high is not None
    assert found.high - found.low > 0.8


def test_no_queries_is_undefined_and_says_why() -> None:
    for found in (proportion(0, 0), resampled_mean(np.zeros(0), seed=1)):
        assert not found.defined
        assert found.method == "undefined: no queries"
        assert found.n == 0


@pytest.mark.parametrize(("hits", "n"), [(3, 2), (-1, 2), (0, 0)])
def test_what_is_no_proportion_is_refused(hits: int, n: int) -> None:
    with pytest.raises(BadInput, match="no proportion"):
        binomial_interval(hits, n)
    with pytest.raises(BadInput, match="no proportion"):
        clopper_pearson(hits, n)


# --- means of other values


def test_a_resampled_mean_is_scipys_percentile_bootstrap() -> None:
    values = np.random.default_rng(2).beta(0.5, 1.5, 118)
    found = resampled_mean(values, seed=9)
    theirs = bootstrap((values,), np.mean, n_resamples=10_000, method="percentile", rng=np.random.default_rng(1))
    assert found.value == pytest.approx(float(values.mean()))
    assert found.low == pytest.approx(float(theirs.confidence_interval.low), abs=0.003)
    assert found.high == pytest.approx(float(theirs.confidence_interval.high), abs=0.003)
    assert "10,000 resamples, seed 9" in found.method


def test_everything_of_one_size_meets_the_same_resamples() -> None:
    columns = np.random.default_rng(3).random((50, 3))
    together = resampled_means(columns, seed=5, resamples=300)
    alone = np.hstack([resampled_means(columns[:, [at]], seed=5, resamples=300) for at in range(3)])
    np.testing.assert_allclose(together, alone, rtol=1e-13)
    constant = np.ones((50, 1))
    np.testing.assert_allclose(resampled_means(constant, seed=5, resamples=300), 1.0, rtol=1e-14)


def test_blocks_do_not_change_what_is_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    values = np.random.default_rng(3).random((40, 2))
    whole = resampled_means(values, seed=5, resamples=500)
    monkeypatch.setattr("askance.measure.resamples._BLOCK_CELLS", 40 * 7)
    np.testing.assert_allclose(resampled_means(values, seed=5, resamples=500), whole, rtol=1e-13)


def test_the_same_seed_gives_the_same_bytes() -> None:
    values = np.random.default_rng(3).random(200)
    assert resampled_mean(values, seed=5) == resampled_mean(values.copy(), seed=5)
    assert resampled_mean(values, seed=5) != resampled_mean(values, seed=6)


def test_kinds_are_resampled_like_queries() -> None:
    rows, times = np.array([[0.0, 1.0], [1.0, 1.0], [0.5, 0.0]]), np.array([30, 10, 20])
    kinds = resampled_sums_of_kinds(rows, times, seed=1, resamples=20_000) / 60
    one_by_one = resampled_means(np.repeat(rows, times, axis=0), seed=2, resamples=20_000)
    np.testing.assert_allclose(kinds.mean(axis=0), one_by_one.mean(axis=0), atol=0.003)
    np.testing.assert_allclose(np.cov(kinds.T), np.cov(one_by_one.T), atol=2e-4)


@pytest.mark.parametrize("value", [0.0, 0.3, 1.0])
@pytest.mark.parametrize("n", [1, 2, 300])
def test_equal_values_do_not_pretend_to_be_certain(value: float, n: int) -> None:
    found = resampled_mean(np.full(n, value), seed=1)
    assert found.value == value
    assert found.low == pytest.approx(value - most_others(n) * value)
    assert found.high == pytest.approx(value + most_others(n) * (1 - value))
    assert "equal" in found.method or "one value" in found.method


def test_all_zero_is_what_a_proportion_of_none_says() -> None:
    mean, share = resampled_mean(np.zeros(500), seed=1), proportion(0, 500)
    assert (mean.low, mean.high) == pytest.approx((share.low, share.high))


def test_two_different_values_span_the_interval() -> None:
    found = resampled_mean(np.array([0.2, 0.6]), seed=1)
    assert (found.value, found.low, found.high) == pytest.approx((0.4, 0.2, 0.6))
    assert "two queries" in found.method


def test_nan_is_refused() -> None:
    with pytest.raises(BadInput, match="not a finite number"):
        resampled_mean(np.array([0.1, np.nan]), seed=1)
