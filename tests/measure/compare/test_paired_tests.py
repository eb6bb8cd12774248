"""Tests of paired differences: against scipy, enumeration and exact fractions; at their level on permuted data."""

from __future__ import annotations

import sys
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
import scipy.stats
from hypothesis import given, settings
from hypothesis import strategies as st

from askance.measure.compare.p_value import PValue
from askance.measure.compare.paired_tests import mcnemar_test, t_test, wilcoxon
from askance.measure.compare.sign_flips import randomization, sign_flip_p
from askance.measure.compare.studentized import Part, bootstrap_tests
from askance.measure.judged import Values

ANY = np.random.default_rng(0)


def one(differences: Values, seed: int = 0, draws: int = 10_000) -> PValue:
    return randomization([differences], seed, draws)[0]


def bootstrap_test(differences: Values, seed: int = 0, draws: int = 10_000) -> PValue:
    return bootstrap_tests([Part(differences[:, None], np.ones((len(differences), 1)))], seed, draws)[0]


def p_of(found: PValue) -> float:
    assert found.p is not None, found.method
    return found.p


# --- randomization


@settings(deadline=None)
@given(st.lists(st.integers(-9, 9), min_size=1, max_size=9), st.sampled_from([1.0, 0.1, 1 / 3]))
def test_a_lattice_is_every_sign(numbers: list[int], step: float) -> None:
    sums = [sum(signed) for signed in product(*((-number, number) for number in numbers))]
    reached = sum(abs(total) >= abs(sum(numbers)) for total in sums)
    found = one(np.array(numbers) * step)
    assert p_of(found) == pytest.approx(reached / len(sums), rel=1e-9)
    assert found.method.startswith("exact")


@settings(deadline=None)
@given(st.lists(st.floats(-1, 1, width=32), min_size=1, max_size=9))
def test_any_few_values_are_every_sign(values: list[float]) -> None:
    exact = [Fraction(value) for value in values]
    sums: list[Fraction] = [sum(signed, Fraction(0)) for signed in product(*((-value, value) for value in exact))]
    observed = abs(sum(exact, Fraction(0)))
    reached = sum(abs(total) >= observed for total in sums)
    near = sum(abs(abs(total) - observed) < 1e-8 for total in sums)
    found = one(np.array(values))
    assert abs(p_of(found) - reached / len(sums)) <= near / len(sums)
    assert found.method.startswith("exact")


def test_two_exact_ways_agree() -> None:
    differences = ANY.integers(-9, 10, 24) / 10
    off_lattice = one(differences + ANY.normal(0, 1e-7, 24))
    assert "enumerated" in off_lattice.method
    assert p_of(off_lattice) == pytest.approx(p_of(one(differences)), abs=0.03)  # sums that were equal part


@pytest.mark.parametrize("n", [60, 400])
def test_rounded_differences_are_what_all_signs_tend_to(n: int) -> None:
    differences = np.random.default_rng(n).normal(0.25 / n**0.5, 0.2, n)
    found = one(differences)
    signs = np.random.default_rng(9).choice([-1.0, 1.0], (20_000, n))
    expected = float((np.abs(signs @ differences) >= abs(differences.sum())).mean())
    assert "rounded to 1/" in found.method
    assert 0.01 < p_of(found) < 0.99
    assert p_of(found) == pytest.approx(expected, abs=5 * (expected / 20_000) ** 0.5)
    assert one(differences, seed=3) == found


def test_it_is_scipys_permutation_test() -> None:
    differences = ANY.normal(0.05, 0.2, 12)
    theirs = scipy.stats.permutation_test(
        (differences, np.zeros(12)),
        lambda x, y, axis: (x - y).mean(axis=axis),
        permutation_type="samples",
        n_resamples=10_000,
    )
    assert p_of(one(differences)) == pytest.approx(float(theirs.pvalue), rel=1e-9)


MANY = 700  # more than are rounded


def test_drawn_signs_say_seed_and_draws_and_never_0() -> None:
    found = one(0.2 + ANY.random(MANY), seed=7, draws=999)
    assert found.p == pytest.approx(1 / 1000)
    assert found.method == "999 drawn sign flips and the observed one, seed 7"
    values = ANY.normal(0.01, 0.2, MANY)
    assert one(values, seed=7) == one(values.copy(), seed=7)
    assert p_of(one(values, seed=7)) == pytest.approx(p_of(one(values, seed=8)), abs=0.03)
    assert one(values, seed=7) == one(-values, seed=7)


def test_columns_meet_the_same_draws_together_and_alone() -> None:
    columns = [ANY.normal(0.01, 0.2, MANY) for _ in range(3)]
    assert randomization(columns, 3) == [one(values, seed=3) for values in columns]


def test_differences_of_nought_change_nothing() -> None:
    differences = ANY.normal(0.1, 0.2, 15)
    with_noughts = np.concatenate((differences, np.zeros(1_000)))
    assert one(with_noughts).p == one(differences).p
    assert one(np.append(differences, np.nan)).p == one(differences).p


