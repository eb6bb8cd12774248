"""The whole lists of a phrase search over LIMIT, and the gold they should begin with."""

from __future__ import annotations

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

from askance.core.progress import Progress
from askance.data.collection import Collection
from askance.engines.embedded.engine import EmbeddedEngine
from askance.retrieve.irl import IrlRetriever, IrlSettings
from askance.retrieve.retriever import Resources, RetrievalTask


@dataclass(frozen=True, eq=False)
class Lists:
    """Per question: its keyword, all documents that match, best first, and its gold.

    `names`: what each document is about, as its fields say; "" where it follows no schema.
    """

    keywords: Sequence[str]
    ranked: Sequence[Sequence[str]]
    gold: Sequence[AbstractSet[str]]
    names: dict[str, str]


def task_of(collection: Collection, depth: int) -> RetrievalTask:
    """All questions of a collection, on the text of its documents."""
    return RetrievalTask(
        queries=collection.queries.ids,
        query_texts=collection.queries.field("text"),
        documents=collection.documents.ids,
        document_texts=collection.documents.field("text"),
        depth=depth,
    )


def phrase_lists(collection: Collection, tier: str, progress: Progress) -> Lists:
    """What a phrase in one text field finds, to the end of each list."""
    retriever = IrlRetriever(IrlSettings(form="text", clauses="lex"), Resources())
    task = task_of(collection, len(collection.documents))
    with retriever.engine(task, progress) as engine:
        rewritten = retriever.rewritten(engine, task.query_texts, progress)
        answers = engine.search_all([one.query for one in rewritten], task.depth)
        gold = gold_of(collection, tier)
        wrong = {
            document
            for answer, right in zip(answers, gold, strict=True)
            for document in answer.documents[: len(right)]
            if document not in right
        }
        names = {document: name_of(engine, document) for document in sorted(wrong)}
    return Lists([one.keyword for one in rewritten], [answer.documents for answer in answers], gold, names)


def gold_of(collection: Collection, tier: str) -> list[AbstractSet[str]]:
    """The gold of each question."""
    found = collection.tier(tier)
    names = collection.documents.ids.names
    rows = map(found.judgments.of_query, range(len(collection.queries)))
    return [
        {names[at] for at, grade in zip(documents, grades, strict=True) if grade >= found.threshold}
        for documents, grades in rows
    ]


def name_of(engine: EmbeddedEngine, document: str) -> str:
    return engine.source(document).fields.name or ""
