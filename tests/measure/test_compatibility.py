"""One benchmark's own AP and nDCG: literal cases, the definition over all orders of ties."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import chain, permutations, product
from math import log2

import numpy as np
import pytest

from askance.core.errors import BadInput
from askance.data.judgments import Judgments
from askance.data.run import Run
from askance.measure.compatibility import AP_RETRIEVED, NDCG_RETRIEVED, grade_of
from askance.measure.judged import Judged
from askance.measure.measures import Measure
from askance.measure.order import judge_by

Hold = Callable[..., Judged]
MakeTied = Callable[..., Run]
MakeJudgments = Callable[..., Judgments]


def ap_of(grades: Sequence[float], k: int | None) -> float:
    """As the benchmark computes it: precision at the relevant among the first k, over how many there are."""
    ranks = [rank for rank, grade in enumerate(grades[:k], 1) if grade >= 1]
    return sum(nth / rank for nth, rank in enumerate(ranks, 1)) / len(ranks) if ranks else 0.0


def ndcg_of(grades: Sequence[float], k: int | None) -> float:
    def gained(listed: Sequence[float]) -> float:
        return sum(grade / log2(rank + 1) for rank, grade in enumerate(listed, 1))

    best = gained(sorted(grades[:k], reverse=True))
    return gained(grades[:k]) / best if best else 0.0


@pytest.mark.parametrize(
    ("grades", "k", "ap", "ndcg"),
    [
        ({3: 1, 1: 0, 4: 1}, 10, (1 + 2 / 3) / 2, (1 + 1 / 2) / (1 + 1 / log2(3))),
        ({3: 1, 0: 1, 2: 1}, 1, 1.0, 1.0),  # one of three found, at rank 1: the benchmark asks no more
        ({0: 3, 2: 1}, 10, (1 / 4 + 2 / 5) / 2, (3 / log2(5) + 1 / log2(6)) / (3 + 1 / log2(3))),
        ({0: 1}, 3, 0.0, 0.0),
        ({}, 10, 0.0, 0.0),
        ({1: 2}, None, 1 / 2, 1 / log2(3)),
    ],
)
def test_literal_values(hold: Hold, grades: dict[int, float], k: int | None, ap: float, ndcg: float) -> None:
    judged = hold([[3, 1, 4, 0, 2]], [grades], 5)
    assert AP_RETRIEVED.compute(judged, k) == pytest.approx([ap], abs=1e-15)
    assert NDCG_RETRIEVED.compute(judged, k) == pytest.approx([ndcg], abs=1e-15)


def test_the_standard_measure_beside_it(hold: Hold) -> None:
    judged = hold([[3, 1, 4, 0, 2]], [dict.fromkeys(range(5), 1.0) | {1: 0.0}], 5)
    assert Measure("AP", 1).compute(judged) == pytest.approx([1 / 4])
    assert AP_RETRIEVED.compute(judged, 1) == pytest.approx([1.0])


def compositions(length: int) -> Iterator[tuple[int, ...]]:
    if not length:
        yield ()
    for first in range(1, length + 1):
        for rest in compositions(length - first):
            yield (first, *rest)


def orders(groups: Sequence[Sequence[float]]) -> Iterator[list[float]]:
    for order in product(*(permutations(group) for group in groups)):
        yield list(chain(*order))


@pytest.mark.parametrize("k", [None, 1, 2, 3, 4])
def test_the_value_is_the_mean_over_all_orders_of_ties(
    make_tied_run: MakeTied, make_judgments: MakeJudgments, k: int | None
) -> None:
    rng = np.random.default_rng(11)
    worlds = []
    for sizes in compositions(5):
        for _ in range(6):
            grades = rng.choice([0.0, 1.0, 2.0, 3.0], size=5).tolist()
            ends = np.cumsum(sizes).tolist()
            worlds.append([grades[end - size : end] for size, end in zip(sizes, ends, strict=True)])
    lists, judged_grades = [], []
    for groups in worlds:
        flat = list(chain(*groups))
        scores = [float(-number) for number, group in enumerate(groups) for _ in group]
        lists.append(list(enumerate(scores)))
        judged_grades.append({at: grade for at, grade in enumerate(flat) if grade or at % 2})
    judged = judge_by("expected", make_tied_run(lists, 5), make_judgments(judged_grades, 5))
    for compute, definition in ((AP_RETRIEVED.compute, ap_of), (NDCG_RETRIEVED.compute, ndcg_of)):
        expected = [np.mean([definition(order, k) for order in orders(groups)]) for groups in worlds]
        np.testing.assert_allclose(compute(judged, k), expected, rtol=1e-12, atol=1e-15)


def test_a_tie_with_too_many_outcomes_asks_for_an_order(make_tied_run: MakeTied, make_judgments: MakeJudgments) -> None:
    run = make_tied_run([[(at, 0.5) for at in range(40)]], 40)
    judged = judge_by("expected", run, make_judgments([{at: 1.0 + at for at in range(30)}], 40))
    with pytest.raises(BadInput, match="--ties"):
        NDCG_RETRIEVED.compute(judged, 20)
    assert AP_RETRIEVED.compute(judged, 20) > 0


@pytest.mark.parametrize(
    ("score", "grade"), [(0, 0), (3.3, 0), (3.33, 1), (6, 1), (6.65, 1), (6.66, 2), (9.98, 2), (9.99, 3), (10, 3)]
)
def test_grades_of_scores(score: float, grade: int) -> None:
    assert grade_of(score) == grade
