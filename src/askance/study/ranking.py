"""The ranked lists of a domain: each made once, kept in the result folder, found again by what it was made from."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

import numpy as np

from askance.core.places import cache_folder
from askance.core.progress import Progress
from askance.data.collection import Collection
from askance.data.run import Run
from askance.models.embedder import Embedder
from askance.models.ledger import Ledger
from askance.models.vectors import VectorStore
from askance.rerank.registry import RERANKERS
from askance.rerank.reranker import RerankTask
from askance.retrieve.registry import RETRIEVERS
from askance.retrieve.retriever import Resources, RetrievalTask
from askance.retrieve.view import ViewRetriever, ViewSettings
from askance.study.choices import compared_in
from askance.study.file import DomainEntry, RerankerEntry, StudyEntry, SystemEntry, TextsEntry
from askance.study.folder import ResultFolder, key_of


@dataclass(frozen=True)
class Desk:
    """What all steps of one domain need: its name and entry, its collection, the models, where results go."""

    name: str
    entry: DomainEntry
    collection: Collection
    models: Mapping[str, Embedder]
    folder: ResultFolder
    study: StudyEntry
    progress: Progress
    ledger: Ledger | None = None

    @property
    def compared(self) -> TextsEntry:
        """Which fields are compared word by word."""
        return compared_in(self.entry, self.collection)

    def texts(self, which: TextsEntry) -> tuple[Sequence[str], Sequence[str]]:
        """The texts of queries and documents that `which` names."""
        return self.collection.queries.field(which.query), self.collection.documents.field(which.document)


@dataclass(frozen=True)
class Ranked:
    """A system and its run; `cut`: documents of which its model reads only a part, None where that is not known.

    Counted is what the model is given: over views, the views. `settings`: as they were understood; of a view also
    "slots", its classes with some members and how each was decided.
    """

    entry: SystemEntry
    settings: Mapping[str, Any]
    run: Run
    key: str
    cut: int | None


@dataclass(frozen=True)
class Reranked:
    """A reranker, the system whose lists it took, and what it made of them."""

    entry: RerankerEntry
    settings: Mapping[str, Any]
    system: Ranked
    run: Run


def rank(desk: Desk, entry: SystemEntry, earlier: Mapping[str, Ranked] = MappingProxyType({})) -> Ranked:
    """The run of one system: the kept one where it was made from the same texts, settings, model and earlier runs.

    `earlier`: the systems of the domain that stand before it, by name.
    """
    kind = RETRIEVERS.get(entry.retriever)
    settings = kind.Settings.model_validate(entry.settings)
    model = desk.models[entry.model] if entry.model else None
    queries, documents = desk.texts(desk.entry.embed)
    depth = min(desk.study.depth, len(desk.collection.documents))
    over = [earlier[name] for name in getattr(settings, "of", ())]
    key = key_of(
        {
            "retriever": entry.retriever,
            "settings": settings.model_dump(mode="json"),
            "model": model.card.fingerprint if model else None,
            "queries": [*desk.collection.queries.ids, *queries],
            "documents": [*desk.collection.documents.ids, *documents],
            "excluded": _excluded(desk.collection),
            "depth": depth,
            **({"over": [system.key for system in over]} if over else {}),
        }
    )
    task = RetrievalTask(
        queries=desk.collection.queries.ids,
        query_texts=queries,
        documents=desk.collection.documents.ids,
        document_texts=documents,
        depth=depth,
        excluded=desk.collection.excluded,
    )
    resources = Resources(
        embedder=model,
        vectors=VectorStore(cache_folder("vectors")) if model else None,
        ledger=desk.ledger,
        runs={system.entry.name: system.run for system in over},
        beside=desk.folder.manifest.beside,
    )
    view = ViewRetriever.build(settings, resources) if isinstance(settings, ViewSettings) else None
    run = _kept_or_made(
        desk, entry.name, key, lambda: (view or kind.build(settings, resources)).retrieve(task, desk.progress)
    )
    said = settings.model_dump(mode="json")
    if view is not None:
        reading = view.reading(task, desk.progress)
        documents, said = reading.documents, {**said, "slots": "; ".join(note.rstrip(".") for note in reading.notes)}
    return Ranked(entry, said, run, key, _cut(model, documents))


def rerank(desk: Desk, system: Ranked, entry: RerankerEntry) -> Reranked:
    """What one reranker makes of one system's lists."""
    kind = RERANKERS.get(entry.reranker)
    settings = kind.Settings.model_validate(entry.settings)
    queries, documents = desk.texts(desk.compared)
    key = key_of(
        {
            "reranker": entry.reranker,
            "settings": settings.model_dump(mode="json"),
            "first": entry.first,
            "over": system.key,
            "queries": list(queries),
            "documents": list(documents),
        }
    )
    task = RerankTask(query_texts=queries, document_texts=documents, first=entry.first)
    run = _kept_or_made(
        desk, f"{system.entry.name}+{entry.name}", key, lambda: kind.build(settings).rerank(system.run, task)
    )
    return Reranked(entry, settings.model_dump(mode="json"), system, run)


def _kept_or_made(desk: Desk, name: str, key: str, make: Callable[[], Run]) -> Run:
    place = f"{desk.name}/{name}"
    kept = desk.folder.kept_run(place, key, desk.collection.queries.ids, desk.collection.documents.ids)
    if kept is not None:
        return kept
    began = time.monotonic()
    made = make()
    desk.folder.keep_run(place, key, made, time.monotonic() - began)
    return made


def _excluded(collection: Collection) -> list[list[int]] | None:
    if collection.excluded is None:
        return None
    return [collection.excluded.of_query(query).tolist() for query in range(len(collection.queries))]


def _cut(model: Embedder | None, documents: Sequence[str]) -> int | None:
    if model is None or model.card.max_tokens is None:
        return None
    counts = model.token_counts(documents)
    return None if counts is None else int(np.count_nonzero(counts > model.card.max_tokens))
