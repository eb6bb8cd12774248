"""The bootstrap of a mean without resampling: against exact fractions, every resample, and many drawn ones."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import sqrt

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from askance.core.errors import BadInput
from askance.measure import bootstrap
from askance.measure.bootstrap import (
    bootstrap_mean,
    lattice_steps,
    mean_interval,
    resampled_difference,
    resampled_mean_of,
)
from askance.measure.intervals import binomial_interval, most_others, proportion
from askance.measure.judged import Values
from askance.measure.resamples import resampled_means

DRAWS = 200_000


def shapes(n: int) -> dict[str, Values]:
    """Values as measures and differences of measures give them."""
    rng = np.random.default_rng(n)
    rank = rng.integers(1, 11, n)
    outlier = rng.random(n) * 1e-3
    outlier[0] = 1.0
    return {
        "AP": rng.beta(0.6, 1.5, n),
        "RR@10": np.where(rng.random(n) < 0.3, 0.0, 1 / rank),
        "RR": 1 / rng.integers(1, 101, n),
        "P@10": rng.integers(0, 11, n) / 10,
        "nDCG@10 with one gold": np.where(rng.random(n) < 0.3, 0.0, 1 / np.log2(1 + rank)),
        "differences, most are 0": np.where(rng.random(n) < 0.8, 0.0, rng.normal(0.01, 0.3, n)),
        "differences of P@10": (rng.integers(0, 11, n) - rng.integers(0, 11, n)) / 10,
        "two points": np.where(np.arange(n) < n // 3, 0.2, 0.7),
        "three points": rng.choice([0.0, 1 / np.log2(3), 1.0], n, p=[0.6, 0.3, 0.1]),
        "one outlier": outlier,
    }


NAMES = list(shapes(9))


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("n", [9, 40, 118])
def test_it_is_200_000_resamples_within_their_noise(name: str, n: int) -> None:
    """As many resamples lie below each bound as should, but for five standard errors of their share."""
    values = shapes(n)[name]
    means = resampled_means(values[:, None], seed=1, resamples=DRAWS)[:, 0]
    near = 0.01 * values.std() / sqrt(n)
    for bound, tail in zip(mean_interval(values), (0.025, 0.975), strict=True):
        noise = 5 * sqrt(tail * (1 - tail) / DRAWS)
        assert (means <= bound + near).mean() >= tail - noise
        assert (means < bound - near).mean() <= tail + noise


@settings(deadline=None)
@given(st.lists(st.integers(-6, 6), min_size=1, max_size=5), st.sampled_from([1.0, 0.1, 1 / 7, 0.37]))
def test_tiny_samples_are_every_resample(numbers: list[int], step: float) -> None:
    sums = sorted(sum(drawn) for drawn in product(numbers, repeat=len(numbers)))
    low, high = (_quantile(sums, tail) for tail in (Fraction(1, 40), Fraction(39, 40)))
    found = mean_interval(np.array(numbers) * step)
    assert found == pytest.approx((low * step / len(numbers), high * step / len(numbers)), abs=1e-12)


@settings(deadline=None)
@given(st.lists(st.floats(0, 1, width=32), min_size=2, max_size=5))
def test_tiny_samples_of_any_values_are_every_resample(values: list[float]) -> None:
    means = sorted(sum(drawn) / len(values) for drawn in product(values, repeat=len(values)))
    low, high = (_quantile(means, tail) for tail in (Fraction(1, 40), Fraction(39, 40)))
    assert mean_interval(np.array(values)) == pytest.approx((low, high), abs=1e-9)


@pytest.mark.parametrize("steps", [1, 2, 10, 60])
@pytest.mark.parametrize("n", [2, 7, 30])
def test_a_lattice_is_exact(n: int, steps: int) -> None:
    """Against the n-fold convolution in whole numbers."""
    places = np.random.default_rng(n + steps).integers(0, steps + 1, n)
    places[:2] = 0, steps
    ways = {0: 1}
    for _ in range(n):
        further: dict[int, int] = {}
        for at, times in ways.items():
            for place in places.tolist():
                further[at + place] = further.get(at + place, 0) + times
        ways = further
    found = resampled_mean_of(places / steps)
    theirs = np.array([ways.get(at, 0) / n**n for at in range(n * steps + 1)])
    ours = np.zeros(n * steps + 1)
    np.add.at(ours, np.rint(found.support * n * steps).astype(int), found.weight)
    np.testing.assert_allclose(ours, theirs, atol=1e-12)
    total, bounds = 0, []
    for at in range(n * steps + 1):
        before, total = total, total + ways.get(at, 0)
        bounds += [at for tail in (1, 39) if 40 * before < tail * n**n <= 40 * total]
    assert mean_interval(places / steps) == pytest.approx(np.array(bounds) / (n * steps), abs=1e-12)


@pytest.mark.parametrize("n", [12, 118, 2_000])
@pytest.mark.parametrize("name", ["RR@10", "P@10", "differences of P@10"])
def test_the_grid_is_within_a_hundredth_of_the_standard_error(
    name: str, n: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    values = shapes(n)[name]
    monkeypatch.setattr(bootstrap, "_MOST_CELLS", 10**8)
    exact = mean_interval(values)
    monkeypatch.setattr(bootstrap, "_MOST_CELLS", 0)
    monkeypatch.setattr(bootstrap, "_MOST_SUMS", 0)
    assert mean_interval(values) == pytest.approx(exact, abs=0.01 * values.std() / sqrt(n))


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("n", [12, 118, 2_000])
def test_a_finer_grid_says_the_same(name: str, n: int, monkeypatch: pytest.MonkeyPatch) -> None:
    values = shapes(n)[name]
    found = mean_interval(values)
    monkeypatch.setattr(bootstrap, "_FEWEST_CELLS", 1 << 21)
    assert mean_interval(values) == pytest.approx(found, abs=0.01 * values.std() / sqrt(n))


@pytest.mark.parametrize("n", [1, 2, 3, 40, 118, 500])
def test_yes_no_values_are_a_proportion(n: int) -> None:
    for hits in range(1, n):
        values = np.repeat([1.0, 0.0], [hits, n - hits])
        assert mean_interval(values) == binomial_interval(hits, n)


@settings(deadline=None)
@given(
    st.lists(st.floats(0, 1, width=16), min_size=2, max_size=60),
    st.randoms(use_true_random=False),
    st.floats(-2, 2, width=16).filter(lambda factor: abs(factor) > 0.1),
)
def test_order_scale_and_sign_change_nothing_else(values: list[float], chance: object, factor: float) -> None:
    given_values = np.array(values)
    spread = np.ptp(given_values) + 1e-12
    low, high = mean_interval(given_values)
    assert given_values.min() - 1e-9 <= low <= high <= given_values.max() + 1e-9
    shuffled = np.array(values)
    getattr(chance, "shuffle")(shuffled)  # noqa: B009
    assert mean_interval(shuffled) == pytest.approx((low, high), abs=1e-9 * spread)
    ends = sorted((factor * low, factor * high))
    assert mean_interval(factor * given_values) == pytest.approx(ends, abs=1e-3 * spread * abs(factor))


def test_the_distribution_has_the_mean_and_the_variance_of_resampling() -> None:
    for name, values in shapes(118).items():
        found = resampled_mean_of(values)
        assert found.weight.sum() == pytest.approx(1, abs=1e-10), name
        mean = float(found.support @ found.weight)
        assert mean == pytest.approx(values.mean(), abs=1e-9), name
        variance = float((found.support - mean) ** 2 @ found.weight)
        assert variance == pytest.approx(values.var() / 118, rel=1e-4), name


def test_a_difference_of_two_samples_is_that_of_resamples_of_both() -> None:
    rng = np.random.default_rng(5)
    first, second = rng.beta(1, 2, 30), rng.integers(0, 4, 50) / 3
    drawn = [resampled_means(one[:, None], seed, DRAWS)[:, 0] for seed, one in enumerate((first, second))]
    expected = np.quantile(drawn[0] - drawn[1], (0.025, 0.975))
    assert resampled_difference(first, second).interval() == pytest.approx(expected, abs=0.002)


def test_a_difference_from_a_constant_is_that_of_the_other_alone() -> None:
    first = np.random.default_rng(5).beta(1, 2, 30)
    low, high = mean_interval(first)
    expected = (low - 0.25, high - 0.25)
    assert resampled_difference(first, np.full(9, 0.25)).interval() == pytest.approx(expected, abs=1e-12)
    assert resampled_difference(np.full(3, 0.5), np.full(9, 0.25)).interval() == (0.25, 0.25)


# --- as an estimate


def test_it_says_that_nothing_was_drawn() -> None:
    values = shapes(118)["AP"]
    found = bootstrap_mean(values, {"queries without gold": 2})
    assert (found.low, found.high) == mean_interval(values)
    assert found.value == float(values.mean())
    assert "without resampling" in found.method
    assert "seed" not in found.method
    assert dict(found.left_out) == {"queries without gold": 2}


@pytest.mark.parametrize("value", [0.0, 0.3, 1.0])
@pytest.mark.parametrize("n", [1, 2, 25, 5_000])
def test_equal_values_do_not_pretend_to_be_certain(value: float, n: int) -> None:
    found = bootstrap_mean(np.full(n, value))
    assert found.value == value
    assert found.low == pytest.approx(value - most_others(n) * value)
    assert found.high == pytest.approx(value + most_others(n) * (1 - value))
    difference = bootstrap_mean(np.full(n, value), bounds=(-1.0, 1.0))
    assert difference.low == pytest.approx(value - most_others(n) * (value + 1))


def test_all_zero_is_what_a_proportion_of_none_says() -> None:
    mean, share = bootstrap_mean(np.zeros(500)), proportion(0, 500)
    assert (mean.low, mean.high) == pytest.approx((share.low, share.high))


def test_none_one_and_two_queries() -> None:
    none = bootstrap_mean(np.zeros(0))
    assert not none.defined
    assert none.method == "undefined: no queries"
    found = bootstrap_mean(np.array([0.2, 0.6]))
    assert (found.value, found.low, found.high) == pytest.approx((0.4, 0.2, 0.6))
    assert "two queries" in found.method
    assert mean_interval(np.array([0.3])) == (0.3, 0.3)


@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_what_is_no_number_is_refused(bad: float) -> None:
    for values in ([0.1, bad], [bad], [bad, bad]):
        with pytest.raises(BadInput, match="not a finite number"):
            bootstrap_mean(np.array(values))
        with pytest.raises(BadInput, match="not a finite number"):
            mean_interval(np.array(values))
    with pytest.raises(BadInput, match="no values"):
        mean_interval(np.zeros(0))


@pytest.mark.parametrize(
    ("kinds", "steps"),
    [
        ([0.0, 1.0], 1),
        ([0.1, 0.2, 0.7], 6),
        ([1 / rank for rank in range(10, 0, -1)], 2_268),
        ([0.0, *(1 / rank for rank in range(10, 0, -1))], 2_520),
        ([0.0, 1 / np.log2(3), 1.0], None),
        (list(np.random.default_rng(1).random(5).cumsum()), None),
    ],
)
def test_lattices_are_found(kinds: list[float], steps: int | None) -> None:
    assert lattice_steps(np.array(kinds)) == steps


def _quantile(ascending: list[float] | list[int], tail: Fraction) -> float:
    """The smallest that at least this share does not exceed."""
    return float(ascending[-(-tail.numerator * len(ascending) // tail.denominator) - 1])
