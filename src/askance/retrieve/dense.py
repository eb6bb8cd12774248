"""Retrieval by meaning, as far as one vector holds it: exact cosine of query and document."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict

from askance.core.errors import StudyProblem
from askance.core.progress import Progress
from askance.data.run import Run
from askance.engines.exact_vectors import nearest
from askance.models.embedder import Embedder
from askance.models.vectors import VectorStore
from askance.retrieve.retriever import Resources, RetrievalTask


class DenseSettings(BaseModel):
    """A dense retriever has no settings of its own: the study names its model."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class DenseRetriever:
    """Every document is compared; scores are cosines rounded to 6 decimals, ties by document position."""

    Settings = DenseSettings

    def __init__(self, embedder: Embedder, vectors: VectorStore) -> None:
        self.embedder = embedder
        self.vectors = vectors

    @classmethod
    def build(cls, settings: BaseModel, resources: Resources) -> DenseRetriever:
        """StudyProblem where the system names no model."""
        if resources.embedder is None or resources.vectors is None:
            raise StudyProblem(
                "a dense retriever needs a model, and this system names none",
                remedy='Give it one of the study\'s models, e.g. model = "minilm".',
            )
        return cls(resources.embedder, resources.vectors)

    def retrieve(self, task: RetrievalTask, progress: Progress) -> Run:
        found = self.vectors.open(self.embedder, task.query_texts, task.document_texts, progress)
        ranked = nearest(found.unique, found.query_rows, found.document_rows, task.depth, task.excluded, progress)
        return Run("dense", task.queries, task.documents, ranked.offsets, ranked.document, ranked.score)
