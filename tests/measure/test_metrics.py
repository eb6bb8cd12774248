"""Metrics: literal cases, brute force in fractions, laws, and trec_eval's own values on real runs."""

from __future__ import annotations

import gzip
from collections.abc import Callable
from fractions import Fraction
from math import log2
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from askance.data.ids import Ids
from askance.data.judgments import Judgments
from askance.data.run import Run
from askance.measure.judged import Judged, judge
from askance.measure.measures import METRICS, Measure

Hold = Callable[..., Judged]
List = list[int]
Grades = dict[int, float]

NAMES = "Hit@1 Hit@3 P@1 P@3 P@10 Recall@1 Recall@3 RR RR@2 AP AP@2 nDCG nDCG@2"
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


# --- brute force: the definitions, in fractions


def by_definition(measure: Measure, ranked: List, grades: Grades, threshold: float) -> Fraction:
    gold = {document for document, grade in grades.items() if grade >= threshold}
    within = ranked if measure.k is None else ranked[: measure.k]
    hits = [document in gold for document in within]
    if measure.name == "nDCG":
        return _ndcg(measure.k, within, grades)
    if not gold:
        return Fraction(0)
    if measure.name == "Hit":
        return Fraction(any(hits))
    if measure.name == "P":
        assert measure.k is not None
        return Fraction(sum(hits), measure.k)
    if measure.name == "Recall":
        return Fraction(sum(hits), len(gold))
    if measure.name == "RR":
        return max((Fraction(1, rank) for rank, hit in enumerate(hits, 1) if hit), default=Fraction(0))
    assert measure.name == "AP"
    return sum((Fraction(sum(hits[:rank]), rank) for rank, hit in enumerate(hits, 1) if hit), Fraction(0)) / len(gold)


def _ndcg(k: int | None, within: List, grades: Grades) -> Fraction:
    def gain(ordered: list[float]) -> float:
        return sum(grade / log2(rank + 1) for rank, grade in enumerate(ordered, 1) if grade > 0)

    best = gain(sorted(grades.values(), reverse=True)[:k])
    return Fraction(gain([grades.get(document, 0.0) for document in within]) / best if best else 0.0)


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
    hold: Hold, world: tuple[list[List], list[Grades]], threshold: float
) -> None:
    lists, grades = world
    judged = hold(lists, grades, DOCUMENTS, threshold)
    for measure in MEASURES:
        expected = [float(by_definition(measure, *pair, threshold)) for pair in zip(lists, grades, strict=True)]
        assert measure.compute(judged) == pytest.approx(expected, abs=1e-14), measure


# --- laws


@given(worlds(), st.sampled_from([0.5, 1.0, 2.0]))
def test_every_value_lies_between_0_and_1(hold: Hold, world: tuple[list[List], list[Grades]], threshold: float) -> None:
    judged = hold(*world, DOCUMENTS, threshold)
    for measure in MEASURES:
        values = measure.compute(judged)
        assert values.shape == (len(judged),)
        assert values.dtype == np.float64
        assert ((values >= 0) & (values <= 1)).all(), measure


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
def test_with_one_gold_document_ap_is_rr(hold: Hold, world: tuple[list[List], list[Grades]]) -> None:
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


# --- trec_eval's own values


def _order(rows: list[tuple[str, str]]) -> list[tuple[str, float]]:
    """trec_eval's ranking: score as float32, ties by document id, descending."""
    kept = [(document, float(np.float32(score))) for document, score in rows]
    return sorted(sorted(kept, key=lambda row: row[0], reverse=True), key=lambda row: -row[1])


@pytest.mark.parametrize("name", ["p_unicoil0", "pash_f2", "mono_d3"])
def test_real_runs_score_as_trec_eval_scores_them(shared_data: Path, name: str) -> None:
    folder = shared_data / "trec_dl_runs" / "dl2021"
    expected: dict[str, dict[str, float]] = {}
    with gzip.open(folder / "expected_per_query.tsv.gz", "rt", encoding="utf-8") as file:
        for line in file:
            run_name, _, measure, query, printed = line.rstrip("\n").split("\t")
            if run_name == name:
                expected.setdefault(measure, {})[query] = float(printed)
    grades: dict[str, dict[str, float]] = {}
    for line in (folder / "qrels-pass.txt").read_text(encoding="utf-8").splitlines():
        query, _, document, grade = line.split()
        grades.setdefault(query, {})[document] = float(grade)
    rows: dict[str, list[tuple[str, str]]] = {}
    with gzip.open(folder / "runs_top100" / f"{name}.gz", "rt", encoding="utf-8") as file:
        for line in file:
            query, _, document, _, score, _ = line.split()
            rows.setdefault(query, []).append((document, score))
    queries = Ids(sorted(grades))
    documents = Ids(
        sorted({d for judged in grades.values() for d in judged} | {d for row in rows.values() for d, _ in row})
    )
    run = Run.of(name, queries, documents, {query: _order(row) for query, row in rows.items() if query in queries})
    judged = judge(run, Judgments.of(queries, documents, grades))
    names = {"P_5": "P@5", "P_10": "P@10", "recip_rank": "RR", "map": "AP", "ndcg_cut_10": "nDCG@10"}
    compared = 0
    for theirs, ours in names.items():
        values = Measure.parse(ours).compute(judged)
        for query, wanted in expected[theirs].items():
            position = queries.position(query)
            if position is not None:
                assert values[position] == pytest.approx(wanted, abs=6e-5), (ours, query)
                compared += 1
    assert compared == 5 * len(queries)