def test_small_p_are_right_too() -> None:
    for n in (30, 118, 1_000, 3_000):
        assert p_of(one(np.full(n, 0.1))) == pytest.approx(max(2.0 ** (1 - n), sys.float_info.min), rel=1e-9)
    assert sign_flip_p(np.arange(1, 70), 69 * 70 // 2) == pytest.approx(2.0**-68)


@given(st.integers(0, 25), st.integers(0, 25))
def test_on_yes_no_measures_it_is_mcnemar(gained: int, lost: int) -> None:
    differences = np.repeat([1.0, -1.0, 0.0], [gained, lost, 5])
    first = np.repeat([0.0, 1.0, 1.0], [gained, lost, 5])
    found = mcnemar_test(first, first + differences)
    assert p_of(one(differences)) == pytest.approx(p_of(found), rel=1e-9)
    assert p_of(found) <= 1.0
    assert f"{gained} gained and {lost} lost" in found.method


# --- t, Wilcoxon, McNemar


def test_t_is_scipys() -> None:
    first, second = ANY.beta(1, 2, 40), ANY.beta(1, 2, 40)
    assert p_of(t_test(second - first)) == pytest.approx(float(scipy.stats.ttest_rel(second, first).pvalue), rel=1e-9)


@pytest.mark.parametrize("n", [6, 12, 40])
def test_wilcoxon_is_scipys_where_that_is_exact(n: int) -> None:
    differences = ANY.normal(0.1, 1, n)
    theirs = scipy.stats.wilcoxon(differences, method="exact")
    found = wilcoxon(np.append(differences, 0.0))
    assert p_of(found) == pytest.approx(float(theirs.pvalue), rel=1e-9)
    assert "1 differences of 0 dropped, exact" in found.method


@settings(deadline=None)
@given(st.lists(st.integers(-4, 4).filter(bool), min_size=1, max_size=9))
def test_wilcoxon_with_ties_is_every_sign_of_the_ranks(numbers: list[int]) -> None:
    ranks = scipy.stats.rankdata(np.abs(numbers))
    observed = abs(float((np.sign(numbers) * ranks).sum()))
    sums = np.array([sum(signed) for signed in product(*((-rank, rank) for rank in ranks))])
    assert p_of(wilcoxon(np.array(numbers, dtype=float))) == pytest.approx(
        float((np.abs(sums) >= observed - 1e-9).mean())
    )


def test_wilcoxon_of_many_is_the_normal_approximation() -> None:
    differences = np.round(ANY.normal(0.03, 1, 2_000), 1)
    theirs = scipy.stats.wilcoxon(differences, method="approx", correction=False)
    found = wilcoxon(differences)
    assert p_of(found) == pytest.approx(float(theirs.pvalue), rel=1e-6)
    assert "normal approximation" in found.method


def test_mcnemar_takes_yes_and_no_only() -> None:
    found = mcnemar_test(np.array([0.5, 1.0]), np.array([1.0, 1.0]))
    assert found.p is None
    assert found.method == "undefined: not a yes/no measure"


# --- the bootstrap test


def test_the_bootstrap_test_is_its_definition() -> None:
    values = ANY.beta(1, 3, 25) - 0.2
    rng = np.random.default_rng(5)
    draws = 20_000
    drawn = values[rng.integers(0, 25, size=(draws, 25))]
    far = np.abs(drawn.mean(axis=1) - values.mean()) / drawn.std(axis=1)
    expected = float((far >= abs(values.mean()) / values.std()).mean())
    found = bootstrap_test(values, draws=draws)
    assert p_of(found) == pytest.approx(expected, abs=0.02)
    assert "studentized" in found.method
    assert "seed 0" in found.method


def test_groups_of_one_are_queries() -> None:
    values = ANY.normal(0.1, 0.4, 30)
    sizes = np.ones((30, 1))
    sums = np.concatenate((values, [0.0]))[:, None]
    with_empty = bootstrap_tests([Part(sums, np.append(sizes, [[0.0]], axis=0))], 1)[0]
    assert p_of(with_empty) == pytest.approx(p_of(bootstrap_test(values, seed=1)), abs=0.03)


def test_a_difference_of_means_is_its_definition() -> None:
    """Both means over the same resamples of groups, the standard error by the jackknife's linear terms."""
    groups, draws = 20, 4_000
    sums, sizes = ANY.normal(0.2, 1, (2, groups)), ANY.integers(1, 4, (2, groups)).astype(float)

    def statistic(times: Values) -> tuple[float, float]:
        totals, counts = (times * sums).sum(axis=1), (times * sizes).sum(axis=1)
        means = totals / counts
        linear = (sums - means[:, None] * sizes) / counts[:, None]
        return float(means[0] - means[1]), float((times * (linear[0] - linear[1]) ** 2).sum())

    value, variance = statistic(np.ones(groups))
    rng = np.random.default_rng(1)
    reached = 0
    for _ in range(draws):
        again, spread = statistic(np.bincount(rng.integers(0, groups, groups), minlength=groups).astype(float))
        reached += abs(again - value) / spread**0.5 >= abs(value) / variance**0.5
    parts = [Part(sums[at][:, None], sizes[at][:, None], sign) for at, sign in enumerate((1.0, -1.0))]
    assert p_of(bootstrap_tests(parts, 1, draws)[0]) == pytest.approx(reached / draws, abs=0.04)


# --- what none of them may do


@pytest.mark.parametrize("n", [1, 2, 40])
def test_without_a_difference_p_is_1(n: int) -> None:
    same = np.full(n, 0.25)
    for found in (one(same - same), t_test(same - same), wilcoxon(same - same), bootstrap_test(same - same)):
        assert found.p == 1.0
    assert mcnemar_test(np.ones(n), np.ones(n)).p == 1.0


def test_without_queries_nothing_can_be_said() -> None:
    none = np.zeros(0)
    for found in (one(none), t_test(none), wilcoxon(none), bootstrap_test(none), mcnemar_test(none, none)):
        assert found.p is None
        assert found.reason == "no queries"


@pytest.mark.parametrize("n", [1, 2, 25])
def test_equal_differences_say_nothing_of_their_spread(n: int) -> None:
    differences = np.full(n, 0.3)
    for found in (t_test(differences), bootstrap_test(differences)):
        assert found.p is None
        assert "all differences are equal" in found.reason
    assert one(differences).p == pytest.approx(2.0 ** (1 - n))
    assert wilcoxon(differences).p == pytest.approx(2.0 ** (1 - n))


def test_two_differences_have_p() -> None:
    differences = np.array([0.1, 0.3])
    assert one(differences).p == 0.5
    assert 0 < p_of(bootstrap_test(differences)) <= 1
    assert 0 < p_of(t_test(differences)) < 1


@settings(deadline=None, max_examples=50)
@given(st.lists(st.one_of(st.floats(-1, 1, width=16), st.sampled_from([0.0, 0.1, -0.1])), min_size=1, max_size=40))
def test_p_is_a_probability_that_a_turn_of_sign_leaves_alone(values: list[float]) -> None:
    differences = np.array(values)
    for test in (one, t_test, wilcoxon, bootstrap_test):
        found, turned = test(differences), test(-differences)
        assert found.test in found.record()["method"].lower() or found.test
        assert (found.p is None) == (turned.p is None)
        if found.p is not None:
            assert 0 < found.p <= 1
            assert turned.p == pytest.approx(found.p, rel=1e-9)


def test_the_name_of_a_test_is_part_of_its_result() -> None:
    differences = ANY.normal(0.1, 0.2, 20)
    found = [one(differences), bootstrap_test(differences), t_test(differences), wilcoxon(differences)]
    assert [result.test for result in found] == ["randomization", "bootstrap", "t", "wilcoxon"]
    assert all(result.method for result in found)


# --- at their level

SHAPES = ["steps", "skewed", "hits"]
DRAWS_OF_DATA = 2_000


def permuted(shape: str, n: int, rng: np.random.Generator) -> Values:
    """Differences of two systems that were exchanged at random, query by query."""
    sizes = {
        "steps": rng.integers(0, 4, n) / 10,
        "skewed": np.where(rng.random(n) < 0.3, 0.0, rng.gamma(0.5, 0.2, n)),
        "hits": np.where(rng.random(n) < 0.6, 0.0, 1.0),
    }[shape]
    flipped: Values = sizes * rng.choice([-1.0, 1.0], n)
    return flipped


@pytest.mark.parametrize("shape", SHAPES)
def test_on_permuted_data_no_test_rejects_more_often_than_it_says(shape: str) -> None:
    """At 5 %, with 3.5 standard errors of 2,000 draws; and not next to never."""
    rng = np.random.default_rng(17)
    columns = [permuted(shape, 45, rng) for _ in range(DRAWS_OF_DATA)]
    matrix = np.column_stack(columns)
    found = {
        "randomization": randomization(columns, 1, draws=1_000),
        "bootstrap": bootstrap_tests([Part(matrix, np.ones_like(matrix))], 1, draws=1_000),
        "t": [t_test(values) for values in columns],
        "wilcoxon": [wilcoxon(values) for values in columns],
    }
    if shape == "hits":
        found["mcnemar"] = [
            mcnemar_test((values < 0).astype(np.float64), (values > 0).astype(np.float64)) for values in columns
        ]
    for test, results in found.items():
        rejected = float(np.mean([p_of(result) <= 0.05 for result in results]))
        assert rejected <= 0.05 + 3.5 * (0.05 * 0.95 / DRAWS_OF_DATA) ** 0.5, test
        assert rejected >= 0.005, test
