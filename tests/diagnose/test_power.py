"""The power of McNemar's exact test against enumeration and simulation, and against the t-test of `compare`; and that
what is said of it is true and does not contradict itself, whatever the number of queries and of discordant ones."""

from __future__ import annotations

from itertools import product
from math import comb

import numpy as np
import pytest

from askance.core.estimate import Estimate
from askance.data.collection import Collection, Documents, Queries, Tier
from askance.data.ids import Ids
from askance.data.judgments import Judgments
from askance.data.run import Run
from askance.diagnose.case import Case, System
from askance.diagnose.power import Detectable, detectable, least_found, power, queries_needed
from askance.measure.compare.power import minimal_difference
from askance.measure.paired import mcnemar
from askance.report.diagnosis_power import power_said


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


def found(n: int, discordant: int, looked_for: float, *, single: bool = False) -> Detectable:
    """Of n queries: the first system hits all, the second misses `discordant` of them; `single`: the first alone."""
    queries, documents = Ids(f"q{at}" for at in range(n)), Ids(["right", "wrong"])
    gold = Judgments.of(queries, documents, {name: {"right": 1.0} for name in queries})
    collection = Collection(
        "c",
        Documents(documents, {"text": ["", ""]}),
        Queries(queries, {"text": [""] * n}),
        {"gold": Tier("gold", "gold", gold)},
    )
    lists = [["right"] * n, ["wrong"] * discordant + ["right"] * (n - discordant)]
    first, second = (
        System(name, name, Run.of(name, queries, documents, {f"q{at}": [(d, 1.0)] for at, d in enumerate(row)}), 2)
        for name, row in zip("ab", lists, strict=True)
    )
    case = Case("c", "c", collection, collection.tier("gold"), np.ones(n, dtype=np.bool_), [first, second])
    one = detectable(case, first, None if single else second, looked_for)
    assert one is not None
    return one


@pytest.mark.parametrize(
    ("n", "discordant", "looked_for", "strong", "rest"),
    [
        (1, 0, 0.05, "1 query can show no difference at all.", "ahead on that one, p would still be 1 ("),
        (5, 0, 0.05, "5 queries can show no difference at all.", "ahead on all five, p would still be 0.0625 ("),
        (5, 5, 0.99, "5 queries can show no difference at all.", "six queries are the fewest that reach .05"),
        (6, 0, 0.05, "6 queries are too few to show a difference of 5.0 points.", "a and b differ on none of them"),
        (100, 0, 0.05, "100 queries are too few to show a difference of 5.0 points.", "157 queries would show 5.0"),
        (
            100,
            0,
            0.1,
            "100 queries are enough to show a difference of 10.0 points.",
            "must be 7.8 points (7.8–7.8) for",
        ),
        (100, 20, 0.05, "100 queries are too few to show a difference of 5.0 points.", "differ on 20.0 % of them. The"),
        (
            100,
            100,
            0.3,
            "100 queries are enough to show a difference of 30.0 points.",
            "differ on 100.0 % of them. The",
        ),
        (1000, 0, 0.05, "1,000 queries are enough to show a difference of 5.0 points.", "In the easiest case, one"),
        (1000, 1000, 0.05, "1,000 queries are too few to show a difference of 5.0 points.", "8.9 points (8.9–8.9)"),
    ],
)
def test_what_is_said(n: int, discordant: int, looked_for: float, strong: str, rest: str) -> None:
    said = power_said(found(n, discordant, looked_for))
    assert said[0] == strong
    assert rest in said[1]


@pytest.mark.parametrize("n", [1, 2, 5, 6, 7, 20, 100, 1000])
@pytest.mark.parametrize("looked_for", [0.01, 0.05, 0.5, 0.99])
def test_nothing_that_is_said_contradicts_the_rest(n: int, looked_for: float) -> None:
    for discordant in sorted({0, 1, n // 3, n}):
        one = found(n, discordant, looked_for)
        share = discordant / n
        assert one.enough == (power(n, share, looked_for) >= 0.8)
        if one.needed is not None and not one.enough:
            assert one.needed > n
        if n < 6:
            assert one.least.value is None
            assert not one.enough
            continue
        assert one.least.value is not None
        assert one.least.low is not None
        assert one.least.high is not None
        assert one.least.low <= one.least.value <= one.least.high
        assert one.easiest == (share < one.least.value)
        said = " ".join(power_said(one))
        assert ("easiest" in said) == one.easiest
        assert ("would show" in said) == (not one.enough)


def test_one_system_that_hits_everything_is_in_no_two_minds() -> None:
    said = " ".join(power_said(found(30, 0, 0.05, single=True)))
    assert "30 queries are too few to show a difference of 5.0 points." in said
    assert "Two systems that hit as often as a, and independently, differ on none of them" in said


@pytest.mark.parametrize(("difference", "discordant"), [(0.05, 0.0), (0.1, 0.3), (0.3, 1.0), (0.5, 0.9), (0.97, 1.0)])
def test_the_fewest_queries_are_the_fewest(difference: float, discordant: float) -> None:
    """One fewer misses it and every larger number up to three times as many finds it."""
    needed = queries_needed(difference, discordant)
    assert needed is not None
    assert power(needed - 1, discordant, difference) < 0.8
    assert all(power(n, discordant, difference) >= 0.8 for n in range(needed, 3 * needed))


def test_without_discordant_queries_the_power_is_that_of_six() -> None:
    """Of the easiest case by hand: P(Binomial(n, δ) ≥ 6)."""
    for n, share in ((6, 0.9), (50, 0.1), (157, 0.05)):
        below = sum(comb(n, m) * share**m * (1 - share) ** (n - m) for m in range(6))
        assert power(n, 0.0, share) == pytest.approx(1 - below, abs=1e-12)


def test_an_undefined_figure_has_a_reason() -> None:
    assert found(4, 2, 0.05).least == Estimate.undefined("4 queries never reach 5 %: 2 · ½ⁿ is 0.125", n=4)
