"""Small worlds for the tests of measures."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from math import log2

import pytest

from askance.data.ids import Ids
from askance.data.judgments import Judgments
from askance.data.run import Run
from askance.measure.judged import Judged, judge
from askance.measure.measures import Measure

Lists = Sequence[Sequence[int]]
Grades = Sequence[Mapping[int, float]]
Hold = Callable[..., Judged]


def run_of(lists: Lists, documents: int, name: str = "run") -> Run:
    """A run over documents d0, d1, … from lists of document numbers."""
    queries = Ids(f"q{at}" for at in range(len(lists)))
    ids = Ids(f"d{at}" for at in range(documents))
    ranked = {
        f"q{query}": [(f"d{document}", float(-rank)) for rank, document in enumerate(row)]
        for query, row in enumerate(lists)
    }
    return Run.of(name, queries, ids, ranked)


def judgments_of(grades: Grades, documents: int) -> Judgments:
    """Judgments over the same ids."""
    queries = Ids(f"q{at}" for at in range(len(grades)))
    ids = Ids(f"d{at}" for at in range(documents))
    named = {
        f"q{query}": {f"d{document}": grade for document, grade in row.items()} for query, row in enumerate(grades)
    }
    return Judgments.of(queries, ids, named)


@pytest.fixture(scope="session")
def hold() -> Hold:
    """hold(lists, grades, documents, threshold=1): a run held against judgments, all by number."""

    def held(lists: Lists, grades: Grades, documents: int, threshold: float = 1.0) -> Judged:
        return judge(run_of(lists, documents), judgments_of(grades, documents), threshold)

    return held


@pytest.fixture(scope="session")
def make_run() -> Callable[..., Run]:
    return run_of


@pytest.fixture(scope="session")
def make_judgments() -> Callable[..., Judgments]:
    return judgments_of


def tied_run_of(lists: Sequence[Sequence[tuple[int, float]]], documents: int) -> Run:
    """A run over documents d0, d1, … from lists of (document number, score), in the order of the input."""
    queries = Ids(f"q{at}" for at in range(len(lists)))
    ids = Ids(f"d{at}" for at in range(documents))
    ranked = {f"q{query}": [(f"d{document}", score) for document, score in row] for query, row in enumerate(lists)}
    return Run.of("tied", queries, ids, ranked)


@pytest.fixture(scope="session")
def make_tied_run() -> Callable[..., Run]:
    return tied_run_of


Defined = Callable[[Measure, Sequence[int], Mapping[int, float], float], Fraction | None]


@pytest.fixture(scope="session")
def by_definition() -> Defined:
    """by_definition(measure, ranked, grades, threshold): the value of one list, in fractions; None where undefined.

    Logarithms are taken as the fractions that their floats are.
    """
    return _by_definition


def _by_definition(
    measure: Measure, ranked: Sequence[int], grades: Mapping[int, float], threshold: float
) -> Fraction | None:
    threshold = threshold if measure.rel is None else measure.rel
    judged = {document: grade for document, grade in grades.items() if grade >= 0}
    if measure.judged_only:
        ranked = [document for document in ranked if document in judged]
    gold = {document for document, grade in judged.items() if grade >= threshold}
    within = ranked[: measure.k]
    if measure.name in ("Judged", "Unjudged"):
        share = Fraction(sum(document in judged for document in within), len(within)) if within else None
        return share if share is None or measure.name == "Judged" else 1 - share
    if measure.name in ("nDCG", "nDCGRetrieved"):
        known = judged if measure.name == "nDCG" else {document: judged.get(document, 0.0) for document in within}
        return _ndcg(measure, within, known)
    hits = [document in gold for document in within]
    if measure.name == "FirstRel":
        return Fraction(hits.index(True) + 1) if any(hits) else None
    return _of_gold(measure, ranked, hits, judged, gold) if gold else Fraction(0)


def _of_gold(
    measure: Measure, ranked: Sequence[int], hits: Sequence[bool], judged: Mapping[int, float], gold: set[int]
) -> Fraction:
    ranks = [rank for rank, hit in enumerate(hits, 1) if hit]
    if measure.name == "Bpref":
        return _bpref(ranked, judged, gold)
    if measure.name == "APRetrieved":
        nth = sum((Fraction(nth, rank) for nth, rank in enumerate(ranks, 1)), Fraction(0))
        return nth / len(ranks) if ranks else nth
    if measure.name == "AP":
        return sum((Fraction(nth, rank) for nth, rank in enumerate(ranks, 1)), Fraction(0)) / len(gold)
    return {
        "Hit": lambda: Fraction(any(hits)),
        "P": lambda: Fraction(sum(hits), measure.k or 1),
        "Recall": lambda: Fraction(sum(hits), len(gold)),
        "CappedRecall": lambda: Fraction(sum(hits), min(len(gold), measure.k or len(gold))),
        "Rprec": lambda: Fraction(sum(hits[: len(gold)]), len(gold)),
        "RR": lambda: Fraction(1, ranks[0]) if ranks else Fraction(0),
    }[measure.name]()


def _bpref(ranked: Sequence[int], judged: Mapping[int, float], gold: set[int]) -> Fraction:
    """As trec_eval's m_bpref.c counts."""
    passed, total = 0, Fraction(0)
    most = min(len(gold), len(judged) - len(gold))
    for document in ranked:
        if document in gold:
            total += 1 - Fraction(min(passed, len(gold)), most) if passed else 1
        elif document in judged:
            passed += 1
    return total / len(gold)


def _ndcg(measure: Measure, within: Sequence[int], judged: Mapping[int, float]) -> Fraction:
    def gain(grades: Sequence[float]) -> Fraction:
        gains = [Fraction(2**grade - 1 if measure.gains == "exp" else grade) for grade in grades]
        return sum((gain * Fraction(1 / log2(rank + 1)) for rank, gain in enumerate(gains, 1)), Fraction(0))

    best = gain(sorted(judged.values(), reverse=True)[: measure.k])
    return gain([judged.get(document, 0.0) for document in within]) / best if best else Fraction(0)
