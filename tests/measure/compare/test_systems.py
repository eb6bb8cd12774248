"""Systems compared: what is found, what is corrected together, and everything that others get wrong."""

from __future__ import annotations

import json
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from askance.core.errors import BadInput, UnknownName
from askance.measure.bootstrap import mean_interval
from askance.measure.compare.corrections import benjamini_hochberg, holm
from askance.measure.compare.results import Comparison, Comparisons
from askance.measure.compare.systems import WITHOUT_VALUE, CompareSettings, Scores, compare_systems
from askance.measure.intervals import most_others
from askance.measure.judged import Values
from askance.measure.paired import mcnemar

TESTS = ["randomization", "bootstrap", "t", "wilcoxon", "mcnemar"]
QUICK = CompareSettings(draws=400)


def scores(*rows: Values | list[float], measure: str = "M", lower_is_better: bool = False) -> Scores:
    values = np.array(rows, dtype=np.float64)
    queries = [f"q{at}" for at in range(values.shape[1])]
    return Scores(
        [f"s{at}" for at in range(len(rows))],
        queries,
        {measure: values},
        frozenset([measure] if lower_is_better else []),
    )


def some(systems: int = 3, queries: int = 40, measures: int = 2, seed: int = 0) -> Scores:
    rng = np.random.default_rng(seed)
    values = {f"M{at}": rng.beta(1, 2, (systems, queries)) for at in range(measures)}
    values["Hit@1"] = (rng.random((systems, queries)) < 0.4).astype(float)
    return Scores([f"s{at}" for at in range(systems)], [f"q{at}" for at in range(queries)], values)


def only(found: Comparisons) -> Comparison:
    (comparison,) = found.comparisons
    return comparison


def p(comparison: Comparison, test: str) -> float:
    found = comparison.tests[test].p
    assert found is not None, comparison.tests[test].method
    return found


def test_a_difference_is_second_minus_first_with_its_interval() -> None:
    first, second = np.random.default_rng(1).beta(1, 2, (2, 60))
    found = only(compare_systems(scores(first, second), QUICK))
    assert (found.pair.first, found.pair.second, found.pair.measure) == ("s0", "s1", "M")
    assert found.pair.difference.value == pytest.approx(float(second.mean() - first.mean()))
    ends = (found.pair.difference.low, found.pair.difference.high)
    assert ends == pytest.approx(mean_interval(second - first), abs=1e-9)
    assert found.pair.wins == int((second > first).sum())
    assert found.pair.wins + found.pair.losses + found.pair.ties == found.pair.difference.n == 60
    assert list(found.tests) == TESTS


def test_every_pair_or_each_against_the_baseline() -> None:
    every = compare_systems(some(4, 20, 1), QUICK)
    assert len(every.comparisons) == 6 * 2
    against = compare_systems(some(4, 20, 1), CompareSettings(baseline="s2", draws=400))
    assert [(one.pair.first, one.pair.second) for one in against.comparisons][:3] == [
        ("s2", "s0"),
        ("s2", "s1"),
        ("s2", "s3"),
    ]
    with pytest.raises(UnknownName, match="s9"):
        compare_systems(some(), CompareSettings(baseline="s9"))


def test_which_queries_changed_and_by_how_much() -> None:
    found = only(compare_systems(scores([0.5, 0.2, 0.9, 0.0], [0.5, 0.3, 0.1, 0.1]), QUICK))
    assert [(one.query, one.difference) for one in found.changed] == [("q2", -0.8), ("q1", 0.1), ("q3", 0.1)]
    assert (found.changed[0].first, found.changed[0].second) == (0.9, 0.1)


def test_rounding_is_no_difference_and_no_kind_of_its_own() -> None:
    found = only(compare_systems(scores([0.2, 0.3, 0.1 + 0.2], [0.3, 0.4, 0.3]), QUICK))
    assert (found.pair.wins, found.pair.losses, found.pair.ties) == (2, 0, 1)
    assert p(found, "randomization") == 0.5


def test_fewer_is_better_where_the_measure_says_so() -> None:
    rows = [3.0, 5.0, 2.0], [1.0, 4.0, 9.0]
    assert only(compare_systems(scores(*rows), QUICK)).pair.wins == 1
    ranks = only(compare_systems(scores(*rows, lower_is_better=True), QUICK))
    assert (ranks.pair.wins, ranks.pair.losses) == (2, 1)
    assert ranks.pair.difference.value == pytest.approx(4 / 3)


