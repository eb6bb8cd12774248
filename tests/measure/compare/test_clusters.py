"""Groups of queries: resampled whole."""

from __future__ import annotations

import numpy as np
import pytest

from askance.core.errors import BadInput
from askance.measure.bootstrap import mean_interval
from askance.measure.compare.clusters import ClusterMeans, Groups
from askance.measure.judged import Values


def means(values: Values, groups: Groups, resamples: int = 10_000) -> ClusterMeans:
    return ClusterMeans.of([values], groups, 1, resamples)


def test_groups_are_counted_and_the_nameless_stand_alone() -> None:
    groups = Groups.of(["a", "b", "a", None, "", "b"], 6)
    assert groups.count == 4
    assert groups.code.tolist() == [0, 1, 0, 2, 3, 1]
    assert groups.sums(np.array([1.0, 2, 3, 4, 5, np.nan])).tolist() == [4, 2, 4, 5]
    with pytest.raises(BadInput, match="2 groups for 3 queries"):
        Groups.of(["a", "b"], 3)


def test_groups_of_one_are_the_bootstrap_of_queries() -> None:
    values = np.random.default_rng(2).beta(1, 2, 80)
    found = means(values, Groups.of([str(at) for at in range(80)], 80)).estimate(0, {}, (0.0, 1.0))
    assert found.value == pytest.approx(float(values.mean()))
    assert (found.low, found.high) == pytest.approx(mean_interval(values), abs=0.004)
    assert found.n == 80


def test_equal_groups_are_the_bootstrap_of_their_means() -> None:
    of_group = np.random.default_rng(2).beta(1, 2, 40)
    found = means(np.repeat(of_group, 3), Groups.of([str(at // 3) for at in range(120)], 120))
    estimate = found.estimate(0, {}, (0.0, 1.0))
    assert (estimate.low, estimate.high) == pytest.approx(mean_interval(of_group), abs=0.006)
    assert estimate.n == 120
    assert "40 groups" in estimate.method


def test_uneven_groups_are_a_ratio() -> None:
    rng = np.random.default_rng(3)
    sizes = rng.integers(1, 6, 30)
    code = np.repeat(np.arange(30), sizes)
    values = rng.normal(0, 0.1, len(code)) + rng.normal(0, 0.3, 30)[code]
    drawn = []
    for _ in range(5_000):
        chosen = rng.integers(0, 30, 30)
        drawn.append(
            np.concatenate([values[code == at] for at in chosen]).mean() if len(chosen) else float("nan"),
        )
    found = means(values, Groups.of([str(at) for at in code], len(code))).estimate(0, {}, (-1.0, 1.0))
    assert found.value == pytest.approx(float(values.mean()))
    assert (found.low, found.high) == pytest.approx(tuple(np.quantile(drawn, (0.025, 0.975))), abs=0.02)


def test_they_are_wider_than_queries_taken_for_independent() -> None:
    of_group = np.random.default_rng(2).beta(1, 2, 30)
    values = np.repeat(of_group, 4)
    found = means(values, Groups.of([str(at // 4) for at in range(120)], 120)).estimate(0, {}, (0.0, 1.0))
    low, high = mean_interval(values)
    assert found.low is not None
    assert found.high is not None
    assert found.high - found.low > 1.7 * (high - low)


def test_what_has_no_value_is_left_out_of_its_group() -> None:
    values = np.array([0.1, np.nan, 0.3, 0.5, np.nan, np.nan])
    groups = Groups.of(["a", "a", "b", "b", "c", "c"], 6)
    found = means(values, groups).estimate(0, {"x": 3}, (0.0, 1.0))
    assert found.value == pytest.approx(0.3)
    assert found.n == 3
    assert dict(found.left_out) == {"x": 3}
    assert "2 groups" in found.method


def test_the_edges() -> None:
    groups = Groups.of(["a", "a", "b", "b"], 4)
    none = means(np.full(4, np.nan), groups).estimate(0, {}, (0.0, 1.0))
    assert none.method == "undefined: no queries"
    alike = means(np.array([0.2, 0.4, 0.4, 0.2]), groups).estimate(0, {}, (0.0, 1.0))
    assert alike.low is not None
    assert alike.high is not None
    assert alike.low < 0.3 < alike.high
    assert "2 groups, whose means are equal" in alike.method


def test_a_difference_shares_its_resamples() -> None:
    rng = np.random.default_rng(4)
    code = np.repeat(np.arange(25), 4)
    values = rng.normal(0, 1, 25)[code]
    groups = Groups.of([str(at) for at in code], 100)
    first, second = np.where(np.arange(100) % 2, values, np.nan), np.where(np.arange(100) % 2, np.nan, values)
    difference = means(first, groups).minus(means(second, groups))
    # both sides see the same groups, so that nothing is left of how much they vary
    assert np.abs(difference.means).max() == pytest.approx(0, abs=1e-12)
    assert difference.n[0] == 100
