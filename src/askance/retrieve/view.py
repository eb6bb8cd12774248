"""Retrieval over abstracted views: queries and documents with slots for their open words, searched by any retriever."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, cast

import numpy as np
from pydantic import BaseModel, ConfigDict, Field, model_validator

from askance.core.errors import UnknownName
from askance.core.progress import Progress
from askance.data.run import Run
from askance.retrieve.ranked import run_of
from askance.retrieve.registry import RETRIEVERS
from askance.retrieve.retriever import Resources, RetrievalTask, Retriever
from askance.views.classes import SlotSettings
from askance.views.slots import Slots, report

NAMED = 5  # members of a class, in what is said of it
_NOT_OVER = ("view", "fused")
_MOST_ROWS = 50_000_000  # of the lists that are held to order equal views
_DECIMALS = 6  # scores that agree in so many are equal, as the dense retriever has it
_BETWEEN = 5e-7  # what is left between two scores for those that break their ties


class ViewSettings(BaseModel):
    """What a study file may say of retrieval over views. The system's `model`, if any, is that of `over`."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)

    over: str = Field("dense", description="what searches the views: a retriever of the registry that reads texts")
    inner: dict[str, Any] = Field({}, description="the settings of that retriever")
    view: SlotSettings = Field(SlotSettings(), description="how slots are learned and views made")
    queries: bool = Field(False, description="learn from the texts of the queries, too: then no query stands alone")
    keep: tuple[str, ...] = Field((), description="open classes, by name, and words that stay as they are")
    hide: tuple[str, ...] = Field((), description="further classes, by name, that views put slots for")
    ties: Literal["position", "raw"] = Field(
        "position", description='how equal scores stand: by position, or "raw": by what `over` says of the texts as is'
    )

    @property
    def needs_model(self) -> str | None:
        """What needs the system's model, in words; None where nothing does."""
        if self.over == "dense":
            return 'over = "dense"'
        return getattr(RETRIEVERS.get(self.over).Settings.model_validate(self.inner), "needs_model", None)

    @model_validator(mode="after")
    def _fits(self) -> ViewSettings:
        known = [name for name in RETRIEVERS if name not in _NOT_OVER]
        if self.over not in known:
            raise ValueError(str(UnknownName("retriever that reads texts", self.over, known)))
        RETRIEVERS.get(self.over).Settings.model_validate(self.inner)
        return self


@dataclass(frozen=True)
class Reading:
    """What is searched instead of the texts: the views of the documents, and what there is to say of them, in lines."""

    documents: Sequence[str]
    notes: tuple[str, ...]


class ViewRetriever:
    """Learns slots from the task's documents, and lets the inner retriever search the views.

    A view makes many documents equal: their scores tie. Under `ties` = "raw" the same retriever, on the texts as they
    are, orders them: whoever looks for the very same thing finds it first among what is alike. Lists so deep that they
    would not be held in memory are cut first; ties at that cut then stand by position.
    """

    Settings = ViewSettings

    def __init__(self, settings: ViewSettings, inner: Retriever) -> None:
        self.settings = settings
        self._inner = inner
        self._learned: tuple[RetrievalTask, Slots] | None = None

    @classmethod
    def build(cls, settings: BaseModel, resources: Resources) -> ViewRetriever:
        """StudyProblem where the inner retriever lacks what it needs."""
        told = cast(ViewSettings, settings)
        kind = RETRIEVERS.get(told.over)
        return cls(told, kind.build(kind.Settings.model_validate(told.inner), resources))

    def retrieve(self, task: RetrievalTask, progress: Progress) -> Run:
        slots = self._slots_of(task, progress)
        viewed = replace(
            task,
            query_texts=slots.views(task.query_texts),
            document_texts=slots.views(task.document_texts),
            depth=self._depth(task),
        )
        run = self._inner.retrieve(viewed, progress)
        if self.settings.ties == "raw":
            raw = self._inner.retrieve(replace(task, depth=viewed.depth), progress)
            run = _broken(task, run, raw)
        return Run("view", run.queries, run.documents, run.offsets, run.document, run.score).top(task.depth)

    def reading(self, task: RetrievalTask, progress: Progress) -> Reading:
        """What `retrieve` lets the inner retriever search, and how each class was decided: learned once for both."""
        slots = self._slots_of(task, progress)
        return Reading(slots.views(task.document_texts), tuple(report(slots, NAMED)))

    def _slots_of(self, task: RetrievalTask, progress: Progress) -> Slots:
        if self._learned is None or self._learned[0] is not task:
            self._learned = task, self.slots(task, progress)
        return self._learned[1]

    def slots(self, task: RetrievalTask, progress: Progress) -> Slots:
        """The slots of the task's texts, with what the settings keep and hide; UnknownName for names it has not."""
        told = self.settings
        progress.start("learn slots", 1)
        queries = task.query_texts if told.queries else None
        learned = Slots.learn(task.document_texts, queries, told.view).adjusted(told.keep, told.hide)
        progress.advance("learn slots")
        progress.finish("learn slots")
        return learned

    def _depth(self, task: RetrievalTask) -> int:
        if self.settings.ties == "position":
            return task.depth
        most = _MOST_ROWS // max(len(task.queries), 1)
        return max(task.depth, min(len(task.documents), most))


def _broken(task: RetrievalTask, run: Run, raw: Run) -> Run:
    """The run with each tie ordered by the raw scores; scores below the raw run's last one are equal."""

    def lists() -> Any:
        said = np.empty(len(task.documents))
        for query in range(len(task.queries)):
            documents, scores = run.of_query(query)
            said.fill(-np.inf)
            known, as_is = raw.of_query(query)
            said[known] = np.round(as_is, _DECIMALS)
            even = np.round(scores.astype(np.float64), _DECIMALS)
            order = np.lexsort((documents, -said[documents], -even))
            documents, even = documents[order], even[order]
            yield documents, even - _BETWEEN * _places(even, said[documents])

    return run_of("view", task, lists())


def _places(even: Any, raw: Any) -> Any:
    """For each row of one list, how far down it stands among the rows of its score: 0 for the best raw one, below 1."""
    if not len(even):
        return even
    new_tie = np.concatenate(([True], even[1:] != even[:-1]))
    new_raw = np.concatenate(([True], raw[1:] != raw[:-1])) & ~new_tie
    tie = np.cumsum(new_tie) - 1
    steps = np.cumsum(new_raw)
    within = steps - steps[np.flatnonzero(new_tie)][tie]
    return within / (np.bincount(tie, weights=new_raw)[tie] + 1)
