"""The lexical retriever."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from askance.core.progress import Recorder, Silent
from askance.data.adapters import limit
from askance.data.collection import Excluded
from askance.data.ids import Ids
from askance.data.run import Run
from askance.engines.bm25 import BM25Index
from askance.retrieve.lexical import LexicalRetriever, LexicalSettings
from askance.retrieve.registry import RETRIEVERS
from askance.retrieve.retriever import Resources, RetrievalTask
from askance.text.analyzer import Analyzer

DOCUMENTS = ["Ann likes Snow Leopards.", "Bob likes Snow.", "Cy hates everything.", "Di likes a Leopard."]


def task(queries: list[str], depth: int = 10, excluded: dict[str, list[str]] | None = None) -> RetrievalTask:
    asked, documents = Ids(f"q{at}" for at in range(len(queries))), Ids("abcd")
    never = Excluded.of(asked, documents, excluded) if excluded is not None else None
    return RetrievalTask(asked, queries, documents, DOCUMENTS, depth, never)


def retrieve(task: RetrievalTask, **settings: object) -> Run:
    kind = RETRIEVERS.get("lexical")
    return kind.build(kind.Settings.model_validate(settings), Resources()).retrieve(task, Silent())


def names(run: Run, query: int) -> list[str]:
    return [run.documents[int(at)] for at in run.of_query(query)[0]]


def test_documents_that_share_a_term() -> None:
    run = retrieve(task(["snow leopards", "nothing here", "LIKES?"]))
    assert [names(run, query) for query in range(3)] == [["a", "b"], [], ["b", "a", "d"]]


def test_stemmed() -> None:
    assert names(retrieve(task(["leopard"]), stemmer="porter"), 0) == ["a", "d"]
    assert names(retrieve(task(["leopard"])), 0) == ["d"]


def test_excluded_documents_give_way_to_the_next() -> None:
    run = retrieve(task(["likes", "likes"], 2, {"q1": ["b", "c"]}))
    assert [names(run, query) for query in range(2)] == [["b", "a"], ["a", "d"]]


@given(st.lists(st.sampled_from(["snow likes", "ann", "leopard leopards", ""]), max_size=4), st.integers(0, 5))
def test_is_the_engine_query_by_query(queries: list[str], depth: int) -> None:
    run = retrieve(task(queries, depth), lengths="exact", k1=0.9)
    index = BM25Index(DOCUMENTS, Analyzer(), k1=0.9, lengths="exact")
    for query, text in enumerate(queries):
        for ours, theirs in zip(run.of_query(query), index.search(text, depth), strict=True):
            np.testing.assert_array_equal(ours, theirs)


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"stemmer": "portr"}, "there is no stemmer 'portr'\\s+Did you mean 'porter'"),
        ({"k1": -1}, "greater than or equal to 0"),
        ({"k1": float("nan")}, "finite"),
        ({"b": 1.5}, "less than or equal to 1"),
        ({"lengths": "short"}, "'lucene' or 'exact'"),
        ({"stem": "porter"}, "Extra inputs"),
    ],
)
def test_settings_that_will_not_do(settings: dict[str, object], said: str) -> None:
    with pytest.raises(ValidationError, match=said):
        LexicalSettings.model_validate(settings)


@pytest.mark.parametrize("queries", [0, 1, 500, 501, 1200])
def test_progress_adds_up(queries: int) -> None:
    told = Recorder()
    LexicalRetriever(LexicalSettings()).retrieve(task(["snow"] * queries), told)
    for name, total in (("index words", 4), ("search by words", queries)):
        events = [(event, units) for event, about, units in told.events if about == name]
        assert events[0] == ("start", total)
        assert sum(units or 0 for event, units in events if event == "advance") == total
        assert events[-1] == ("finish", None)


@pytest.mark.parametrize(
    ("settings", "recall"),
    [({}, 0.991), ({"lengths": "exact"}, 0.9915), ({"stemmer": "porter", "lengths": "exact"}, 0.979)],
)
def test_limit_small(shared_data: Path, settings: dict[str, object], recall: float) -> None:
    """Recall@2 as measured on this data by others, with Lucene's formula."""
    collection = limit.load(shared_data)
    queries, documents = collection.queries, collection.documents
    run = retrieve(
        RetrievalTask(queries.ids, queries.field("text"), documents.ids, documents.field("text"), 2), **settings
    )
    judgments = collection.tier("likes").judgments
    found = [np.isin(judgments.of_query(query)[0], run.of_query(query)[0]).mean() for query in range(len(queries))]
    assert np.mean(found) == pytest.approx(recall, abs=1e-9)
