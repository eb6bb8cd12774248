"""Fusion of ranked lists: concrete cases by hand, laws by hypothesis, an oracle in plain Python."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from askance.core.errors import BadInput, DataProblem
from askance.data.ids import Ids
from askance.data.run import Run
from askance.engines.fusion import Ranking, fuse, fuse_runs, lacking
from askance.irl.nodes import FuseKind

Pairs = Sequence[tuple[int, float]]


def ranking(pairs: Pairs) -> Ranking:
    positions = np.array([position for position, _ in pairs], dtype=np.int64)
    return Ranking(positions, np.array([score for _, score in pairs], dtype=np.float64))


def fused(
    lists: Sequence[Pairs],
    kind: FuseKind,
    weights: Sequence[float] = (),
    k: float = 60,
    depth: int = 1000,
    min_score: float | None = None,
) -> list[tuple[int, float]]:
    found = fuse([ranking(each) for each in lists], kind, weights, k, depth, min_score)
    return list(zip(found.positions.tolist(), found.scores.tolist(), strict=True))


def order(lists: Sequence[Pairs], kind: FuseKind, weights: Sequence[float] = ()) -> list[int]:
    return [position for position, _ in fused(lists, kind, weights)]


A, B, C, X, Y = 0, 1, 2, 3, 4


def test_what_both_lists_hold_comes_first_and_a_missing_list_adds_nothing() -> None:
    dense, sparse = [(X, 0.9), (A, 0.8), (Y, 0.7)], [(B, 3.0), (C, 2.0), (Y, 1.0)]
    found = fused([dense, sparse], "rrf")
    assert [position for position, _ in found] == [Y, B, X, A, C]  # b and x tie, a and c tie: by position
    assert dict(found) == pytest.approx({Y: 2 / 63, X: 1 / 61, B: 1 / 61, A: 1 / 62, C: 1 / 62})


@pytest.mark.parametrize(
    ("scores", "expected"),
    [
        ([5.0, 3.0, 1.0], [1.0, 0.5, 0.001]),
        ([2.0, 2.0], [1.0, 1.0]),
        ([7.0], [1.0]),
        ([0.003, 0.0], [1.0, 0.001]),
        ([-1.0, -3.0], [1.0, 0.001]),
    ],
)
def test_minmax_of_one_list(scores: list[float], expected: list[float]) -> None:
    found = fused([list(enumerate(scores))], "minmax")
    assert [score for _, score in found] == expected


def test_minmax_counts_a_missing_list_as_nothing_with_its_weight() -> None:
    found = dict(fused([[(A, 4.0), (B, 2.0)], [(A, 9.0), (C, 1.0)]], "minmax", [3.0, 1.0]))
    assert found == pytest.approx({A: 1.0, B: 3 * 0.001 / 4, C: 0.001 / 4})


def test_sum_of_raw_scores() -> None:
    assert fused([[(A, 2.0), (B, 1.0)], [(B, 5.0)]], "sum", [1.0, 0.5]) == [(B, 3.5), (A, 2.0)]


@pytest.mark.parametrize("kind", ["sum", "rrf", "minmax"])
def test_weights_one_and_nothing_give_the_order_of_the_first_list(kind: FuseKind) -> None:
    first, second = [(C, 3.0), (A, 2.0), (B, 1.0)], [(B, 9.0), (Y, 8.0), (X, 7.0)]
    assert order([first, second], kind, [1.0, 0.0]) == [C, A, B, X, Y]  # the second's own follow, by position


@pytest.mark.parametrize("kind", ["sum", "rrf", "minmax"])
def test_an_empty_list_leaves_the_other_as_it_is(kind: FuseKind) -> None:
    assert order([[], [(C, 3.0), (A, 2.0)]], kind) == [C, A]
    assert fused([[], []], kind) == []


def test_a_document_twice_in_one_list_counts_at_its_first_place() -> None:
    found = dict(fused([[(A, 3.0), (A, 2.0), (B, 1.0)]], "rrf"))
    assert found == {A: 1 / 61, B: 1 / 62}
    assert dict(fused([[(A, 3.0), (A, 2.0), (B, 1.0)]], "sum")) == {A: 3.0, B: 1.0}


def test_depth_cuts_each_list_and_nothing_else() -> None:
    lists = [[(A, 3.0), (B, 2.0), (C, 1.0)], [(C, 3.0), (X, 2.0), (Y, 1.0)]]
    assert sorted(position for position, _ in fused(lists, "rrf", depth=2)) == [A, B, C, X]
    assert dict(fused(lists, "rrf", depth=2))[C] == 1 / 61


def test_min_score_holds_after_fusion() -> None:
    lists = [[(A, 1.0), (B, 0.5)], [(B, 0.6)]]
    assert fused(lists, "sum", min_score=1.05) == [(B, 1.1)]
    assert fused(lists, "sum", min_score=1.0) == [(B, 1.1), (A, 1.0)]


def test_the_constant_of_rrf() -> None:
    assert fused([[(A, 1.0)]], "rrf", k=2) == [(A, 1 / 3)]
    with pytest.raises(BadInput, match="k of rrf is 0"):
        fused([[(A, 1.0)]], "rrf", k=0)


@pytest.mark.parametrize("weights", [[1.0], [1.0, -1.0], [0.0, 0.0], [1.0, float("nan")], [1.0, float("inf")]])
def test_weights_that_cannot_be(weights: list[float]) -> None:
    with pytest.raises(BadInput, match="weights"):
        fused([[(A, 1.0)], [(B, 1.0)]], "sum", weights)
    with pytest.raises(BadInput, match="no list"):
        fuse([], "sum")


# -- laws

KINDS: st.SearchStrategy[FuseKind] = st.sampled_from(("sum", "rrf", "minmax"))
QUARTERS = st.integers(-40, 400).map(lambda n: n / 4)


@st.composite
def a_list(draw: st.DrawFn) -> list[tuple[int, float]]:
    documents = draw(st.lists(st.integers(0, 12), max_size=10, unique=True))
    scores = sorted((draw(QUARTERS) for _ in documents), reverse=True)
    return list(zip(documents, scores, strict=True))


LISTS = st.lists(a_list(), min_size=1, max_size=4)


def plainly(lists: Sequence[Pairs], kind: FuseKind, weights: Sequence[float], k: float, depth: int) -> dict[int, float]:
    out: dict[int, float] = {}
    for pairs, weight in zip(lists, weights, strict=True):
        pairs = pairs[:depth]
        scores = [score for _, score in pairs]
        for rank, (position, score) in enumerate(pairs, 1):
            if kind == "sum":
                given = weight * score
            elif kind == "rrf":
                given = weight / (k + rank)
            else:
                low, high = min(scores), max(scores)
                share = 1.0 if low == high else (score - low) / (high - low) or 0.001
                given = weight * share / sum(weights)
            out[position] = out.get(position, 0.0) + given
    return out


@settings(deadline=None)
@given(LISTS, KINDS, st.data())
def test_equals_the_definition(lists: list[list[tuple[int, float]]], kind: FuseKind, data: st.DataObject) -> None:
    weights = [data.draw(st.integers(1, 8)) / 4 for _ in lists]
    k, depth = data.draw(st.sampled_from((1, 60))), data.draw(st.integers(0, 12))
    found = fused(lists, kind, weights, k, depth)
    assert dict(found) == pytest.approx(plainly(lists, kind, weights, k, depth))
    assert found == sorted(found, key=lambda pair: (-pair[1], pair[0]))


@settings(deadline=None)
@given(LISTS, KINDS, st.data())
def test_the_order_of_lists_of_one_weight_does_not_matter(
    lists: list[list[tuple[int, float]]], kind: FuseKind, data: st.DataObject
) -> None:
    assert fused(lists, kind) == fused(data.draw(st.permutations(lists)), kind)


@settings(deadline=None)
@given(LISTS, st.sampled_from(("sum", "rrf")), st.data())
def test_a_higher_score_in_one_list_never_lowers_the_fused_score(
    lists: list[list[tuple[int, float]]], kind: FuseKind, data: st.DataObject
) -> None:
    which = data.draw(st.integers(0, len(lists) - 1))
    if not lists[which]:
        return
    at = data.draw(st.integers(0, len(lists[which]) - 1))
    document, score = lists[which][at]
    raised = [*lists[which][:at], (document, score + data.draw(st.integers(0, 80)) / 4), *lists[which][at + 1 :]]
    raised.sort(key=lambda pair: -pair[1])
    before = dict(fused(lists, kind))[document]
    after = dict(fused([*lists[:which], raised, *lists[which + 1 :]], kind))[document]
    assert after >= before - 1e-15


# -- runs


def run(name: str, lists: dict[str, list[tuple[str, float]]], queries: str = "pq", documents: str = "abcd") -> Run:
    return Run.of(name, Ids(queries), Ids(documents), lists)


def test_runs_are_fused_query_by_query() -> None:
    one = run("one", {"p": [("a", 2.0), ("b", 1.0)], "q": [("c", 5.0)]})
    two = run("two", {"p": [("b", 9.0), ("c", 8.0)]})
    found = fuse_runs([one, two], "rrf")
    assert found.name == "rrf(one, two)"
    names = [[found.documents[int(at)] for at in found.of_query(query)[0]] for query in range(2)]
    assert names == [["b", "a", "c"], ["c"]]
    assert found.of_query(0)[1].tolist() == pytest.approx([1 / 61 + 1 / 62, 1 / 61, 1 / 62])
    assert lacking([one, two]) == (0, 1)


@settings(deadline=None)
@given(st.lists(st.tuples(a_list(), a_list(), a_list()), min_size=1, max_size=4), KINDS, st.integers(1, 8))
def test_many_queries_at_once_equal_one_after_the_other(
    rows: list[tuple[list[tuple[int, float]], ...]], kind: FuseKind, depth: int
) -> None:
    queries, documents = Ids(map(str, range(len(rows)))), Ids(map(str, range(13)))
    runs = [
        Run.of(
            f"run {which}",
            queries,
            documents,
            {str(query): [(str(position), score) for position, score in row[which]] for query, row in enumerate(rows)},
        )
        for which in range(3)
    ]
    found = fuse_runs(runs, kind, [1.0, 2.0, 0.5], depth=depth)
    for query, row in enumerate(rows):
        expected = fused(row, kind, [1.0, 2.0, 0.5], depth=depth)
        positions, scores = found.of_query(query)
        assert list(zip(positions.tolist(), scores.tolist(), strict=True)) == expected


def test_runs_over_different_collections_are_not_fused() -> None:
    one = run("one", {"p": [("a", 1.0)]})
    with pytest.raises(DataProblem, match="'one' and 'other' are not over the same"):
        fuse_runs([one, run("other", {}, documents="abce")])
    with pytest.raises(BadInput, match="no list"):
        fuse_runs([])
