"""Exact vector search against a plain sort of all scores."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from askance.core.errors import DataProblem
from askance.core.progress import Recorder
from askance.data.collection import Excluded
from askance.data.ids import Ids
from askance.engines import exact_vectors
from askance.engines.exact_vectors import nearest


def lists(found: exact_vectors.Ranked) -> list[list[tuple[int, float]]]:
    bounds = zip(found.offsets, found.offsets[1:], strict=False)
    pairs = list(zip(found.document.tolist(), found.score.tolist(), strict=True))
    return [pairs[start:end] for start, end in bounds]


@st.composite
def problems(draw: st.DrawFn) -> tuple[np.ndarray, np.ndarray, np.ndarray, int, list[list[int]], tuple[int, int]]:
    distinct = draw(st.integers(1, 40))
    numbers = st.integers(-2, 2)  # products are exact, and ties are many
    vectors = np.array(
        draw(st.lists(st.tuples(numbers, numbers), min_size=distinct, max_size=distinct)), dtype=np.float32
    )
    rows = st.lists(st.integers(0, distinct - 1), max_size=60)
    queries, documents = np.array(draw(rows), dtype=np.int64), np.array(draw(rows), dtype=np.int64)
    some = st.lists(st.integers(0, max(len(documents) - 1, 0)), max_size=5, unique=True)
    excluded = [sorted(draw(some)) if len(documents) else [] for _ in queries]
    blocks = draw(st.tuples(st.integers(1, 9), st.integers(1, 50)))
    return vectors, queries, documents, draw(st.integers(0, 70)), excluded, blocks


@given(problems(), st.booleans(), st.sampled_from([0.0, 0.1, 3.0]), st.sampled_from([1, 1_000]))
def test_equals_a_plain_sort(problem: tuple, exclude: bool, stray: float, scale: int) -> None:  # type: ignore[type-arg]
    """Also where rows of others lie among the documents', and where scores are too large to be sorted as numbers."""
    vectors, queries, documents, depth, excluded, blocks = problem
    vectors = vectors * np.float32(scale)
    never = None
    if exclude:
        ids = Ids(map(str, range(len(documents))))
        asked = Ids(map(str, range(len(queries))))
        never = Excluded.of(asked, ids, {str(query): [str(d) for d in row] for query, row in enumerate(excluded)})
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(exact_vectors, "_QUERIES", blocks[0])
        patch.setattr(exact_vectors, "_DOCUMENTS", blocks[1])
        patch.setattr(exact_vectors, "_STRAY", stray)
        found = lists(nearest(vectors, queries, documents, depth, never))
    for query, row in enumerate(queries):
        scores = [float(vectors[row] @ vectors[at]) for at in documents]
        allowed = [at for at in range(len(documents)) if not (exclude and at in excluded[query])]
        expected = sorted(allowed, key=lambda at: (-scores[at], at))[:depth]
        assert found[query] == [(at, scores[at]) for at in expected]


@pytest.mark.parametrize("depth", [1, 10, 700])
def test_real_numbers(depth: int) -> None:
    drawn = np.random.default_rng(7).standard_normal((3_050, 24)).astype(np.float32)
    vectors = drawn / np.linalg.norm(drawn, axis=1, keepdims=True)
    rows = np.arange(len(vectors))
    exact = vectors[3_000:].astype(np.float64) @ vectors[:3_000].astype(np.float64).T
    for query, found in enumerate(lists(nearest(vectors, rows[3_000:], rows[:3_000], depth))):
        best = np.sort(exact[query])[::-1][:depth]
        np.testing.assert_allclose([score for _, score in found], best, rtol=0, atol=2e-6)
        np.testing.assert_allclose([exact[query, at] for at, _ in found], best, rtol=0, atol=2e-6)
        assert [(-score, at) for at, score in found] == sorted((-score, at) for at, score in found)
        assert all(score == round(score, 6) for _, score in found)


def test_scores_closer_than_the_rounding_are_ties() -> None:
    vectors = np.array([[1.0], [0.5], [0.5000002], [0.5000020]], dtype=np.float32)
    found = nearest(vectors, np.array([0]), np.array([1, 2, 3]), 3)
    assert found.document.tolist() == [2, 0, 1]
    assert found.score.tolist() == [0.500002, 0.5, 0.5]


def test_equal_texts_have_equal_scores_wherever_they_stand() -> None:
    drawn = np.random.default_rng(3).standard_normal((400, 384)).astype(np.float32)
    vectors = drawn / np.linalg.norm(drawn, axis=1, keepdims=True)
    documents = np.concatenate([np.arange(399), np.arange(399)])
    found = nearest(vectors, np.array([399, 399]), documents, 798)
    assert (found.document[0:798:2] + 399 == found.document[1:798:2]).all()
    assert (found.score[0:798:2] == found.score[1:798:2]).all()
    assert (found.document[:798] == found.document[798:]).all()


def test_a_score_that_is_no_number_is_an_error() -> None:
    vectors = np.ones((600, 2), dtype=np.float32)
    for broken in (0, 255, 599):
        holed = vectors.copy()
        holed[broken, 0] = np.nan
        with pytest.raises(DataProblem, match="not a number"):
            nearest(holed, np.array([1]), np.arange(600), 3)


def test_progress_counts_queries_per_block(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(exact_vectors, "_DOCUMENTS", 4)
    told = Recorder()
    nearest(np.eye(6, dtype=np.float32), np.array([0, 1, 1]), np.arange(6), 2, None, told)
    total = sum(units or 0 for event, _, units in told.events if event == "advance")
    assert told.events[0] == ("start", "compare vectors", total)
    assert total == 4
