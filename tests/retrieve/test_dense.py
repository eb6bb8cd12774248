"""The dense retriever, over a fake embedder and a real store."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from askance.core.errors import StudyProblem
from askance.core.progress import Silent
from askance.data.collection import Excluded
from askance.data.ids import Ids
from askance.data.run import Run
from askance.models.embedder import FakeEmbedder
from askance.models.vectors import VectorStore
from askance.retrieve.registry import RETRIEVERS
from askance.retrieve.retriever import Resources, RetrievalTask

TEXTS = ["put a mug on the desk", "cool some bread", "put a pen on a desk", "cool some bread", "look at the lamp", ""]


def retrieve(folder: Path, task: RetrievalTask) -> Run:
    kind = RETRIEVERS.get("dense")
    resources = Resources(FakeEmbedder(), VectorStore(folder))
    return kind.build(kind.Settings.model_validate({}), resources).retrieve(task, Silent())


def task(depth: int, excluded: dict[str, list[str]] | None = None) -> RetrievalTask:
    queries, documents = Ids(["q0", "q1"]), Ids("abcdef")
    never = Excluded.of(queries, documents, excluded) if excluded else None
    return RetrievalTask(queries, ["cool some bread", "a lamp"], documents, TEXTS, depth, never)


def test_exact_cosine(tmp_path: Path) -> None:
    run = retrieve(tmp_path, task(6))
    embedder = FakeEmbedder()
    cosine = embedder.embed(["cool some bread", "a lamp"], "query") @ embedder.embed(TEXTS, "document").T
    for query in range(2):
        documents, scores = run.of_query(query)
        expected = sorted(range(6), key=lambda at: (-round(float(cosine[query, at]), 6), at))
        assert documents.tolist() == expected
        np.testing.assert_allclose(scores, cosine[query][documents], rtol=0, atol=1e-6)


def test_equal_texts_stand_by_position_and_exclusions_hold(tmp_path: Path) -> None:
    run = retrieve(tmp_path, task(2))
    assert run.of_query(0)[0].tolist() == [1, 3]
    assert run.of_query(0)[1].tolist() == [1.0, 1.0]
    without = retrieve(tmp_path, task(2, {"q0": ["b"]}))
    assert without.of_query(0)[0][0] == 3
    assert len(without.of_query(0)[0]) == len(without.of_query(1)[0]) == 2


def test_the_same_study_gives_the_same_run(tmp_path: Path) -> None:
    first, again = retrieve(tmp_path / "one", task(6)), retrieve(tmp_path / "two", task(6))
    assert first.document.tobytes() == again.document.tobytes()
    assert first.score.tobytes() == again.score.tobytes()


def test_no_model() -> None:
    kind = RETRIEVERS.get("dense")
    with pytest.raises(StudyProblem, match='needs a model.*\n.*model = "minilm"'):
        kind.build(kind.Settings.model_validate({}), Resources())