def test_yes_no_measures_get_mcnemar_and_others_do_not() -> None:
    first, second = [1.0] * 11 + [0.0] * 30, [0.0] * 8 + [1.0] * 3 + [1.0] * 11 + [0.0] * 19
    found = only(compare_systems(scores(first, second), QUICK))
    assert p(found, "mcnemar") == pytest.approx(mcnemar(11, 8))
    assert p(found, "mcnemar") == pytest.approx(p(found, "randomization"))
    tied = only(compare_systems(scores([0.5, *first[1:]], second), QUICK))
    assert tied.tests["mcnemar"].method == "undefined: not a yes/no measure"


# --- what is corrected together


def test_everything_that_was_tested_is_corrected_together() -> None:
    found = compare_systems(some(), QUICK)
    assert len(found.comparisons) == 3 * 3
    for test in TESTS:
        results = [one.tests[test] for one in found.comparisons]
        tested = [one.p for one in results]
        assert [one.holm for one in results] == holm(tested)
        assert [one.bh for one in results] == benjamini_hochberg(tested)
    families = {family.test: family for family in found.families}
    assert families["randomization"].tested == 9
    assert families["mcnemar"].tested == 3
    assert dict(families["mcnemar"].left_out) == {"not a yes/no measure": 6}


def test_an_undefined_p_does_not_spoil_the_others() -> None:
    """A system that beats the baseline by the same everywhere has no t; the others' corrections must stay numbers."""
    rng = np.random.default_rng(5)
    base = np.round(rng.random(30), 2)
    found = compare_systems(scores(base, base + 0.5, rng.random(30), base), CompareSettings(baseline="s0", draws=400))
    t = [one.tests["t"] for one in found.comparisons]
    assert t[0].p is None
    assert "all differences are equal" in t[0].method
    assert t[2].p == 1.0
    assert all(one.holm is not None and one.bh is not None for one in t[1:])
    family = next(one for one in found.families if one.test == "t")
    assert (family.tested, sum(family.left_out.values())) == (2, 1)


def test_slices_and_interactions_are_of_the_family() -> None:
    kinds = ["a", "b"] * 20
    found = compare_systems(some(2), QUICK, slices={"kind": kinds})
    family = next(one for one in found.families if one.test == "randomization")
    # per measure: all queries, two slices, one interaction
    assert family.tested == 3 * (1 + 2 + 1)
    in_slice = {(one.value, one.pair.measure): one for one in found.slices}
    assert {value for value, _ in in_slice} == {"a", "b"}
    p_values = [
        *(one.tests["randomization"].p for one in found.comparisons),
        *(one.test.p for one in found.slices),
        *(one.test.p for one in found.interactions),
    ]
    corrected = [
        *(one.tests["randomization"].holm for one in found.comparisons),
        *(one.test.holm for one in found.slices),
        *(one.test.holm for one in found.interactions),
    ]
    assert corrected == holm(p_values)


# --- slices, groups


def test_an_interaction_is_a_difference_of_differences() -> None:
    rng = np.random.default_rng(2)
    base = rng.random(80)
    kinds = ["easy", "hard"] * 40
    gain = np.where(np.array(kinds) == "hard", 0.3, 0.0) + rng.normal(0, 0.1, 80)
    found = compare_systems(scores(base, base + gain), QUICK, slices={"kind": kinds})
    (easy, hard), (interaction,) = found.slices, found.interactions
    assert (interaction.value, interaction.rest) == ("easy", "hard")
    assert easy.pair.difference.n == hard.pair.difference.n == 40
    assert easy.pair.difference.value is not None
    assert hard.pair.difference.value is not None
    assert interaction.difference.value == pytest.approx(easy.pair.difference.value - hard.pair.difference.value)
    assert interaction.difference.high is not None
    assert interaction.difference.high < 0
    assert interaction.test.p == pytest.approx(1 / 401)
    alone = compare_systems(scores(base[::2], (base + gain)[::2]), QUICK)
    assert (easy.pair.difference.low, easy.pair.difference.high) == pytest.approx(
        (only(alone).pair.difference.low, only(alone).pair.difference.high)
    )


