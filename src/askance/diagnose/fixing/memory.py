"""What candidates of one case share: slots are learned once a field, and a text is embedded once."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import cast

import numpy as np
from pydantic import BaseModel

from askance.core.progress import Progress
from askance.models.embedder import Embedder, Kind, Vectors
from askance.models.vectors import VectorSet, VectorStore
from askance.retrieve.retriever import Resources, RetrievalTask
from askance.retrieve.view import ViewRetriever, ViewSettings
from askance.views.classes import SlotSettings
from askance.views.slots import Slots

Learn = Callable[[SlotSettings, bool], Slots]


class SharedSlots:
    """Slots by what they depend on: the field, how they are learned, whether the queries' texts are read as well."""

    def __init__(self, documents: Callable[[str], Sequence[str]], queries: Sequence[str]) -> None:
        self._documents, self._queries = documents, queries
        self._learned: dict[str, Slots] = {}

    def of(self, field: str, settings: SlotSettings, queries: bool = False) -> Slots:
        """The slots of a field of the documents, as learned: nothing kept or hidden on top."""
        key = f"{field}\n{queries}\n{settings.model_dump_json()}"
        if key not in self._learned:
            self._learned[key] = Slots.learn(self._documents(field), self._queries if queries else None, settings)
        return self._learned[key]


class SharedView(ViewRetriever):
    """Retrieval over views whose slots were learned already."""

    learn: Learn

    @classmethod
    def over(cls, settings: BaseModel, resources: Resources, learn: Learn) -> SharedView:
        """As `build`; `learn` gives the slots for settings, of the texts that the task will have."""
        made = cast(SharedView, cls.build(settings, resources))
        made.learn = learn
        return made

    def slots(self, task: RetrievalTask, progress: Progress) -> Slots:
        """The shared slots, with what these settings keep and hide."""
        told: ViewSettings = self.settings
        return self.learn(told.view, told.queries).adjusted(told.keep, told.hide)


class TextVectors(VectorStore):
    """A store that asks the disk, or the model, only for texts that no earlier set of this process had.

    A first set is opened whole: it is the one that a study of the same texts has. Later ones are made of what is known
    and of a set of the new texts alone, which is kept as any other. A vector depends a little (4e-8) on its batch
    mates, and scores are rounded before they order.
    """

    def __init__(self, store: VectorStore) -> None:
        super().__init__(store.root, store.batch)
        self._known: dict[str, dict[tuple[Kind, str], Vectors]] = {}

    def open(
        self,
        embedder: Embedder,
        queries: Sequence[str],
        documents: Sequence[str],
        progress: Progress | None = None,
    ) -> VectorSet:
        """As VectorStore.open."""
        card = embedder.card
        kind: Kind = "document" if card.symmetric else "query"
        known = self._known.setdefault(card.fingerprint, {})
        new_queries = [text for text in dict.fromkeys(queries) if (kind, text) not in known]
        new_documents = [text for text in dict.fromkeys(documents) if ("document", text) not in known]
        embedded, damaged = 0, 0
        if new_queries or new_documents:
            found = super().open(embedder, new_queries, new_documents, progress)
            embedded, damaged = found.embedded, found.damaged
            known.update(((kind, text), found.unique[row]) for text, row in _pairs(new_queries, found.query_rows))
            known.update(
                (("document", text), found.unique[row]) for text, row in _pairs(new_documents, found.document_rows)
            )
        asked: list[tuple[Kind, str]] = [
            *((kind, text) for text in queries),
            *(("document", text) for text in documents),
        ]
        row_of = {item: row for row, item in enumerate(dict.fromkeys(asked))}
        unique = np.empty((len(row_of), card.dimension), dtype=np.float32)
        for item, row in row_of.items():
            unique[row] = known[item]
        rows = np.array([row_of[item] for item in asked], dtype=np.int64)
        return VectorSet(unique, rows[: len(queries)], rows[len(queries) :], embedded, damaged)


def _pairs(texts: Sequence[str], rows: np.ndarray[tuple[int, ...], np.dtype[np.int64]]) -> list[tuple[str, int]]:
    return [(text, int(row)) for text, row in zip(texts, rows, strict=True)]
