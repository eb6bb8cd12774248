"""One order for every measure: sorting by score, and each way to order ties."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from askance.core.errors import BadInput, DataProblem
from askance.data.ids import Ids
from askance.data.judgments import Judgments
from askance.data.rows import offsets_of
from askance.data.run import Run
from askance.measure.measures import Measure
from askance.measure.order import POLICIES, judge_by, ordered

MakeTied = Callable[..., Run]
MakeJudgments = Callable[..., Judgments]

NAMES = ["b", "a", "a1", "a_2", "B", "ä", "a\u0308", "日", "😀", "\uffff", "10", "9", "#c"]
QUERY, DOCUMENTS = Ids(["q"]), Ids(NAMES)


def listed(run: Run, query: int = 0) -> list[str]:
    return [run.documents[int(at)] for at in run.of_query(query)[0]]


def one(rows: list[tuple[str, float]]) -> Run:
    return Run.of("r", QUERY, DOCUMENTS, {"q": rows})


def test_scores_decide_and_equal_ones_stay_where_they_are() -> None:
    run = one([("a", 0.5), ("b", 0.75), ("10", 0.5), ("9", -1.0), ("B", 0.75)])
    for policy in ("input", "expected"):
        assert listed(ordered(run, policy)) == ["b", "B", "a", "10", "9"]
    assert ordered(run, "input").score.tolist() == [0.75, 0.75, 0.5, 0.5, -1.0]


def test_what_is_in_order_is_the_same_run() -> None:
    run = one([("b", 3.0), ("a", 2.0), ("9", 1.0)])
    judgments = Judgments.of(QUERY, DOCUMENTS, {"q": {"a": 1}})
    assert all(ordered(run, policy, judgments) is run for policy in POLICIES)


def test_trec_puts_the_higher_identifier_first_byte_by_byte() -> None:
    found = listed(ordered(one([(name, 1.0) for name in NAMES]), "trec"))
    assert found == sorted(NAMES, key=lambda name: name.encode(), reverse=True)
    assert found[:3] == ["😀", "\uffff", "日"]


@pytest.mark.parametrize(
    ("lower", "higher", "tied"),
    [
        (0.7, 0.70000001, True),
        (0.7, 0.7000001, False),
        (1e300, 1e301, True),
        (-1e301, -1e300, True),
        (0.0, 1e-60, True),
    ],
)
def test_trec_sees_scores_as_32_bit_floats(lower: float, higher: float, tied: bool) -> None:
    run = one([("b", lower), ("a", higher)])
    assert listed(ordered(run, "trec")) == (["b", "a"] if tied else ["a", "b"])
    assert listed(ordered(run, "expected")) == ["a", "b"]


def test_trec_resorts_only_what_becomes_tied() -> None:
    run = one([("a", 0.700000012), ("b", 0.70000001), ("9", 0.7), ("B", 0.9), ("10", 0.1)])
    assert listed(ordered(run, "trec")) == ["B", "b", "a", "9", "10"]


def test_luck_puts_grades_in_order_and_unjudged_documents_last() -> None:
    run = one([("a", 1.0), ("b", 1.0), ("9", 1.0), ("10", 1.0), ("B", 1.0), ("a1", 2.0), ("日", 0.5)])
    judgments = Judgments.of(QUERY, DOCUMENTS, {"q": {"b": 2, "9": 0, "10": 0.5, "B": -2, "日": 3}})
    assert listed(ordered(run, "optimistic", judgments)) == ["a1", "b", "10", "9", "a", "B", "日"]
    assert listed(ordered(run, "pessimistic", judgments)) == ["a1", "a", "B", "9", "10", "b", "日"]


def test_luck_needs_judgments_over_the_same_documents() -> None:
    run = one([("a", 1.0), ("b", 1.0)])
    with pytest.raises(BadInput, match="without judgments"):
        ordered(run, "optimistic")
    with pytest.raises(DataProblem, match="other queries or documents"):
        ordered(run, "pessimistic", Judgments.of(QUERY, Ids(["a", "b"]), {}))


def test_an_unknown_way_is_refused_with_those_there_are() -> None:
    with pytest.raises(BadInput, match="expected, trec, input, optimistic, pessimistic"):
        ordered(one([]), "docid")  # type: ignore[arg-type]


def test_lists_of_nothing() -> None:
    queries = Ids(["q", "r"])
    run = Run.of("r", queries, DOCUMENTS, {})
    judgments = Judgments.of(queries, DOCUMENTS, {"q": {"a": 1}})
    for policy in POLICIES:
        assert Measure("AP").compute(judge_by(policy, run, judgments)).tolist() == [0.0, 0.0]


@st.composite
def runs(draw: st.DrawFn) -> list[list[tuple[int, float]]]:
    scores = st.sampled_from([-1.0, 0.0, -0.0, 0.25, 0.70000001, 0.7, 3e38, 1e39])
    return [
        [(document, draw(scores)) for document in draw(st.permutations(range(12)))[: draw(st.integers(0, 12))]]
        for _ in range(draw(st.integers(1, 5)))
    ]


@given(runs())
def test_every_list_is_sorted_as_a_plain_sort_would(
    make_tied_run: MakeTied, make_judgments: MakeJudgments, lists: list[list[tuple[int, float]]]
) -> None:
    grades = {0: 2.0, 1: 1.0, 2: 0.0, 3: -1.0, 5: 1.0}
    run, judgments = make_tied_run(lists, 12), make_judgments([grades] * len(lists), 12)
    judged = {document: max(grade, -1.0) for document, grade in grades.items()}
    plain: dict[str, Callable[[tuple[int, float]], object]] = {
        "input": lambda row: -row[1],
        "optimistic": lambda row: (-row[1], -judged.get(row[0], -1.0)),
        "pessimistic": lambda row: (-row[1], judged.get(row[0], -1.0)),
        "trec": lambda row: (-_as_float32(row[1]), [-byte for byte in f"d{row[0]}\0".encode()]),
    }
    for policy, key in plain.items():
        found = ordered(run, policy, judgments)  # type: ignore[arg-type]
        for query, row in enumerate(lists):
            expected = sorted(row, key=key)  # type: ignore[arg-type]
            documents, scores = found.of_query(query)
            assert list(zip(documents.tolist(), scores.tolist(), strict=True)) == expected, policy


def _as_float32(score: float) -> float:
    with np.errstate(over="ignore"):
        return float(np.float32(score))


def test_many_lists_of_many_lengths(make_judgments: MakeJudgments) -> None:
    """Segments are sorted in blocks of one length."""
    rng = np.random.default_rng(3)
    lengths = rng.integers(0, 60, 400)
    offsets = offsets_of(lengths)
    documents = np.concatenate([rng.permutation(60)[:length] for length in lengths]).astype(np.int32)
    score = rng.integers(0, 9, len(documents)) / 8
    run = Run("r", Ids(f"q{at}" for at in range(400)), Ids(f"d{at:02}" for at in range(60)), offsets, documents, score)
    found = ordered(run, "trec")
    for query in range(400):
        rows = list(zip(*(column.tolist() for column in run.of_query(query)), strict=True))
        assert found.of_query(query)[0].tolist() == [d for d, _ in sorted(rows, key=lambda row: (-row[1], -row[0]))]
