"""What a retriever is: queries → run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from pydantic import BaseModel

from askance.core.progress import Progress
from askance.data.collection import Excluded
from askance.data.ids import Ids
from askance.data.run import Run
from askance.models.embedder import Embedder
from askance.models.ledger import Ledger
from askance.models.vectors import VectorStore


@dataclass(frozen=True, eq=False)
class RetrievalTask:
    """What is to be found in what: one text per query and per document, as the study names them.

    `excluded` documents are never candidates of their query. `depth`: length of each list.
    """

    queries: Ids
    query_texts: Sequence[str]
    documents: Ids
    document_texts: Sequence[str]
    depth: int
    excluded: Excluded | None = None


class Retriever(Protocol):
    """Ranks documents for every query; ties by document position."""

    def retrieve(self, task: RetrievalTask, progress: Progress) -> Run: ...


@dataclass(frozen=True)
class Resources:
    """What a study lends to the retrievers it builds.

    The model they name, where vectors are kept, the ledger for calls of language models, the runs of the systems that
    they name under `of`, and the folder of the study file, `beside`, for what they name by a relative path.
    """

    embedder: Embedder | None = None
    vectors: VectorStore | None = None
    ledger: Ledger | None = None
    runs: Mapping[str, Run] = field(default_factory=dict)
    beside: Path | None = None


class RetrieverKind(Protocol):
    """What the registry holds: settings that a study file may give, and how a retriever is made from them.

    Settings may name earlier systems of the domain under `of`: their runs are then among the resources.
    """

    Settings: type[BaseModel]

    @classmethod
    def build(cls, settings: BaseModel, resources: Resources) -> Retriever: ...
