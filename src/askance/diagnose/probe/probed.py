"""What is probed: anything that ranks documents for texts it has not seen."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from askance.core.errors import BadInput
from askance.core.progress import Progress
from askance.data.run import Run
from askance.models.embedder import Embedder
from askance.models.ledger import Ledger
from askance.models.vectors import VectorSet, VectorStore
from askance.retrieve.registry import RETRIEVERS
from askance.retrieve.retriever import Resources, RetrievalTask


class Probed(Protocol):
    """A system under probe. `edits_documents`: whether it can be asked over documents that were edited."""

    @property
    def name(self) -> str: ...

    @property
    def label(self) -> str: ...

    @property
    def edits_documents(self) -> bool: ...

    def run(self, task: RetrievalTask, progress: Progress) -> Run:
        """Ranked lists over exactly the documents of the task."""


@dataclass
class RetrieverProbed:
    """A retriever of the registry. `of`: those whose lists it takes, by name, run on the same task before it."""

    name: str
    label: str
    retriever: str
    settings: Mapping[str, Any] = field(default_factory=dict)
    embedder: Embedder | None = None
    store: Path | None = None
    ledger: Ledger | None = None
    of: Sequence[RetrieverProbed] = ()
    beside: Path | None = None
    edits_documents: bool = True

    def run(self, task: RetrievalTask, progress: Progress) -> Run:
        kind = RETRIEVERS.get(self.retriever)
        settings = kind.Settings.model_validate(self.settings)
        if self.embedder is not None and self.store is None:
            raise BadInput(f"{self.name}: there is no place for vectors", remedy="Give RetrieverProbed a `store`.")
        resources = Resources(
            embedder=self.embedder,
            vectors=DocumentsApart(self.store) if self.store is not None and self.embedder is not None else None,
            ledger=self.ledger,
            runs={one.name: one.run(task, progress) for one in self.of},
            beside=self.beside,
        )
        return kind.build(settings, resources).retrieve(task, progress)


class DocumentsApart(VectorStore):
    """Vectors of documents and of queries in sets of their own, so that other edits embed no document again."""

    def open(
        self,
        embedder: Embedder,
        queries: Sequence[str],
        documents: Sequence[str],
        progress: Progress | None = None,
    ) -> VectorSet:
        """As VectorStore.open; a text that is both a query and a document has two vectors."""
        base = super().open(embedder, (), documents, progress)
        asked = super().open(embedder, queries, (), progress)
        return replace(
            asked,
            unique=np.concatenate([asked.unique, base.unique]),
            document_rows=base.document_rows + len(asked.unique),
            embedded=asked.embedded + base.embedded,
            damaged=asked.damaged + base.damaged,
        )
