"""Ties: every measure gives its exact mean over all orders of tied documents."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import combinations, combinations_with_replacement, permutations, product
from math import log2

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from askance.data.judgments import Judgments
from askance.data.run import Run
from askance.measure.chance import chance
from askance.measure.judged import Judged
from askance.measure.measures import METRICS, Measure
from askance.measure.order import judge_by

MakeTied = Callable[..., Run]
MakeJudgments = Callable[..., Judgments]
Defined = Callable[..., Fraction | None]
Ranking = tuple[float | None, ...]

NAMES = """
Hit@1 Hit@2 Hit@3 Hit@4 P@1 P@3 P@7 Recall@2 CappedRecall@2 Recall@4 RR RR@1 RR@2 RR@3 AP AP@2 AP@4 nDCG nDCG@2
nDCG(gains=exp)@3
Rprec Bpref Judged@1 Judged@3 Unjudged@2 Unjudged@7 FirstRel Hit(rel=2)@2 RR(rel=2) AP(rel=2) Rprec(rel=2) Bpref(rel=2)
FirstRel(rel=2) P(judged_only=True)@2 RR(judged_only=True) AP(judged_only=True) nDCG(judged_only=True)@2
APRetrieved APRetrieved@1 APRetrieved@3 nDCGRetrieved nDCGRetrieved@2 nDCGRetrieved(gains=exp)@3
"""
MEASURES = [Measure.parse(text) for text in NAMES.split()]


def held(make_tied_run: MakeTied, make_judgments: MakeJudgments, worlds: list[tuple[list[Ranking], Ranking]]) -> Judged:
    """Each world a query: groups of tied grades in the order of their scores, then grades of unlisted documents."""
    lists, grades = [], []
    for groups, unlisted in worlds:
        scored = [(-float(at), grade) for at, group in enumerate(groups) for grade in group]
        lists.append([(document, score) for document, (score, _) in enumerate(scored)])
        every = [grade for _, grade in scored] + list(unlisted)
        grades.append({document: grade for document, grade in enumerate(every) if grade is not None})
    documents = max(sum(map(len, groups)) + len(unlisted) for groups, unlisted in worlds)
    return judge_by("expected", make_tied_run(lists, documents), make_judgments(grades, documents))


def orders(groups: list[Ranking]) -> Iterator[Ranking]:
    """Every order of every group, as grades by rank, each as likely."""
    for order in product(*(permutations(group) for group in groups)):
        yield tuple(grade for group in order for grade in group)


def compositions(length: int) -> Iterator[tuple[int, ...]]:
    """All ways to cut a list into groups."""
    for cuts in product((False, True), repeat=length - 1):
        ends = [at + 1 for at, cut in enumerate(cuts) if cut] + [length]
        yield tuple(end - start for start, end in zip([0, *ends], ends, strict=False))


def all_worlds(length: int, grades: Ranking, unlisted: Ranking) -> list[tuple[list[Ranking], Ranking]]:
    """All lists of tied groups of these grades; within a group the order says nothing."""
    return [
        (list(groups), unlisted)
        for sizes in compositions(length)
        if max(sizes) > 1
        for groups in product(*(combinations_with_replacement(grades, size) for size in sizes))
    ]


class Means:
    """Means over orders, from the definitions; the value of every ranking is computed once."""

    def __init__(self, by_definition: Defined, measure: Measure) -> None:
        self.by_definition, self.measure = by_definition, measure
        self.known: dict[tuple[Ranking, Ranking], Fraction | None] = {}

    def value(self, ranking: Ranking, unlisted: Ranking) -> Fraction | None:
        key = (ranking, unlisted)
        if key not in self.known:
            every = (*ranking, *unlisted)
            grades = {document: grade for document, grade in enumerate(every) if grade is not None}
            self.known[key] = self.by_definition(self.measure, range(len(ranking)), grades, 1.0)
        return self.known[key]

    def mean(self, groups: list[Ranking], unlisted: Ranking) -> float:
        values = [self.value(ranking, unlisted) for ranking in orders(groups)]
        there = [value for value in values if value is not None]
        assert len(there) in (0, len(values)), "a measure is undefined in all orders or in none"
        return float(sum(there, Fraction(0)) / len(there)) if there else float("nan")


FIVE = all_worlds(5, (None, 0.0, 1.0, 2.0), (2.0, 0.0))
THREE = [
    world
    for unlisted in ((), (1.0,), (0.0, 0.0))
    for world in all_worlds(3, (None, -1.0, 0.0, 0.5, 1.0, 3.0), unlisted)
]


@pytest.mark.parametrize("worlds", [FIVE, THREE], ids=["five", "three"])
@pytest.mark.parametrize("measure", MEASURES, ids=str)
def test_the_value_is_the_mean_over_all_orders(
    make_tied_run: MakeTied,
    make_judgments: MakeJudgments,
    by_definition: Defined,
    measure: Measure,
    worlds: list[tuple[list[Ranking], Ranking]],
) -> None:
    found = measure.compute(held(make_tied_run, make_judgments, worlds))
    means = Means(by_definition, measure)
    expected = np.array([means.mean(*world) for world in worlds])
    np.testing.assert_allclose(found, expected, rtol=1e-13, atol=1e-15)


def test_every_metric_is_enumerated() -> None:
    assert {measure.name for measure in MEASURES} == set(METRICS)


@pytest.mark.parametrize(("size", "gold", "before"), [(12, 3, 0), (12, 1, 2), (11, 10, 1), (9, 9, 3), (10, 4, 2)])
def test_long_ties_by_every_place_that_gold_can_take(
    make_tied_run: MakeTied, make_judgments: MakeJudgments, by_definition: Defined, size: int, gold: int, before: int
) -> None:
    lists = [[(document, 2.0) for document in range(before)] + [(before + at, 1.0) for at in range(size)]]
    lists[0][:before] = [(document, 9.0 - document) for document in range(before)]
    grades = [dict.fromkeys(range(before, before + gold), 1.0)]
    judged = judge_by("expected", make_tied_run(lists, before + size), make_judgments(grades, before + size))
    places = [{before + place: 1.0 for place in chosen} for chosen in combinations(range(size), gold)]
    for text in ("Hit@4", "Hit@10", "P@5", "RR", "RR@6", "AP", "AP@7", "FirstRel", "Rprec", "nDCG@6"):
        measure = Measure.parse(text)
        values = [by_definition(measure, range(before + size), order, 1.0) or Fraction(0) for order in places]
        assert measure.compute(judged) == pytest.approx([float(sum(values) / len(values))], rel=1e-13), text


def test_a_tie_of_thousands_of_documents(make_tied_run: MakeTied, make_judgments: MakeJudgments) -> None:
    size = 3_000
    run = make_tied_run([[(at, 0.5) for at in range(size)]], size)
    judged = judge_by("expected", run, make_judgments([{7: 1.0, 2_000: 1.0}], size))
    first = [Fraction(2 * (size - rank), size * (size - 1)) for rank in range(1, size)]
    assert Measure("RR").compute(judged) == pytest.approx([sum(float(p) / at for at, p in enumerate(first, 1))])
    assert Measure("FirstRel").compute(judged) == pytest.approx([(size + 1) / 3], rel=1e-13)
    assert Measure("Hit", 1_000).compute(judged) == pytest.approx([float(sum(first[:1_000]))], rel=1e-13)
    assert Measure("P", 10).compute(judged) == pytest.approx([2 / size], rel=1e-13)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("Hit@1", 1 / 3),
        ("Hit@3", 1.0),
        ("RR@10", (1 + 1 / 2 + 1 / 3) / 3),
        ("nDCG@10", (1 + 1 / log2(3) + 1 / 2) / 3),
    ],
)
def test_no_measure_of_one_call_sees_another_order(
    make_tied_run: MakeTied, make_judgments: MakeJudgments, text: str, value: float
) -> None:
    """Three tied documents of which one is gold, wherever it stands in the input and whatever it is called."""
    for gold in range(3):
        judged = judge_by(
            "expected", make_tied_run([[(at, 1.0) for at in range(3)]], 3), make_judgments([{gold: 1}], 3)
        )
        assert Measure.parse(text).compute(judged) == pytest.approx([value], rel=1e-15)


def test_a_tie_that_the_cutoff_does_not_reach_is_a_plain_yes_or_no(
    make_tied_run: MakeTied, make_judgments: MakeJudgments
) -> None:
    lists = [[(at, float(-(at // 7))) for at in range(14)]] * 2
    judged = judge_by("expected", make_tied_run(lists, 14), make_judgments([{3: 1, 5: 1}, {9: 1}], 14))
    values = {k: Measure("Hit", k).compute(judged) for k in (7, 8, 14)}
    assert values[7].tolist() == [1.0, 0.0]
    assert values[8] == pytest.approx([1.0, 1 / 7])
    assert values[14].tolist() == [1.0, 1.0]
    assert Measure("Hit", 7).says_yes_or_no(values[7])
    assert not Measure("Hit", 8).says_yes_or_no(values[8])
    assert not Measure("P", 2).says_yes_or_no(np.array([0.0, 1.0]))


# --- laws


DOCUMENTS = 8
World = tuple[list[list[tuple[int, float]]], list[dict[int, float]]]


@st.composite
def worlds(draw: st.DrawFn, grades: tuple[float, ...] = (-1, 0, 0.5, 1, 2, 3)) -> World:
    lists, judged = [], []
    for _ in range(draw(st.integers(1, 4))):
        documents = draw(st.permutations(range(DOCUMENTS)))[: draw(st.integers(0, DOCUMENTS))]
        lists.append([(document, draw(st.sampled_from([0.1, 0.5, 0.5000001, 2.0]))) for document in documents])
        judged.append(draw(st.dictionaries(st.integers(0, DOCUMENTS - 1), st.sampled_from(grades), max_size=DOCUMENTS)))
    return lists, judged


@pytest.fixture(scope="session")
def under(make_tied_run: MakeTied, make_judgments: MakeJudgments) -> Callable[..., Judged]:
    def held_under(world: World, policy: str = "expected", documents: int = DOCUMENTS) -> Judged:
        return judge_by(policy, make_tied_run(world[0], documents), make_judgments(world[1], documents))  # type: ignore[arg-type]

    return held_under


Under = Callable[..., Judged]


@given(worlds())
def test_every_value_lies_within_its_bounds(under: Under, world: World) -> None:
    judged = under(world)
    for measure in MEASURES:
        values = measure.compute(judged)
        low, high = measure.metric.bounds
        inside = (values >= low) & (values <= high)
        assert (inside | (np.isnan(values) & bool(measure.metric.undefined))).all(), measure


@given(worlds(grades=(0, 0.1, 0.2, 0.7, 3)), st.integers(0, 2**32 - 1))
def test_neither_the_order_of_the_input_nor_names_leave_a_trace(under: Under, world: World, seed: int) -> None:
    rng = np.random.default_rng(seed)
    lists, grades = world
    queries, names = rng.permutation(len(lists)), rng.permutation(DOCUMENTS)
    moved = (
        [[lists[query][at] for at in rng.permutation(len(lists[query]))] for query in queries],
        [grades[query] for query in queries],
    )
    renamed = (
        [[(int(names[document]), score) for document, score in row] for row in lists],
        [{int(names[document]): grade for document, grade in row.items()} for row in grades],
    )
    judged, shuffled, other = under(world), under(moved), under(renamed)
    for measure in MEASURES:
        values = measure.compute(judged)
        np.testing.assert_array_equal(measure.compute(shuffled), values[queries], err_msg=str(measure))
        np.testing.assert_array_equal(measure.compute(other), values, err_msg=str(measure))


def test_sums_of_fractional_grades_do_not_depend_on_their_order(under: Under) -> None:
    grades = {0: 0.1, 1: 0.2, 2: 0.7}
    sums = set()
    for order in permutations(range(3)):
        judged = under(([[(at, 1.0) for at in order]], [grades]))
        sums.add(judged.total_in(judged.grade).item())
    assert len(sums) == 1


@given(worlds(), worlds())
def test_adding_a_query_never_changes_anothers_value(under: Under, world: World, more: World) -> None:
    alone, together = under(world), under((world[0] + more[0], world[1] + more[1]))
    for measure in MEASURES:
        np.testing.assert_array_equal(measure.compute(together)[: len(alone)], measure.compute(alone))


@given(worlds(), st.integers(0, 15))
def test_picking_queries_picks_their_values(under: Under, world: World, chosen: int) -> None:
    judged = under(world)
    mask = np.array([bool(chosen >> at & 1) for at in range(len(judged))])
    for measure in MEASURES:
        np.testing.assert_array_equal(measure.compute(judged.where(mask)), measure.compute(judged)[mask])


@given(worlds(grades=(0, 1)))
def test_with_one_gold_document_ap_is_rr(under: Under, world: World) -> None:
    lists, grades = world
    judged = under((lists, [dict.fromkeys(list(row)[:1], 1.0) for row in grades]))
    for k in (None, 1, 3):
        np.testing.assert_allclose(Measure("AP", k).compute(judged), Measure("RR", k).compute(judged), rtol=1e-14)


@given(worlds())
def test_luck_bounds_what_is_expected(under: Under, world: World) -> None:
    best, mean, worst = (under(world, policy) for policy in ("optimistic", "expected", "pessimistic"))
    for measure in MEASURES:
        if measure.name.endswith("Retrieved"):
            continue  # they divide by what was found, so that finding more can cost
        high, middle, low = (measure.compute(judged) for judged in (best, mean, worst))
        if measure.metric.lower_is_better:
            high, low = low, high
        there = ~np.isnan(middle)
        assert (np.isnan(high) == ~there).all()
        assert (high[there] >= middle[there] - 1e-14).all(), measure
        assert (middle[there] >= low[there] - 1e-14).all(), measure


@given(worlds())
def test_lists_without_ties_are_what_they_are_by_rank(under: Under, world: World) -> None:
    lists = [[(document, float(-at)) for at, (document, _) in enumerate(row)] for row in world[0]]
    every = [under((lists, world[1]), policy) for policy in ("expected", "trec", "input", "optimistic", "pessimistic")]
    assert all(judged.ties is None for judged in every)
    for measure in MEASURES:
        for judged in every[1:]:
            np.testing.assert_array_equal(measure.compute(judged), measure.compute(every[0]))


def test_a_constant_scorer_over_the_whole_corpus_is_chance(
    make_tied_run: MakeTied, make_judgments: MakeJudgments
) -> None:
    grades: list[dict[int, float]] = [{0: 1, 3: 2}, {2: 1, 1: 0, 5: 0}, {4: 3, 0: 1, 1: 1, 2: 0, 3: 1}]
    run = make_tied_run([[(document, 0.5) for document in range(6)]] * 3, 6)
    judged = judge_by("expected", run, make_judgments(grades, 6))
    for measure in MEASURES:
        seen = measure.held(judged)
        found = chance(measure, np.full(3, 6), seen.gold, gains=seen.ideal, pool=seen.pool)
        if isinstance(found, str):
            assert measure.judged_only or measure.name in ("Bpref", "FirstRel", "APRetrieved", "nDCGRetrieved")
        else:
            np.testing.assert_allclose(measure.compute(judged), found, rtol=1e-13, err_msg=str(measure))
