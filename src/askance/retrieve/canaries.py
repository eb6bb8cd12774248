"""Retrievers whose quality is known beforehand: they show whether the measuring is right.

A random one must land at chance, one that knows gold must be perfect, and a constant one says how good the order of the
corpus is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import cast

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel, ConfigDict, Field

from askance.core.progress import Progress
from askance.data.judgments import Judgments
from askance.data.rows import Positions
from askance.data.run import Run
from askance.engines.selection import best
from askance.retrieve.ranked import run_of
from askance.retrieve.retriever import Resources, RetrievalTask

Scores = NDArray[np.float64]


class RandomSettings(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")

    seed: int = Field(12345, ge=0, description="where the random draws start")


class RandomRetriever:
    """All documents in random order, drawn anew for each query; the same seed gives the same lists."""

    Settings = RandomSettings

    def __init__(self, settings: RandomSettings) -> None:
        self.settings = settings

    @classmethod
    def build(cls, settings: BaseModel, resources: Resources) -> RandomRetriever:
        return cls(cast(RandomSettings, settings))

    def retrieve(self, task: RetrievalTask, progress: Progress) -> Run:
        draw = np.random.default_rng(self.settings.seed)
        return run_of("random", task, _lists(task, lambda _: draw.random(len(task.documents))))


class ConstantSettings(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class ConstantRetriever:
    """All documents score 0: every list is the corpus in its order."""

    Settings = ConstantSettings

    @classmethod
    def build(cls, settings: BaseModel, resources: Resources) -> ConstantRetriever:
        return cls()

    def retrieve(self, task: RetrievalTask, progress: Progress) -> Run:
        return run_of("constant", task, _lists(task, lambda _: np.zeros(len(task.documents))))


class Oracle:
    """All documents by their grade, the unjudged last. Needs the judgments, so no study can name it."""

    def __init__(self, judgments: Judgments) -> None:
        self.judgments = judgments

    def retrieve(self, task: RetrievalTask, progress: Progress) -> Run:
        return run_of("oracle", task, _lists(task, lambda query: self._grades(query, len(task.documents))))

    def _grades(self, query: int, documents: int) -> Scores:
        judged, grade = self.judgments.of_query(query)
        scores = np.full(documents, min(grade.min(initial=0.0), 0.0) - 1.0)
        scores[judged] = grade
        return scores


def _lists(task: RetrievalTask, scores_of: Callable[[int], Scores]) -> Iterator[tuple[Positions, Scores]]:
    everything = np.arange(len(task.documents), dtype=np.int32)
    for query in range(len(task.queries)):
        scores, candidates = scores_of(query), everything
        if task.excluded is not None:
            candidates = np.delete(everything, task.excluded.of_query(query))
            scores = scores[candidates]
        chosen = best(scores, task.depth)
        yield candidates[chosen], scores[chosen]
