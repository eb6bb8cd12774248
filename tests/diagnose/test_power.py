"""The power of McNemar's exact test against enumeration and simulation, and against the t-test of `compare`."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from askance.diagnose.power import least_found, power, queries_needed
from askance.measure.compare.power import minimal_difference
from askance.measure.paired import mcnemar


@pytest.mark.parametrize(("n", "discordant", "difference"), [(6, 1.0, 0.8), (8, 0.6, 0.4), (9, 0.9, 0.9)])
def test_power_is_the_sum_over_all_outcomes(n: int, discordant: float, difference: float) -> None:
    chances = {1: (discordant + difference) / 2, -1: (discordant - difference) / 2, 0: 1 - discordant}
    total = 0.0
    for outcome in product(chances, repeat=n):
        if mcnemar(outcome.count(1), outcome.count(-1)) <= 0.05:
            total += float(np.prod([chances[each] for each in outcome]))
    assert power(n, discordant, difference) == pytest.approx(total, abs=1e-9)


def test_power_as_simulated() -> None:
    rng = np.random.default_rng(0)
    n, discordant, difference = 118, 0.33, 0.153
    draws = rng.multinomial(n, [(discordant + difference) / 2, (discordant - difference) / 2, 1 - discordant], 2000)
    found = np.mean([mcnemar(int(gained), int(lost)) <= 0.05 for gained, lost, _ in draws])
    assert found == pytest.approx(power(n, discordant, difference), abs=0.03)
    assert found == pytest.approx(0.8, abs=0.04)


@pytest.mark.parametrize(("n", "discordant"), [(118, 0.33), (300, 0.1), (1000, 0.8)])
def test_the_least_difference_is_near_that_of_the_t_test(n: int, discordant: float) -> None:
    changed = round(n * discordant)
    differences = np.zeros(n)
    differences[:changed] = np.where(np.arange(changed) % 2, 1.0, -1.0)
    by_t = minimal_difference(differences).value
    assert by_t is not None
    exact = least_found(n, discordant)
    assert exact == pytest.approx(by_t, rel=0.12)
    assert power(n, discordant, exact) >= 0.8 > power(n, discordant, exact * 0.97)


def test_how_many_queries_are_needed() -> None:
    needed = queries_needed(0.05, 0.2)
    assert needed is not None
    assert power(needed, 0.2, 0.05) >= 0.8
    assert power(int(needed * 0.95), 0.2, 0.05) < 0.8
    assert least_found(5, 0.1) == 1.0  # five queries can never reach 5 %
