"""How often intervals hold the true value: sums against simulation, and the page that prints them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from askance.measure.bootstrap import mean_interval
from askance.measure.compare.studentized import Part, bootstrap_tests
from askance.measure.coverage import METHODS, coverage, difference_coverage, difference_ends, simulated_coverage
from askance.report.intervals_page import intervals_page

PAGE = Path(__file__).resolve().parents[2] / "docs" / "intervals.md"
SAMPLES = 40_000


@pytest.mark.parametrize("n", [40, 118, 500])
@pytest.mark.parametrize("p", [0.0, 0.02, 0.1, 0.5])
def test_clopper_pearson_holds_everywhere(n: int, p: float) -> None:
    assert coverage(METHODS["Clopper-Pearson"](n), p) >= 0.95


@pytest.mark.parametrize("name", METHODS)
@pytest.mark.parametrize("n", [40, 118, 500])
def test_the_sums_are_what_simulation_finds(name: str, n: int) -> None:
    ends = METHODS[name](n)
    rng = np.random.default_rng(n)
    bounds = np.array(ends)
    for p in (0.02, 0.1, 0.5):
        hits = rng.binomial(n, p, SAMPLES)
        held = float(((bounds[hits, 0] <= p + 1e-12) & (p - 1e-12 <= bounds[hits, 1])).mean())
        assert held == pytest.approx(coverage(ends, p), abs=4 * (0.25 / SAMPLES) ** 0.5)


def test_the_percentile_interval_covers_55_of_100_where_hits_are_rare() -> None:
    percentile, printed = (METHODS[name](40) for name in ("percentile bootstrap, computed", "printed with a share"))
    assert coverage(percentile, 0.02) == pytest.approx(0.55, abs=0.01)
    assert coverage(printed, 0.02) > 0.95
    assert coverage(percentile, 0.02) == pytest.approx(
        coverage(METHODS["percentile bootstrap, 10,000 drawn"](40), 0.02)
    )


@pytest.mark.parametrize(("n", "gained", "lost"), [(40, 0.1, 0.02), (118, 0.1, 0.1)])
def test_differences_are_what_simulation_finds(n: int, gained: float, lost: float) -> None:
    samples, counted = np.unique(
        np.random.default_rng(1).multinomial(n, [gained, lost, 1 - gained - lost], SAMPLES), axis=0, return_counts=True
    )
    held = 0
    for (wins, losses, _), times in zip(samples.tolist(), counted.tolist(), strict=True):
        low, high = difference_ends(n, wins, losses)
        held += times * (low - 1e-12 <= gained - lost <= high + 1e-12)
    assert held / SAMPLES == pytest.approx(difference_coverage(n, gained, lost), abs=4 * (0.25 / SAMPLES) ** 0.5)


def test_graded_means_come_near_95_with_enough_queries() -> None:
    assert simulated_coverage(500, 400, seed=3) == pytest.approx(0.95, abs=0.04)
    assert simulated_coverage(10, 400, seed=3) < 0.945


def test_with_few_queries_the_test_holds_its_level_and_the_interval_does_not() -> None:
    rng = np.random.default_rng(5)
    sizes = np.where(rng.random((500, 25)) < 0.5, 0.0, 1 / rng.integers(1, 11, (500, 25)))
    rows = sizes * rng.choice([-1.0, 1.0], (500, 25))
    left_out = np.mean([not low <= 0 <= high for low, high in map(mean_interval, rows)])
    tests = bootstrap_tests([Part(rows.T, np.ones_like(rows.T))], 0, draws=500)
    assert left_out > 0.07
    assert np.mean([test.p is not None and test.p <= 0.05 for test in tests]) <= 0.05


def test_the_page_is_current() -> None:
    assert PAGE.read_text(encoding="utf-8") == intervals_page(), (
        "write it anew: .venv/bin/python -m askance.report.intervals_page > docs/intervals.md"
    )


def test_the_page_says_where_the_percentile_interval_fails() -> None:
    page = " ".join(PAGE.read_text(encoding="utf-8").split())
    assert "at n = 40 and p = .02 it covers .55" in page
    assert "| percentile bootstrap, computed | 40 | 1.000 | .546 |" in page
