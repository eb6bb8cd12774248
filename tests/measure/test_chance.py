"""Chance: against exact fractions, and against the enumeration of all rankings."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import combinations, permutations, product
from math import comb

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from askance.core.errors import DataProblem
from askance.data.judgments import Judgments
from askance.data.run import Run
from askance.measure.binomial import binomial_pmf
from askance.measure.chance import (
    against_chance,
    candidates_of,
    chance,
    exact_null,
    null,
)
from askance.measure.estimates import estimate
from askance.measure.judged import Judged, candidate_counts
from askance.measure.measures import Measure
from askance.measure.metrics.metric import Metric
from askance.measure.nulls import BOUND, DrawnNull, ExactNull, hoeffding, poisson_binomial
from askance.measure.order import judge_by
from askance.measure.random_rankings import random_means

Hold = Callable[..., Judged]

EXPECTED = [
    Measure.parse(text)
    for text in ("Hit@1", "Hit@3", "P@2", "P@9", "Recall@2", "CappedRecall@2", "RR", "RR@3", "AP", "AP@3", "Rprec")
]


def hit_chance(size: int, gold: int, k: int) -> Fraction:
    """1 − C(N − K, k)/C(N, k)."""
    k = min(k, size)
    return 1 - Fraction(comb(size - gold, k), comb(size, k))


# --- exact expectations


def test_the_chance_of_a_hit_is_hypergeometric_for_every_small_corpus() -> None:
    cases = [(size, gold, k) for size in range(1, 13) for gold in range(size + 1) for k in range(1, 14)]
    for k in range(1, 14):
        chosen = [case for case in cases if case[2] == k]
        sizes, gold = (np.array(column) for column in zip(*((size, gold) for size, gold, _ in chosen), strict=True))
        found = chance(Measure("Hit", k), sizes, gold)
        assert found == pytest.approx([float(hit_chance(*case)) for case in chosen], rel=1e-13, abs=0)


@pytest.mark.parametrize("k", [1, 10, 100])
@pytest.mark.parametrize("gold", [0, 1, 4, 69, 117_000])
def test_nothing_is_lost_to_cancellation_in_a_large_corpus(gold: int, k: int) -> None:
    found = chance(Measure("Hit", k), np.array([117_088]), np.array([gold]))
    assert found == pytest.approx([float(hit_chance(117_088, gold, k))], rel=1e-13, abs=0)


def _orders(size: int, gold: int) -> list[tuple[int, ...]]:
    """Every set of ranks that the gold documents may take."""
    return list(combinations(range(size), gold))


@pytest.mark.parametrize("depth", [None, 4])
@pytest.mark.parametrize("measure", EXPECTED, ids=str)
def test_the_expectation_is_the_mean_over_all_rankings(hold: Hold, measure: Measure, depth: int | None) -> None:
    for size in range(1, 7):
        for gold in range(size + 1):
            orders = _orders(size, gold)
            lists = [list(range(size))[:depth]] * len(orders)
            values = measure.compute(hold(lists, [dict.fromkeys(order, 1) for order in orders], size))
            found = chance(measure, np.array([size]), np.array([gold]), depth=depth)
            assert found == pytest.approx([float(values.mean())], rel=1e-13), (size, gold)


def _expected_ap(size: int, gold: int) -> Fraction:
    values = [
        sum((Fraction(hit, rank + 1) for hit, rank in enumerate(order, 1)), Fraction(0)) / gold
        for order in _orders(size, gold)
    ]
    return sum(values, Fraction(0)) / len(values)


def test_expected_ap_and_rr_in_fractions() -> None:
    for size, gold in [(n, k) for n in range(1, 9) for k in range(1, n + 1)]:
        found = chance(Measure("AP"), np.array([size]), np.array([gold]))
        assert found == pytest.approx([float(_expected_ap(size, gold))], rel=1e-14)
        first = [Fraction(1, order[0] + 1) for order in _orders(size, gold)]
        found = chance(Measure("RR"), np.array([size]), np.array([gold]))
        assert found == pytest.approx([float(sum(first, Fraction(0)) / len(first))], rel=1e-14)


@pytest.mark.parametrize("grades", [(3, 2, 1), (2, 0.5), (1, 1)])
@pytest.mark.parametrize("text", ["nDCG", "nDCG@2", "nDCG@5"])
def test_expected_ndcg_is_the_mean_over_all_rankings(hold: Hold, text: str, grades: tuple[float, ...]) -> None:
    size = 5
    for depth in (None, 3):
        orders = list(permutations(range(size), len(grades)))
        rows = [dict(zip(order, grades, strict=True)) for order in orders]
        judged = hold([list(range(size))[:depth]] * len(orders), rows, size)
        gains = judged.ideal.take(np.array([0]))
        found = chance(Measure.parse(text), np.array([size]), judged.gold[:1], gains=gains, depth=depth)
        assert found == pytest.approx([float(Measure.parse(text).compute(judged).mean())], rel=1e-13)


def test_a_constant_scorer_lands_on_chance(hold: Hold) -> None:
    """It ranks by position: over all orders in which a corpus may be stored, its mean is chance, for every measure."""
    grades = [{0: 1, 3: 1}, {2: 1}]
    orders = list(permutations(range(5)))
    stored = [{order[document]: grade for document, grade in row.items()} for order in orders for row in grades]
    judged = hold([list(range(5))] * len(stored), stored, 5)
    for measure in [*EXPECTED, Measure("nDCG"), Measure("nDCG", 3)]:
        expected = chance(measure, np.array([5, 5]), np.array([2, 1]))
        assert measure.compute(judged).reshape(-1, 2).mean(axis=0) == pytest.approx(expected, rel=1e-13), measure


def test_excluded_documents_are_no_candidates() -> None:
    sizes = candidate_counts(10, 2) - np.array([4, 0])
    found = chance(Measure("Hit", 2), sizes, np.array([1, 1]))
    assert found == pytest.approx([float(hit_chance(6, 1, 2)), float(hit_chance(10, 1, 2))])


def test_an_unknown_corpus_gives_the_reason_instead(hold: Hold) -> None:
    assert chance(Measure("Hit", 1), None, np.array([1])) == (
        "undefined: the number of documents in the corpus is not known"
    )
    found = against_chance(Measure("Hit", 1), hold([[0]], [{0: 1}], 1), None, seed=1)
    assert (found.expected, found.p, found.verdict) == (None, None, None)
    assert "not known" in found.method


def test_a_metric_without_a_closed_form_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    metric = Metric("Odd", "odd", False, "never", "optional", lambda judged, k: judged.gold.astype(np.float64))
    monkeypatch.setattr(Measure, "metric", metric)
    assert chance(Measure("AP"), np.array([3]), np.array([1])) == (
        "undefined: AP has no closed form for random rankings"
    )


def test_without_gold_there_is_no_chance(hold: Hold) -> None:
    found = against_chance(Measure("Hit", 1), hold([[0]], [{}], 1), np.array([1]), seed=1)
    assert found.expected is None
    assert "no query has a gold document" in found.method


def test_more_gold_than_candidates_is_an_error() -> None:
    with pytest.raises(DataProblem, match="query number 2 has 4 judged documents among 3 candidates"):
        chance(Measure("Hit", 1), np.array([3, 3]), np.array([3, 4]))


def test_queries_without_gold_count_neither_in_the_value_nor_in_chance(hold: Hold) -> None:
    judged = hold([[0], [1], [2]], [{0: 1}, {}, {0: 1}], 4)
    found = against_chance(Measure("Hit", 1), judged, np.full(3, 4), seed=1)
    assert found.expected == 0.25
    assert found.p == pytest.approx(min(1.0, 2 * float(1 - Fraction(3, 4) ** 2)))


# --- the distribution of a yes/no measure


def _pmf(chances: list[Fraction]) -> list[Fraction]:
    """By enumeration of all outcomes."""
    pmf = [Fraction(0)] * (len(chances) + 1)
    for outcome in product((0, 1), repeat=len(chances)):
        weight = Fraction(1)
        for hit, p in zip(outcome, chances, strict=True):
            weight *= p if hit else 1 - p
        pmf[sum(outcome)] += weight
    return pmf


@given(st.lists(st.fractions(0, 1, max_denominator=20), min_size=1, max_size=8))
def test_the_poisson_binomial_is_exact(chances: list[Fraction]) -> None:
    found = poisson_binomial(np.array([float(p) for p in chances]))
    assert found == pytest.approx([float(weight) for weight in _pmf(chances)], rel=1e-11, abs=1e-290)


def test_equal_chances_are_a_binomial_to_the_last_tail() -> None:
    found = poisson_binomial(np.full(300, 0.25))
    exact = [float(comb(300, hits) * Fraction(1, 4) ** hits * Fraction(3, 4) ** (300 - hits)) for hits in range(301)]
    assert found == pytest.approx(exact, rel=1e-10, abs=0)
    assert poisson_binomial(np.zeros(0)).tolist() == [1.0]


@pytest.mark.parametrize("p", [0.0, 1e-12, 0.02, 0.5, 0.97, 1.0])
@pytest.mark.parametrize("n", [0, 1, 7, 400])
def test_the_binomial_to_its_last_tail(n: int, p: float) -> None:
    exact = [float(comb(n, hits) * Fraction(p) ** hits * (1 - Fraction(p)) ** (n - hits)) for hits in range(n + 1)]
    assert binomial_pmf(n, p) == pytest.approx(exact, rel=1e-11, abs=1e-300)


def test_the_poisson_binomial_of_many_queries_adds_up() -> None:
    found = poisson_binomial(np.random.default_rng(1).random(2_000))
    assert found.sum() == pytest.approx(1.0, abs=1e-11)
    hits = np.arange(len(found))
    chances = np.random.default_rng(1).random(2_000)
    mean = float((hits * found).sum())
    assert mean == pytest.approx(chances.sum(), rel=1e-11)
    assert ((hits - mean) ** 2 * found).sum() == pytest.approx((chances * (1 - chances)).sum(), rel=1e-9)


@pytest.mark.parametrize("chances", [[0.1] * 40, [0.02, 0.3, 0.5, 0.9] * 10])
def test_no_more_than_5_percent_of_random_systems_are_below_or_above(chances: list[float]) -> None:
    there = exact_null(np.array(chances))
    verdicts = [there.place(hits / 40).verdict for hits in range(41)]
    wrong = sum(weight for weight, verdict in zip(there.weight, verdicts, strict=True) if verdict != "at")
    assert 0.005 < wrong <= 0.05
    order = [verdict for at, verdict in enumerate(verdicts) if at == 0 or verdicts[at - 1] != verdict]
    assert order in (["below", "at", "above"], ["at", "above"])


def test_the_two_sided_p_is_twice_the_smaller_tail() -> None:
    there = exact_null(np.array([0.5, 0.5, 0.5]))
    assert [there.place(hits / 3).p for hits in range(4)] == pytest.approx([0.25, 1.0, 1.0, 0.25])


# --- simulated distributions of other measures


def _all_means(hold: Hold, measure: Measure, worlds: list[tuple[int, tuple[float, ...]]], depth: int) -> list[float]:
    """The mean over queries of every combination of rankings, each as likely as any."""
    per_query = []
    for size, grades in worlds:
        orders = list(permutations(range(size), len(grades)))
        rows = [dict(zip(order, grades, strict=True)) for order in orders]
        per_query.append(measure.compute(hold([list(range(size))[:depth]] * len(orders), rows, size)).tolist())
    return [float(np.mean(values)) for values in product(*per_query)]


@pytest.mark.parametrize("depth", [2, 5])
@pytest.mark.parametrize("text", ["AP", "RR", "RR@3", "P@3", "Recall@2", "CappedRecall@2", "nDCG", "nDCG@3", "Rprec"])
def test_random_rankings_are_drawn_as_they_should_be(hold: Hold, text: str, depth: int) -> None:
    measure = Measure.parse(text)
    worlds: list[tuple[int, tuple[float, ...]]] = [(5, (1,)), (4, (2, 1, 3)), (3, (0.5, 1))]
    judged = hold([[], [], []], [dict(enumerate(grades)) for _, grades in worlds], 5)
    sizes = np.array([size for size, _ in worlds])
    candidates = candidates_of(measure, sizes, judged.gold, gains=judged.ideal, depth=depth)
    drawn = random_means(measure, candidates, seed=7, draws=20_000)
    exact = np.array(_all_means(hold, measure, worlds, depth))
    assert len(drawn) == 20_000
    for edge in np.unique(exact.round(9)) + 5e-10:
        share = float((exact <= edge).mean())
        assert float((drawn <= edge).mean()) == pytest.approx(
            share, abs=4.5 * (share * (1 - share) / 20_000) ** 0.5 + 1e-12
        )


def test_the_same_seed_draws_the_same_and_another_one_does_not(hold: Hold) -> None:
    judged = hold([[0, 1, 2]] * 5, [{at: 1} for at in range(3)] + [{0: 1, 1: 2}] * 2, 6)
    found = [against_chance(Measure("AP"), judged, np.full(5, 6), seed=seed) for seed in (1, 1, 2)]
    assert found[0] == found[1]
    assert found[0].expected == found[2].expected
    assert found[0].p != found[2].p
    assert "1,999 random rankings" in found[0].method


def test_a_mean_that_no_draw_reaches_has_the_smallest_p() -> None:
    there = DrawnNull(0.3, "random rankings", 10, lambda: np.linspace(0.2, 0.4, 1_999), exact=True)
    found = there.place(0.6)
    assert found.verdict == "above"
    assert found.p == pytest.approx(2 / 2_000)
    assert found.method == "1,999 random rankings"


def test_a_mean_far_out_is_placed_by_a_bound_and_nothing_is_drawn(hold: Hold, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("askance.measure.chance.random_means", None)
    judged = hold([[0]] * 60, [{0: 1}] * 60, 100)
    found = against_chance(Measure("AP"), judged, np.full(60, 100), seed=3)
    assert found.verdict == "above"
    assert found.p is not None
    assert found.p == pytest.approx(2 * hoeffding(found.expected or 0.0, 1.0, 60))
    assert found.p < 1e-70
    assert found.method == BOUND
    nothing = hold([[1]] * 400, [{0: 1}] * 400, 4)
    found = against_chance(Measure("RR", 2), nothing, np.full(400, 4), seed=3)
    assert found.verdict == "below"
    assert found.p == pytest.approx(2 * hoeffding(0.375, 0.0, 400))


def test_no_p_is_0_and_a_simulated_expectation_bounds_nothing(hold: Hold) -> None:
    judged = hold([[0]] * 3_000, [{0: 1, 1: 0}] * 3_000, 100)
    for text in ("Hit@1", "RR"):
        assert against_chance(Measure.parse(text), judged, np.full(3_000, 100), seed=1).p == 1e-290
    found = against_chance(Measure("Bpref"), judged.where(np.arange(3_000) < 50), np.full(50, 100), seed=1, depth=1)
    assert found.p == pytest.approx(2 / 2_000)
    assert found.method.startswith("1,999 random rankings")


@pytest.mark.parametrize(
    ("expected", "mean", "n", "bound"),
    [(0.5, 1.0, 10, 0.5**10), (0.25, 0.0, 6, 0.75**6), (0.3, 0.3, 9, 1.0), (0.0, 0.1, 3, 0.0), (0.0, 0.0, 3, 1.0)],
)
def test_hoeffdings_bound(expected: float, mean: float, n: int, bound: float) -> None:
    assert hoeffding(expected, mean, n) == pytest.approx(bound, rel=1e-12)


@given(st.lists(st.floats(0.01, 0.99), min_size=1, max_size=40), st.floats(0, 1))
def test_hoeffdings_bound_holds_for_yes_and_no(chances: list[float], mean: float) -> None:
    n = len(chances)
    expected = sum(chances) / n
    pmf, share = poisson_binomial(np.array(chances)), np.arange(n + 1) / n
    tail = pmf[share >= mean - 1e-12].sum() if mean >= expected else pmf[share <= mean + 1e-12].sum()
    assert tail <= hoeffding(expected, mean, n) * (1 + 1e-9)


def test_a_list_that_was_cut_is_held_against_lists_that_are_cut() -> None:
    whole = chance(Measure("AP"), np.array([1_000]), np.array([1]))
    cut = chance(Measure("AP"), np.array([1_000]), np.array([1]), depth=10)
    at_10 = chance(Measure("AP", 10), np.array([1_000]), np.array([1]))
    assert isinstance(whole, np.ndarray)
    assert isinstance(cut, np.ndarray)
    assert cut == pytest.approx(at_10)
    assert (cut < whole).all()


def test_work_is_bounded_for_a_thousand_queries() -> None:
    sizes, gold = np.full(1_000, 1_000), np.full(1_000, 100)
    candidates = candidates_of(Measure("AP", 400), sizes, gold)
    assert len(random_means(Measure("AP", 400), candidates, seed=1, draws=1_999)) == 199


def test_grades_count_in_what_chance_expects(hold: Hold) -> None:
    judged = hold([[0, 1], [1, 0]], [{0: 3, 1: 1}, {2: 1, 3: 2}], 4)
    found = against_chance(Measure("nDCG", 1), judged, np.full(2, 4), seed=1)
    assert found.expected == pytest.approx((4 / 4 / 3 + 3 / 4 / 2) / 2)
    assert found.verdict == "at"


# --- judged documents that are not gold


POOLED = ["Bpref", "Judged@2", "Unjudged@3"]


@pytest.mark.parametrize("depth", [None, 3])
@pytest.mark.parametrize("text", POOLED)
def test_pooled_measures_are_drawn_as_they_should_be(hold: Hold, text: str, depth: int | None) -> None:
    """Gold 0 and 1, judged non-gold 2 and 3, unjudged 4: against all orders."""
    measure, size = Measure.parse(text), 5
    grades = {0: 1.0, 1: 2.0, 2: 0.0, 3: 0.0}
    lists = [list(order)[:depth] for order in permutations(range(size))]
    exact = measure.compute(hold(lists, [grades] * len(lists), size))
    judged = hold([lists[0]], [grades], size)
    there = null(measure, judged, np.array([size]), 7, depth=depth, draws=20_000)
    assert isinstance(there, DrawnNull)
    for edge in np.unique(exact.round(9)) + 5e-10:
        share = float((exact <= edge).mean())
        assert float((there.support <= edge).mean()) == pytest.approx(
            share, abs=4.5 * (share * (1 - share) / 20_000) ** 0.5
        )
    expected = chance(measure, np.array([size]), judged.gold, gains=judged.ideal, pool=judged.pool, depth=depth)
    if text == "Bpref":
        assert expected == "undefined: Bpref has no closed form for random rankings"
        assert "simulated as well" in there.method
        assert there.expected == pytest.approx(float(exact.mean()), abs=0.01)
    else:
        assert expected == pytest.approx([float(exact.mean())], rel=1e-13)
        assert there.expected == pytest.approx(float(exact.mean()), rel=1e-13)


def test_pooled_documents_are_candidates_too(hold: Hold) -> None:
    judged = hold([[0]], [{0: 1, 1: 0, 2: 0}], 3)
    assert chance(Measure("P", 1), np.array([2]), judged.gold, gains=judged.ideal, pool=judged.pool) == pytest.approx(
        [0.5]
    )
    with pytest.raises(DataProblem, match="3 judged documents among 2 candidates"):
        chance(Measure("Judged", 1), np.array([2]), judged.gold, gains=judged.ideal, pool=judged.pool)


# --- parameters, and measures that random rankings do not have


def test_parameters_count_in_chance(hold: Hold) -> None:
    judged = hold([[0, 1], [1, 0]], [{0: 3, 1: 1}, {2: 1, 3: 2}], 4)
    sizes = np.full(2, 4)
    strict = against_chance(Measure.parse("Hit(rel=2)@1"), judged, sizes, seed=1)
    assert strict.expected == pytest.approx(1 / 4)
    steep = against_chance(Measure.parse("nDCG(gains=exp)@1"), judged, sizes, seed=1)
    assert steep.expected == pytest.approx(((7 + 1) / 4 / 7 + (1 + 3) / 4 / 3) / 2)


@pytest.mark.parametrize(
    ("text", "reason"), [("FirstRel", "the queries that list gold"), ("P(judged_only=True)@2", "is not drawn")]
)
def test_what_cannot_be_held_against_random_rankings_says_why(hold: Hold, text: str, reason: str) -> None:
    measure, judged = Measure.parse(text), hold([[0, 1]], [{0: 1}], 3)
    found = against_chance(measure, judged, np.array([3]), seed=1)
    assert (found.expected, found.p, found.verdict) == (None, None, None)
    assert found.method.startswith("undefined: ")
    assert reason in found.method
    assert chance(measure, np.array([3]), judged.gold) == found.method


# --- ties


def _all_placements(measure: Measure, lists: list[Run], judgments: Judgments) -> list[float]:
    return [float(measure.compute(judge_by("expected", run, judgments))[0]) for run in lists]


@pytest.mark.parametrize("text", ["Hit@2", "RR", "AP", "nDCG@3", "Bpref", "P@3"])
def test_random_rankings_get_the_ties_of_the_run(
    make_tied_run: Callable[..., Run], make_judgments: Callable[..., Judgments], text: str
) -> None:
    """Against all orders of the documents over the scores 3 2 2 2 1."""
    measure, scores = Measure.parse(text), [3.0, 2.0, 2.0, 2.0, 1.0]
    judgments = make_judgments([{0: 1.0, 1: 2.0, 2: 0.0}], 5)
    lists = [make_tied_run([list(zip(order, scores, strict=True))], 5) for order in permutations(range(5))]
    exact = np.array(_all_placements(measure, lists, judgments))
    there = null(measure, judge_by("expected", lists[0], judgments), np.array([5]), 3, draws=20_000)
    assert isinstance(there, DrawnNull)
    assert "with the ties of the run" in there.method
    for edge in np.unique(exact.round(9)) + 5e-10:
        share = float((exact <= edge).mean())
        assert float((there.support <= edge).mean()) == pytest.approx(
            share, abs=4.5 * (share * (1 - share) / 20_000) ** 0.5
        )
    assert there.expected == pytest.approx(float(exact.mean()), abs=1e-12 if text != "Bpref" else 0.01)


def test_a_yes_no_measure_whose_cutoff_splits_no_tie_stays_exact(
    make_tied_run: Callable[..., Run], make_judgments: Callable[..., Judgments]
) -> None:
    run = make_tied_run([[(0, 2.0), (1, 2.0), (2, 1.0)]] * 3, 5)
    judged = judge_by("expected", run, make_judgments([{0: 1}, {2: 1}, {4: 1}], 5))
    assert isinstance(null(Measure("Hit", 2), judged, np.full(3, 5), 1), ExactNull)
    assert isinstance(null(Measure("Hit", 1), judged, np.full(3, 5), 1), DrawnNull)


def test_a_constant_scorer_is_at_chance(
    make_tied_run: Callable[..., Run], make_judgments: Callable[..., Judgments]
) -> None:
    run = make_tied_run([[(at, 0.5) for at in range(12)]] * 30, 12)
    judged = judge_by("expected", run, make_judgments([{at % 12: 1, at % 5: 2} for at in range(30)], 12))
    for text in ("Hit@1", "P@3", "RR", "AP", "nDCG", "Recall@4", "Rprec"):
        found = against_chance(Measure.parse(text), judged, np.full(30, 12), seed=1)
        assert found.p == pytest.approx(1.0), text
        assert found.verdict == "at"


# --- canaries


def _random_system(hold: Hold, seed: int) -> tuple[Judged, np.ndarray[tuple[int], np.dtype[np.int64]]]:
    rng = np.random.default_rng(seed)
    lists = [rng.permutation(30)[:20].tolist() for _ in range(50)]
    grades = [dict.fromkeys(rng.permutation(30)[: rng.integers(1, 8)].tolist(), 1.0) for _ in range(50)]
    return hold(lists, grades, 30), np.full(50, 30)


@pytest.mark.parametrize("text", ["Hit@1", "Hit@3", "AP"])
def test_a_random_scorer_lands_inside_its_interval(hold: Hold, text: str) -> None:
    measure = Measure.parse(text)
    inside = at = 0
    systems = 100
    for seed in range(systems):
        judged, sizes = _random_system(hold, seed)
        there = null(measure, judged, sizes, seed=1, depth=20, draws=399)
        found = estimate(measure, judged)
        assert found.value is not None
        assert found.low is not None
        assert found.high is not None
        assert there.expected is not None
        inside += found.low <= there.expected <= found.high
        at += there.place(found.value).verdict == "at"
    assert inside >= 0.88 * systems
    assert at >= 0.9 * systems
