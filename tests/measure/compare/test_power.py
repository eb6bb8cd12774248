"""What a comparison can find: published sample sizes, scipy's noncentral t, and simulation."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.stats

from askance.core.errors import BadInput
from askance.measure.compare.power import minimal_difference, queries_needed
from askance.measure.judged import Values


def spread(n: int, deviation: float) -> Values:
    """Differences with exactly this standard deviation."""
    values = np.random.default_rng(n).normal(0, 1, n)
    scaled: Values = (values - values.mean()) / values.std(ddof=1) * deviation
    return scaled


@pytest.mark.parametrize(("effect", "n"), [(0.2, 199), (0.5, 34), (0.8, 15)])
def test_the_published_numbers_of_pairs(effect: float, n: int) -> None:
    """Cohen's small, medium and large effects, two-sided 5 %, power 80 %."""
    assert queries_needed(spread(60, 1.0), effect).value == n
    enough, too_few = (minimal_difference(spread(size, 1.0)).value for size in (n, n - 1))
    assert enough is not None
    assert too_few is not None
    assert enough <= effect < too_few


@pytest.mark.parametrize("n", [4, 10, 40, 500])
def test_the_power_is_80_percent_by_the_noncentral_t(n: int) -> None:
    found = minimal_difference(spread(n, 0.3)).value
    assert found is not None
    critical = scipy.stats.t.ppf(0.975, n - 1)
    shift = found * np.sqrt(n) / 0.3
    assert scipy.stats.nct.sf(critical, n - 1, shift) == pytest.approx(0.8, abs=2e-4)


def test_the_power_is_80_percent_by_simulation() -> None:
    n, draws = 40, 20_000
    found = minimal_difference(spread(n, 0.3)).value
    assert found is not None
    samples = np.random.default_rng(1).normal(found, 0.3, (draws, n))
    rejected = np.asarray(scipy.stats.ttest_1samp(samples, 0.0, axis=1).pvalue) <= 0.05
    assert float(rejected.mean()) == pytest.approx(0.8, abs=4 * (0.16 / draws) ** 0.5)


def test_one_is_the_other_turned_round() -> None:
    differences = spread(118, 0.3)
    for wish in (0.02, 0.05, 0.2, 1.0):
        n = queries_needed(differences, wish).value
        assert n is not None
        enough, too_few = (minimal_difference(spread(int(size), 0.3)).value for size in (n, max(2, n - 1)))
        assert enough is not None
        assert too_few is not None
        assert enough <= wish * (1 + 1e-9)
        assert n == 2 or too_few > wish


def test_the_interval_is_that_of_the_standard_deviation() -> None:
    """In 95 of 100 samples or so it holds what the true standard deviation gives."""
    rng = np.random.default_rng(2)
    true = minimal_difference(spread(200, 0.3)).value
    assert true is not None
    held = 0
    for _ in range(200):
        found = minimal_difference(rng.normal(0, 0.3, 200))
        assert found.low is not None
        assert found.high is not None
        held += found.low <= true <= found.high
    assert held >= 180


def test_queries_of_one_group_count_for_less() -> None:
    single = np.random.default_rng(3).normal(0.1, 0.3, 40)
    doubled, code = np.repeat(single, 2), np.repeat(np.arange(40), 2)
    alone, together = minimal_difference(single).value, minimal_difference(doubled, code).value
    assert together == pytest.approx(alone, rel=1e-9)
    careless = minimal_difference(doubled).value
    assert careless is not None
    assert together is not None
    assert careless < 0.75 * together


@pytest.mark.parametrize(
    ("differences", "reason"),
    [([], "not known"), ([0.1], "not known"), ([0.1, 0.1, 0.1], "all differences are equal")],
)
def test_what_does_not_vary_has_no_minimal_difference(differences: list[float], reason: str) -> None:
    for found in (minimal_difference(np.array(differences)), queries_needed(np.array(differences), 0.02)):
        assert found.value is None
        assert reason in found.method


@pytest.mark.parametrize("wish", [0.0, -0.1, float("nan")])
def test_a_wish_is_above_nought(wish: float) -> None:
    with pytest.raises(BadInput, match="wished for"):
        queries_needed(spread(20, 0.3), wish)
