"""What vectors add where no word of the question stands in the documents, and what they cost where one does.

The published variant of LIMIT small with synonyms is not to be had; a collection of its shape is made from the
package's own lists, once asked by the documents' words and once by others.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from askance.build.limit.settings import LimitSettings
from askance.build.limit.writing import limit_collection
from askance.core.places import cache_folder
from askance.core.progress import Progress
from askance.data.collection import Collection
from askance.data.run import Run
from askance.measure.bootstrap import bootstrap_mean
from askance.measure.intervals import proportion
from askance.models.embedder import Embedder
from askance.models.registry import EMBEDDERS
from askance.models.vectors import VectorStore
from askance.retrieve.irl import IrlRetriever, IrlSettings
from askance.retrieve.lexical import LexicalRetriever, LexicalSettings
from askance.retrieve.retriever import Resources, Retriever
from askance.study.limit.lists import gold_of, task_of
from askance.study.records import estimate_record
from askance.study.reproduce import Added

SHAPE = LimitSettings(seed=1, documents=46, queries=400, items=45)
FIRST = 2


def of_synonyms(limit_small: Collection, progress: Progress) -> Mapping[str, Added]:
    """By row id; MissingExtra where MiniLM cannot run here."""
    kind = EMBEDDERS.get("minilm")
    embedder = kind.build(kind.Settings(), None)
    other_words = limit_collection(SHAPE.model_copy(update={"synonyms": "queries"}))
    same_words = limit_collection(SHAPE)
    found = {
        "synonyms.same-words.bm25.r@2": _recall(_bm25(), same_words, progress),
        "synonyms.bm25.r@2": _recall(_bm25(), other_words, progress),
        "synonyms.lex.r@2": _recall(_irl(None, clauses="lex"), other_words, progress),
        "synonyms.knn.r@2": _recall(_irl(embedder, clauses="knn"), other_words, progress),
        "synonyms.sum.r@2": _recall(_irl(embedder), other_words, progress),
        "synonyms.rrf.r@2": _recall(_irl(embedder, fuse="rrf"), other_words, progress),
    }
    return {**found, **_pushed_out(limit_small, embedder, progress)}


def _pushed_out(collection: Collection, embedder: Embedder, progress: Progress) -> dict[str, Added]:
    """Questions whose gold is first without knn, and not with it."""
    alone = _found(_irl(None, clauses="lex"), collection, progress)
    rows = {}
    for name, retriever in {"sum": _irl(embedder), "rrf": _irl(embedder, fuse="rrf")}.items():
        joined = _found(retriever, collection, progress)
        texts = collection.queries.field("text")
        pushed = [text for text, less in zip(texts, joined < alone, strict=True) if less]
        shown = "; ".join(pushed[:5]) + (" …" if len(pushed) > 5 else "")
        gained = int((joined > alone).sum())
        why = f"{len(pushed)} lose gold, {gained} gain{': ' if pushed else ''}{shown}"
        rows[f"knn.{name}.r@2"] = Added(estimate_record(bootstrap_mean(joined)))
        rows[f"knn.{name}.pushed"] = Added(estimate_record(proportion(len(pushed), len(texts))), why)
    return rows


def _recall(retriever: Retriever, collection: Collection, progress: Progress) -> Added:
    return Added(estimate_record(bootstrap_mean(_found(retriever, collection, progress))))


def _found(retriever: Retriever, collection: Collection, progress: Progress) -> NDArray[np.float64]:
    """The share of gold among the first two, per question."""
    run: Run = retriever.retrieve(task_of(collection, len(collection.documents)), progress)
    names = collection.documents.ids.names
    shares = [
        len({names[at] for at in run.of_query(query)[0][:FIRST]} & gold) / len(gold)
        for query, gold in enumerate(gold_of(collection, next(iter(collection.tiers))))
    ]
    return np.array(shares)


def _bm25() -> Retriever:
    return LexicalRetriever(LexicalSettings())


def _irl(embedder: Embedder | None, **settings: str) -> Retriever:
    vectors = VectorStore(cache_folder("vectors")) if embedder else None
    return IrlRetriever(IrlSettings.model_validate(settings), Resources(embedder, vectors))
