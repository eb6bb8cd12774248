"""Retrievers whose quality is known."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from askance.core.progress import Silent
from askance.data.collection import Excluded
from askance.data.ids import Ids
from askance.data.judgments import Judgments
from askance.data.run import Run
from askance.retrieve.canaries import Oracle
from askance.retrieve.registry import RETRIEVERS
from askance.retrieve.retriever import Resources, RetrievalTask

QUERIES, DOCUMENTS = Ids(f"q{at}" for at in range(400)), Ids(f"d{at}" for at in range(20))


def task(depth: int = 20, excluded: dict[str, list[str]] | None = None) -> RetrievalTask:
    never = Excluded.of(QUERIES, DOCUMENTS, excluded) if excluded else None
    return RetrievalTask(QUERIES, [""] * len(QUERIES), DOCUMENTS, [""] * len(DOCUMENTS), depth, never)


def retrieve(name: str, task: RetrievalTask, **settings: object) -> Run:
    kind = RETRIEVERS.get(name)
    return kind.build(kind.Settings.model_validate(settings), Resources()).retrieve(task, Silent())


def test_random_is_uniform_and_seeded() -> None:
    run = retrieve("random", task())
    places = np.sort(run.matrix(20), axis=1)
    assert (places == np.arange(20)).all()
    first = np.bincount(run.matrix(1)[:, 0], minlength=20)
    assert ((first - 20) ** 2 / 20).sum() < 43.8  # χ², 19 degrees of freedom, p = .001
    assert retrieve("random", task()).document.tobytes() == run.document.tobytes()
    assert retrieve("random", task(), seed=2).document.tobytes() != run.document.tobytes()


def test_a_shorter_list_is_the_top_of_the_longer() -> None:
    assert (retrieve("random", task(3)).document == retrieve("random", task()).top(3).document).all()


def test_constant_is_the_corpus_in_its_order() -> None:
    run = retrieve("constant", task(4))
    assert (run.matrix(4) == np.arange(4)).all()
    assert not run.score.any()


@pytest.mark.parametrize("name", ["random", "constant"])
def test_excluded_documents_are_no_candidates(name: str) -> None:
    run = retrieve(name, task(20, {"q0": ["d0", "d7"]}))
    assert set(run.of_query(0)[0].tolist()) == set(range(20)) - {0, 7}
    assert len(run.of_query(1)[0]) == 20


@given(st.dictionaries(st.sampled_from(DOCUMENTS.names), st.integers(-2, 3), max_size=8))
def test_oracle_ranks_by_grade(grades: dict[str, int]) -> None:
    judgments = Judgments.of(QUERIES, DOCUMENTS, {"q0": grades})
    run = Oracle(judgments).retrieve(task(), Silent())
    found = [DOCUMENTS[int(at)] for at in run.of_query(0)[0]]
    assert found[: len(grades)] == sorted(grades, key=lambda name: (-grades[name], int(name[1:])))
    assert len(found) == 20