def test_queries_without_a_slice_are_in_none() -> None:
    found = compare_systems(some(2, 9, 0), QUICK, slices={"kind": ["a", "b", None, "a", "b", "", "a", "b", "b"]})
    assert sorted(one.pair.difference.n for one in found.slices) == [3, 4]
    assert [one.difference.n for one in found.interactions] == [7]


def test_confounded_slices_are_flagged() -> None:
    kinds = ["a", "b"] * 10
    found = compare_systems(some(2, 20), QUICK, slices={"kind": kinds, "source": [one.upper() for one in kinds]})
    assert [(one.first, one.second) for one in found.confounded] == [("kind", "source")]


def test_groups_are_resampled_and_exchanged_whole() -> None:
    rng = np.random.default_rng(3)
    of_group = rng.normal(0.15, 0.3, 12)
    base = rng.random(48)
    difference = np.repeat(np.round(of_group, 2), 4)
    names = [f"g{at // 4}" for at in range(48)]
    careless = only(compare_systems(scores(base, base + difference), QUICK))
    found = only(compare_systems(scores(base, base + difference), QUICK, groups=names))
    assert p(found, "randomization") > 3 * p(careless, "randomization")
    alone = only(compare_systems(scores(np.zeros(12), np.round(of_group, 2)), QUICK))
    assert p(found, "randomization") == pytest.approx(p(alone, "randomization"))
    assert p(found, "bootstrap") == pytest.approx(p(alone, "bootstrap"), abs=0.05)
    assert found.minimal.value == pytest.approx(alone.minimal.value)
    for test in ("t", "wilcoxon", "mcnemar"):
        assert found.tests[test].p is None
        assert "independent" in found.tests[test].method
    assert compare_systems(scores(base, base), QUICK, groups=names).groups == 12


