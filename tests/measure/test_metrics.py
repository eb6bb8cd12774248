"""Metrics on lists without ties: literal cases, their definitions in fractions, laws."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import log2

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from askance.measure.judged import Judged
from askance.measure.measures import METRICS, Measure

Hold = Callable[..., Judged]
Defined = Callable[..., Fraction | None]
List = list[int]
Grades = dict[int, float]

NAMES = """
Hit@1 Hit@3 P@1 P@3 P@10 Recall@1 Recall@3 RR RR@2 AP AP@2 nDCG nDCG@2 nDCG(gains=exp) nDCG(gains=exp)@2 Rprec Bpref
Judged@1 Judged@4 Unjudged@1 Unjudged@4 FirstRel Hit(rel=2)@3 P(rel=0.5)@2 AP(rel=3) Bpref(rel=2) Rprec(rel=2)
FirstRel(rel=2) P(judged_only=True)@3 RR(judged_only=True) AP(judged_only=True)@4 nDCG(judged_only=True)@3
APRetrieved APRetrieved(rel=2)@3 nDCGRetrieved nDCGRetrieved@2
"""
MEASURES = [Measure.parse(text) for text in NAMES.split()]


# --- literal cases: one query, five documents, list 3 1 4 0 2


@pytest.mark.parametrize(
    ("text", "grades", "value"),
    [
        ("Hit@1", {3: 1}, 1.0),
        ("Hit@1", {1: 1}, 0.0),
        ("Hit@2", {1: 1}, 1.0),
        ("Hit@10", {}, 0.0),
        ("P@2", {1: 1, 3: 1}, 1.0),
        ("P@4", {1: 1, 3: 1}, 0.5),
        ("P@10", {1: 1, 3: 1}, 0.2),
        ("Recall@1", {1: 1, 3: 1}, 0.5),
        ("Recall@5", {1: 1, 3: 1}, 1.0),
        ("CappedRecall@1", {1: 1, 3: 1}, 1.0),
        ("CappedRecall@3", {1: 1, 0: 1, 2: 1, 4: 1}, 2 / 3),
        ("RR", {0: 1, 2: 1}, 0.25),
        ("RR@3", {0: 1, 2: 1}, 0.0),
        ("AP", {3: 1, 4: 1}, (1 + 2 / 3) / 2),
        ("AP", {1: 1, 0: 1}, (1 / 2 + 2 / 4) / 2),
        ("AP@3", {1: 1, 0: 1}, (1 / 2) / 2),
        ("nDCG", {3: 1}, 1.0),
        ("nDCG", {1: 1}, 1 / log2(3)),
        ("nDCG", {3: 1, 1: 2}, (1 + 2 / log2(3)) / (2 + 1 / log2(3))),
        ("nDCG@1", {3: 1, 1: 2}, 0.5),
        ("nDCG@1", {3: -1, 1: 2}, 0.0),
        ("nDCG", {3: 0.5}, 1.0),
        ("nDCG(gains=exp)@2", {3: 1, 1: 2}, (1 + 3 / log2(3)) / (3 + 1 / log2(3))),
        ("nDCG(gains=exp)@1", {3: 0.5, 1: 1}, 2**0.5 - 1),
        ("Rprec", {3: 1, 4: 1, 0: 1}, 2 / 3),
        ("Rprec", {1: 1}, 0.0),
        ("Bpref", {3: 1, 1: 1}, 1.0),
        ("Bpref", {3: 0, 1: 1, 4: 1, 0: 0}, 0.5),
        ("Bpref", {3: 0, 1: 1, 4: 0, 0: 1}, (1 / 2 + 0) / 2),
        ("Bpref", {3: -1, 1: 1}, 1.0),
        ("Judged@2", {3: 0, 0: 1}, 0.5),
        ("Judged@2", {3: -1, 0: 1}, 0.0),
        ("Judged@10", {3: 0, 0: 1}, 0.4),
        ("Unjudged@10", {3: 0, 0: 1}, 0.6),
        ("FirstRel", {4: 1, 2: 3}, 3.0),
        ("FirstRel(rel=2)", {4: 1, 2: 3}, 5.0),
        ("P(rel=2)@2", {3: 1, 1: 2}, 0.5),
        ("RR(judged_only=True)", {1: 0, 0: 1}, 0.5),
        ("RR(judged_only=True)", {1: -1, 0: 1}, 1.0),
    ],
)
def test_literal_values(hold: Hold, text: str, grades: Grades, value: float) -> None:
    judged = hold([[3, 1, 4, 0, 2]], [grades], 5)
    assert Measure.parse(text).compute(judged) == pytest.approx([value], abs=1e-15)


def test_gold_that_is_not_listed_counts_in_the_divisor(hold: Hold) -> None:
    judged = hold([[0]], [{0: 1, 1: 1, 2: 1}], 3)
    assert Measure("AP").compute(judged) == pytest.approx([1 / 3])
    assert Measure("Recall", 10).compute(judged) == pytest.approx([1 / 3])
    assert Measure("nDCG").compute(judged) == pytest.approx([1 / (1 + 1 / log2(3) + 1 / 2)])


# --- the definitions, in fractions


DOCUMENTS = 7


@st.composite
def worlds(draw: st.DrawFn, grades: tuple[float, ...] = (-1, 0, 0.5, 1, 2, 3)) -> tuple[list[List], list[Grades]]:
    queries = draw(st.integers(1, 4))
    lists, judged = [], []
    for _ in range(queries):
        order = draw(st.permutations(range(DOCUMENTS)))
        lists.append(order[: draw(st.integers(0, DOCUMENTS))])
        judged.append(draw(st.dictionaries(st.integers(0, DOCUMENTS - 1), st.sampled_from(grades), max_size=DOCUMENTS)))
    return lists, judged


@given(worlds(), st.sampled_from([0.5, 1.0, 2.0]))
def test_every_measure_is_what_its_definition_says(
    hold: Hold, by_definition: Defined, world: tuple[list[List], list[Grades]], threshold: float
) -> None:
    lists, grades = world
    judged = hold(lists, grades, DOCUMENTS, threshold)
    for measure in MEASURES:
        exact = [by_definition(measure, *pair, threshold) for pair in zip(lists, grades, strict=True)]
        expected = [np.nan if value is None else float(value) for value in exact]
        assert measure.compute(judged) == pytest.approx(expected, abs=1e-14, nan_ok=True), measure


# --- laws


@given(worlds(), st.sampled_from([0.5, 1.0, 2.0]))
def test_every_value_lies_within_its_bounds(
    hold: Hold, world: tuple[list[List], list[Grades]], threshold: float
) -> None:
    judged = hold(*world, DOCUMENTS, threshold)
    for measure in MEASURES:
        values = measure.compute(judged)
        assert values.shape == (len(judged),)
        assert values.dtype == np.float64
        low, high = measure.metric.bounds
        inside = (values >= low) & (values <= high)
        assert (inside | (np.isnan(values) & bool(measure.metric.undefined))).all(), measure


@given(worlds(), st.randoms(use_true_random=False))
def test_the_order_of_queries_and_documents_changes_nothing(
    hold: Hold, world: tuple[list[List], list[Grades]], chance: object
) -> None:
    lists, grades = world
    rng = np.random.default_rng(getattr(chance, "randrange")(2**32))  # noqa: B009
    queries, documents = rng.permutation(len(lists)), rng.permutation(DOCUMENTS)
    moved = hold(
        [[int(documents[document]) for document in lists[query]] for query in queries],
        [{int(documents[document]): grade for document, grade in grades[query].items()} for query in queries],
        DOCUMENTS,
    )
    judged = hold(lists, grades, DOCUMENTS)
    for measure in MEASURES:
        np.testing.assert_array_equal(measure.compute(moved), measure.compute(judged)[queries])


@given(worlds(), worlds())
def test_adding_a_query_never_changes_anothers_value(
    hold: Hold, world: tuple[list[List], list[Grades]], more: tuple[list[List], list[Grades]]
) -> None:
    alone = hold(*world, DOCUMENTS)
    together = hold(world[0] + more[0], world[1] + more[1], DOCUMENTS)
    for measure in MEASURES:
        np.testing.assert_array_equal(measure.compute(together)[: len(alone)], measure.compute(alone))


def test_a_longer_list_elsewhere_does_not_change_the_last_bit(hold: Hold) -> None:
    rng = np.random.default_rng(5)
    grades = [{int(document): float(rng.integers(0, 4)) for document in range(600)}]
    short = [rng.permutation(600)[:150].tolist()]
    alone = hold(short, grades, 600)
    beside = hold([*short, list(range(600))], [*grades, {0: 1.0}], 600)
    for measure in MEASURES:
        assert measure.compute(alone)[0] == measure.compute(beside)[0], measure


@given(worlds(grades=(0, 1)))
def test_with_one_gold_document_ap_is_rr(
    hold: Hold, by_definition: Defined, world: tuple[list[List], list[Grades]]
) -> None:
    lists, grades = world
    single = [dict.fromkeys(list(row)[:1], 1.0) for row in grades]
    judged = hold(lists, single, DOCUMENTS)
    for k in (None, 1, 3):
        np.testing.assert_array_equal(Measure("AP", k).compute(judged), Measure("RR", k).compute(judged))
        for row, gold in zip(lists, single, strict=True):
            assert by_definition(Measure("AP", k), row, gold, 1.0) == by_definition(Measure("RR", k), row, gold, 1.0)


@given(worlds(grades=(0, 1, 2)))
def test_an_oracle_gets_everything(hold: Hold, world: tuple[list[List], list[Grades]]) -> None:
    _, grades = world
    best = [sorted(range(DOCUMENTS), key=lambda document: -row.get(document, 0.0)) for row in grades]
    judged = hold(best, grades, DOCUMENTS)
    kept = judged.where(judged.with_gold)
    for text in f"Hit@1 Recall@{DOCUMENTS} RR AP nDCG nDCG@2".split():
        assert (Measure.parse(text).compute(kept) == 1.0).all(), text


def test_metrics_without_gold_are_0(hold: Hold) -> None:
    judged = hold([[0, 1], []], [{}, {0: 0.0, 1: -2.0}], 2)
    for name in set(METRICS) - {"Judged", "Unjudged", "FirstRel"}:
        measure = Measure(name, None if METRICS.get(name).cutoff == "never" else 2)
        assert measure.compute(judged).tolist() == [0.0, 0.0], name
