"""A change as OpenSearch would have it, tried on a node: what it answers is what the change answers here."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import opensearchpy
import pytest
from tests.diagnose.fixing.test_fix import planted
from tests.engines.opensearch.parity import EMBEDDER

from askance.build.limit.settings import LimitSettings
from askance.build.limit.writing import limit_collection
from askance.core.progress import Silent
from askance.data.collection import Collection
from askance.data.fields.kinds import schema_of
from askance.diagnose.fixing.candidate import Candidate
from askance.diagnose.fixing.case import FixCase
from askance.diagnose.fixing.changes import on_field
from askance.diagnose.fixing.composing import as_it_is, entry, fused, reranked
from askance.diagnose.fixing.mended import Mended
from askance.diagnose.fixing.on_opensearch import opensearch_text
from askance.diagnose.fixing.opening import of_collection
from askance.diagnose.fixing.running import Runner
from askance.engines.fusion import Ranking, fuse
from askance.engines.opensearch.building import Embedding
from askance.engines.opensearch.documents import Packing
from askance.engines.opensearch.meta import Meta
from askance.engines.settings import Indexed
from askance.engines.stored import Source
from askance.irl.nodes import FuseKind
from askance.study.file import RerankerEntry

DEPTH = 20


def case_of(collection: Collection) -> FixCase:
    case = of_collection("planted", collection, retriever="lexical", model=None)
    return replace(case, name="My Planted!", embedders={"letters": EMBEDDER})


def words(case: FixCase, field: str = "text", **settings: Any) -> Candidate:
    return on_field(case, field, "words", "read words otherwise", entry("words", "lexical", None, settings))


def told(case: FixCase, change: Candidate) -> Any:
    """What the file holds, None where there is none."""
    text = opensearch_text(replace(Mended.of(case, as_it_is(case), Runner(case, Silent(), {})), change=change))
    return None if text is None else json.loads(text)


def here(case: FixCase, change: Candidate, question: str) -> list[str]:
    """The list of the change for the question, as fix runs it."""
    run = Runner(case, Silent(), {}).run(change)
    at = case.collection.queries.field("text").index(question)
    documents, _ = run.of_query(at)
    return [run.documents[int(document)] for document in documents[:DEPTH]]


class There:
    """An index made by the template, with the documents of a case, gone when the block ends."""

    def __init__(self, url: str, made: Any, case: FixCase) -> None:
        self.client, self.made, self.case = opensearchpy.OpenSearch(url), made, case
        (self.pattern,) = made["template"]["index_patterns"]
        self.name = self.pattern.replace("*", "1")

    def __enter__(self) -> There:
        self.client.indices.put_index_template(name="made", body=self.made["template"])
        self.client.indices.create(index=self.name)
        meta = Meta.model_validate(self.client.indices.get(index=self.name)[self.name]["mappings"]["_meta"]["askance"])
        packing = Packing(meta.settings)
        schema = schema_of(meta.splits) if meta.splits else None
        documents = self.case.collection.documents
        texts = documents.field(self.made["document"])
        vectors = Embedding.of(meta.settings, EMBEDDER if meta.vectors else None, None).of_texts(texts)
        lines: list[Any] = []
        for at, (id, text, vector) in enumerate(zip(documents.ids, texts, vectors, strict=True)):
            source = Source.of(Indexed(id, text), schema.split({"text": text}) if schema else None)
            lines += [{"index": {"_id": id}}, packing.packed(at, source, vector)]
        assert not self.client.bulk(body=lines, index=self.name, params={"refresh": "true"})["errors"]
        return self

    def __exit__(self, *_: object) -> None:
        self.client.indices.delete_index_template(name="made")
        self.client.indices.delete(index=self.name)
        self.client.close()

    def hits(self, body: Any) -> list[Any]:
        found: list[Any] = self.client.search(index=self.name, body=body)["hits"]["hits"]
        return found


@pytest.fixture(scope="module")
def plain() -> FixCase:
    return case_of(planted(3, field="notes", plural=True))


@pytest.fixture(scope="module")
def items() -> FixCase:
    settings = LimitSettings(seed=3, documents=120, queries=40, gold=1, items=12, padding=80, containment=0.5)
    return case_of(limit_collection(settings))


@pytest.mark.parametrize(
    "settings",
    [{}, {"stemmer": "porter"}, {"stop_words": ["of"], "fold_apostrophes": True}, {"k1": 0.9, "b": 0.4}],
    ids=["field", "stems", "words", "numbers"],
)
def test_words_read_otherwise(plain: FixCase, settings: dict[str, Any], opensearch_url: str) -> None:
    change = words(plain, "notes", **settings)
    made = told(plain, change)
    assert made["document"] == "notes"
    assert made["template"]["index_patterns"] == ["my-planted-*"]
    with There(opensearch_url, made, plain) as there:
        assert [hit["_id"] for hit in there.hits(made["query"])][:DEPTH] == here(plain, change, made["question"])


@pytest.mark.parametrize("form", ["fields", "text"])
def test_expressions(items: FixCase, form: str, opensearch_url: str) -> None:
    change = on_field(items, "text", "fields", "ask for items", entry("fields", "irl", None, {"form": form}))
    made = told(items, change)
    assert made["template"]["template"]["mappings"]["_meta"]["askance"]["schema"]["kind"] == "learned"
    with There(opensearch_url, made, items) as there:
        found = [hit["_id"] for hit in there.hits(made["query"])][:DEPTH]
    assert found
    assert found == here(items, change, made["question"])


@pytest.mark.parametrize("kind", ["rrf", "minmax"])
def test_fusions_are_of_the_lists_that_the_body_asks_for(kind: FuseKind, plain: FixCase, opensearch_url: str) -> None:
    """No node here fuses by itself: its lists are fused here."""
    vectors = on_field(plain, "notes", "near", "search by vectors", entry("near", "dense", "letters", {}))
    change = fused(plain, vectors, kind, (3.0, 1.0), 10)
    made = told(plain, change)
    lists = made["query"]["query"]["hybrid"]["queries"]
    assert len(lists) == 2
    with There(opensearch_url, made, plain) as there:
        rankings = [ranking(there.hits({"query": one, "size": 10, **SORTED}), plain) for one in lists]
    found = fuse(rankings, kind, (3.0, 1.0), depth=10)
    ids = plain.collection.documents.ids
    assert [ids[int(at)] for at in found.positions[:DEPTH]] == here(plain, change, made["question"])


SORTED = {"sort": [{"_score": "desc"}, {"position": "asc"}]}


def ranking(hits: Sequence[Any], case: FixCase) -> Ranking:
    position = {id: at for at, id in enumerate(case.collection.documents.ids)}
    scores = np.array([hit["sort"][0] for hit in hits], dtype=np.float64)
    return Ranking(np.array([position[hit["_id"]] for hit in hits], dtype=np.int64), scores)


def test_what_one_index_and_one_search_cannot_be_told(plain: FixCase) -> None:
    stemmed = words(plain, stemmer="porter")
    reranker = RerankerEntry.model_validate({"name": "n", "reranker": "agreement", "tokens": "numbers"})
    assert told(plain, stemmed) is not None
    assert told(plain, reranked(stemmed, reranker, "re-sort")) is None
    assert told(plain, fused(plain, stemmed)) is None  # one index reads words in one way
    assert told(plain, fused(plain, words(plain), "sum")) is None  # no server adds lists up
    assert told(plain, words(plain, lengths="exact")) is None
    view = entry("view", "view", None, {"over": "lexical"})
    assert told(plain, on_field(plain, "text", "view", "views", view)) is None