def test_slices_of_groups() -> None:
    rng = np.random.default_rng(4)
    base = rng.random(60)
    kinds = ["a", "b", "c"] * 20
    gain = np.where(np.array(kinds) == "a", 0.4, 0.0) + np.repeat(rng.normal(0, 0.5, 20), 3)
    gain += rng.normal(0, 0.05, 60)
    found = compare_systems(
        scores(base, base + gain), QUICK, groups=[str(at // 3) for at in range(60)], slices={"kind": kinds}
    )
    first = found.interactions[0]
    assert (first.value, first.rest) == ("a", "all others")
    # what varies between groups is on both sides, and falls out
    assert first.difference.value == pytest.approx(0.4, abs=0.05)
    assert first.difference.high is not None
    assert first.difference.low is not None
    assert first.difference.high - first.difference.low < 0.1
    assert first.test.test == "bootstrap"
    assert first.test.p is not None


# --- everything that others get wrong


@pytest.mark.parametrize("n", [1, 2, 40])
@pytest.mark.parametrize("value", [0.0, 0.4, 1.0])
def test_identical_systems_do_not_differ(n: int, value: float) -> None:
    row = np.full(n, value)
    found = compare_systems(scores(row, row, row), CompareSettings(wish=0.1, draws=400))
    for one in found.comparisons:
        assert one.pair.difference.value == 0.0
        assert one.pair.difference.high == pytest.approx(most_others(n))
        assert (one.pair.wins, one.pair.losses, one.pair.ties) == (0, 0, n)
        assert {test.p for test in one.tests.values() if test.p is not None} == {1.0}
        assert one.changed == []
    assert "NaN" not in json.dumps(found.record(), allow_nan=False)


def test_copies_of_a_system_get_the_same_figures() -> None:
    first, second = np.random.default_rng(1).beta(1, 2, (2, 60))
    found = compare_systems(scores(first, second, second), CompareSettings(baseline="s0", draws=400)).comparisons
    assert found[0].pair.difference == found[1].pair.difference
    assert found[0].tests == found[1].tests


@pytest.mark.parametrize("n", [0, 1, 2])
def test_none_one_or_two_queries(n: int) -> None:
    rows = np.array([[0.1, 0.4], [0.3, 0.5]])[:, :n]
    for groups in (None, ["g"] * n):
        found = compare_systems(scores(*rows), CompareSettings(wish=0.1, draws=200), groups=groups)
        comparison = only(found)
        assert comparison.pair.difference.n == n
        assert (comparison.pair.difference.value is None) == (n == 0)
        json.dumps(found.record(), allow_nan=False)


def test_two_systems_of_one_name_are_refused() -> None:
    with pytest.raises(BadInput, match="two systems are called 'a'"):
        Scores(["a", "b", "a"], ["q"], {})
    with pytest.raises(BadInput, match="nothing to compare"):
        Scores(["a"], ["q"], {})


def test_values_of_another_shape_are_refused() -> None:
    with pytest.raises(BadInput, match="one value to each system and query"):
        Scores(["a", "b"], ["q", "r"], {"M": np.zeros((2, 3))})
    with pytest.raises(BadInput, match="2 values for 40 queries"):
        compare_systems(some(), QUICK, slices={"kind": ["a", "b"]})
    with pytest.raises(BadInput, match="drawn"):
        CompareSettings(draws=0)


def test_queries_without_a_value_in_both_are_left_out_and_counted() -> None:
    found = only(compare_systems(scores([0.1, np.nan, 0.3, 0.2], [0.2, 0.5, np.nan, 0.2]), QUICK))
    assert found.pair.difference.n == 2
    assert dict(found.pair.difference.left_out) == {WITHOUT_VALUE: 2}
    assert found.pair.difference.value == pytest.approx(0.05)
    assert [one.query for one in found.changed] == ["q0"]


@settings(deadline=None, max_examples=25)
@given(st.integers(0, 10_000), st.sampled_from([None, "groups"]))
def test_the_order_of_queries_and_systems_changes_nothing(seed: int, grouped: str | None) -> None:
    rng = np.random.default_rng(seed)
    values = rng.integers(0, 6, (2, 12)) / 5
    names = [f"q{at}" for at in range(12)]
    groups = [f"g{at // 2}" for at in range(12)] if grouped else None
    order = rng.permutation(12)
    found = only(compare_systems(Scores(["a", "b"], names, {"M": values}), QUICK, groups=groups))
    shuffled = only(
        compare_systems(
            Scores(["a", "b"], [names[at] for at in order], {"M": values[:, order]}),
            QUICK,
            groups=None if groups is None else [groups[at] for at in order],
        )
    )
    turned = only(compare_systems(Scores(["b", "a"], names, {"M": values[::-1]}), QUICK, groups=groups))
    assert list(shuffled.changed) == list(found.changed)
    assert turned.pair.difference.value == pytest.approx(-(found.pair.difference.value or 0.0))
    for test in ("randomization", "t", "wilcoxon"):
        assert shuffled.tests[test].p == pytest.approx(found.tests[test].p)
        assert turned.tests[test].p == pytest.approx(found.tests[test].p)
    if groups is None:
        assert shuffled.pair.difference.low == pytest.approx(found.pair.difference.low, abs=1e-6)
        assert turned.pair.difference.low == pytest.approx(-(found.pair.difference.high or 0.0), abs=1e-6)


def test_the_seed_is_said_and_decides() -> None:
    first = compare_systems(some(), CompareSettings(seed=5, draws=400))
    assert compare_systems(some(), CompareSettings(seed=5, draws=400)).record() == first.record()
    assert compare_systems(some(), CompareSettings(seed=6, draws=400)).record() != first.record()
    assert "seed 5" in first.comparisons[0].tests["bootstrap"].method


def test_every_figure_is_an_estimate_and_every_test_has_its_name() -> None:
    record = compare_systems(some(), CompareSettings(wish=0.02, draws=400), slices={"k": ["a", "b"] * 20}).record()
    shapes: dict[str, Callable[[object], bool]] = {
        "difference": lambda one: (
            isinstance(one, dict) and set(one) == {"value", "low", "high", "n", "method", "left_out"}
        ),
        "tests": lambda one: (
            isinstance(one, dict) and all(set(each) == {"p", "holm", "bh", "method"} for each in one.values())
        ),
    }
    for kind in ("comparisons", "slices", "interactions"):
        rows = record[kind]
        assert isinstance(rows, list)
        assert rows
        for row in rows:
            assert all(holds(row[key]) for key, holds in shapes.items())
    json.dumps(record, allow_nan=False)
