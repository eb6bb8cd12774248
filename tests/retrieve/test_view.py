"""The retriever over views: any retriever within, ties by position or by the texts as they are."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from pydantic import ValidationError
from tests.views.made_goals import templated

from askance.core.errors import StudyProblem, UnknownName
from askance.core.progress import Silent
from askance.data.collection import Excluded
from askance.data.ids import Ids
from askance.data.run import Run
from askance.models.embedder import FakeEmbedder
from askance.models.vectors import VectorStore
from askance.retrieve.registry import RETRIEVERS
from askance.retrieve.retriever import Resources, RetrievalTask
from askance.views.slots import Slots

DOCUMENTS = templated()
QUERIES = ["clean some mug and put it in sink.", "put two pen in desk.", "Heat a zither and put it in the rack"]


def task(depth: int = 1_000, excluded: dict[str, list[str]] | None = None) -> RetrievalTask:
    queries, documents = Ids(["q0", "q1", "q2"]), Ids(f"d{at}" for at in range(len(DOCUMENTS)))
    never = Excluded.of(queries, documents, excluded) if excluded else None
    return RetrievalTask(queries, QUERIES, documents, DOCUMENTS, min(depth, len(DOCUMENTS)), never)


def retrieve(folder: Path, given: RetrievalTask, retriever: str = "view", **settings: Any) -> Run:
    kind = RETRIEVERS.get(retriever)
    resources = Resources(FakeEmbedder(), VectorStore(folder))
    return kind.build(kind.Settings.model_validate(settings), resources).retrieve(given, Silent())


@pytest.mark.parametrize(("over", "inner"), [("dense", {}), ("lexical", {}), ("lexical", {"stemmer": "porter"})])
def test_it_is_the_inner_retriever_on_the_views(tmp_path: Path, over: str, inner: dict[str, str]) -> None:
    slots = Slots.learn(DOCUMENTS)
    given = task()
    viewed = RetrievalTask(
        given.queries, slots.views(QUERIES), given.documents, slots.views(DOCUMENTS), given.depth, given.excluded
    )
    expected = retrieve(tmp_path, viewed, over, **inner)
    found = retrieve(tmp_path, given, over=over, inner=inner)
    assert found.name == "view"
    assert found.document.tobytes() == expected.document.tobytes()
    assert found.score.tobytes() == expected.score.tobytes()


def test_another_object_and_place_is_as_near_as_the_same(tmp_path: Path) -> None:
    documents, scores = retrieve(tmp_path, task()).of_query(0)
    alike = [at for at, text in enumerate(DOCUMENTS) if text.startswith("clean some")]
    assert documents[: len(alike)].tolist() == alike
    assert set(scores[: len(alike)].tolist()) == {1.0}


@pytest.mark.parametrize("over", ["dense", "lexical"])
def test_ties_may_be_broken_by_the_texts_as_they_are(tmp_path: Path, over: str) -> None:
    plain, broken = retrieve(tmp_path, task(), over=over), retrieve(tmp_path, task(), over=over, ties="raw")
    raw = retrieve(tmp_path, task(), over)
    for query in range(3):
        said = dict(zip(*(each.tolist() for each in raw.of_query(query)), strict=True))
        documents, scores = (each.tolist() for each in plain.of_query(query))
        even = [round(score, 6) for score in scores]
        unsaid = dict.fromkeys(documents, -np.inf)
        as_is = {**unsaid, **{at: round(score, 6) for at, score in said.items()}}
        rows = sorted(zip(documents, even, strict=True), key=lambda row: (-row[1], -as_is[row[0]], row[0]))
        found, fine = (each.tolist() for each in broken.of_query(query))
        assert found == [document for document, _ in rows]
        assert [round(score, 6) for score in fine] == pytest.approx([score for _, score in rows], abs=1.1e-6)
        assert fine == sorted(fine, reverse=True)
        for above, below, at, then in zip(fine, fine[1:], found, found[1:], strict=False):
            tied = even[documents.index(at)] == even[documents.index(then)] and as_is[at] == as_is[then]
            assert (above == below) == tied


def test_the_same_object_stands_first_among_what_is_alike(tmp_path: Path) -> None:
    documents, _ = retrieve(tmp_path, task(), over="lexical", ties="raw").of_query(0)
    first = [DOCUMENTS[at] for at in documents[:2]]
    assert all("clean some mug" in text or "in sink" in text for text in first)


def test_depth_and_exclusions_hold(tmp_path: Path) -> None:
    first = retrieve(tmp_path, task(5))
    assert np.diff(first.offsets).tolist() == [5, 5, 5]
    gone = first.documents[int(first.of_query(0)[0][0])]
    for ties in ("position", "raw"):
        without = retrieve(tmp_path, task(5, {"q0": [gone]}), ties=ties)
        assert gone not in [without.documents[int(at)] for at in without.of_query(0)[0]]
        assert len(without.of_query(0)[0]) == 5


def test_views_are_as_told(tmp_path: Path) -> None:
    kept = retrieve(tmp_path, task(), keep=("unita", "unitb"), view={"rules": []})
    raw = Slots.learn(DOCUMENTS).adjusted(keep=("unita", "unitb"))
    assert raw.view(QUERIES[0]).text == "clean some mug and put it in sink"
    best = int(kept.of_query(0)[0][0])
    same = [at for at, text in enumerate(DOCUMENTS) if text == QUERIES[0]]
    assert best in same or not same
    with pytest.raises(UnknownName, match="'unitz'"):
        retrieve(tmp_path, task(), hide=("unitz",))


def test_queries_may_be_learned_from(tmp_path: Path) -> None:
    kind = RETRIEVERS.get("view")
    for queries, known in ((False, False), (True, True)):
        settings = kind.Settings.model_validate({"over": "lexical", "queries": queries})
        slots: Slots = kind.build(settings, Resources()).slots(task(), Silent())  # type: ignore[attr-defined]
        assert ("zither" in {*slots.structure, *(word for each in slots.classes for word in each.members)}) == known


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"over": "view"}, "there is no retriever that reads texts 'view'"),
        ({"over": "dens"}, "Did you mean 'dense'"),
        ({"over": "lexical", "inner": {"k1": -1}}, "greater than or equal to 0"),
        ({"inner": {"stemmer": "porter"}}, "Extra inputs are not permitted"),
        ({"ties": "best"}, "Input should be 'position' or 'raw'"),
        ({"view": {"method": "magic"}}, "Input should be"),
    ],
)
def test_settings_that_cannot_be_are_refused(settings: dict[str, Any], message: str) -> None:
    with pytest.raises(ValidationError, match=message):
        RETRIEVERS.get("view").Settings.model_validate(settings)


def test_what_the_inner_retriever_needs_is_asked_for() -> None:
    kind = RETRIEVERS.get("view")
    needs = {
        over: getattr(kind.Settings.model_validate({"over": over}), "needs_model", "") for over in ("dense", "lexical")
    }
    assert needs == {"dense": 'over = "dense"', "lexical": None}
    with pytest.raises(StudyProblem, match="needs a model"):
        kind.build(kind.Settings.model_validate({}), Resources())
