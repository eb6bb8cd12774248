"""A reranker over a system, probed as one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from askance.core.progress import Progress
from askance.data.rows import frozen
from askance.data.run import Run
from askance.diagnose.probe.probed import Probed
from askance.rerank.registry import RERANKERS
from askance.rerank.reranker import RerankTask
from askance.retrieve.retriever import RetrievalTask


@dataclass
class RerankedProbed:
    """The first `first` of `over`'s lists, permuted by a reranker of the registry.

    `documents`: the texts that it compares, where these are not those that `over` searches; then documents cannot be
    edited, for an edit of the one text leaves the other as it is. Queries are compared as they are asked. A score is
    the place in the list, counted downwards from 0: a reranker's own has no place beside those of the tail.
    """

    name: str
    label: str
    over: Probed
    reranker: str
    settings: Mapping[str, Any] = field(default_factory=dict)
    first: int = 10
    documents: Sequence[str] | None = None

    @property
    def edits_documents(self) -> bool:
        return self.over.edits_documents and self.documents is None

    def run(self, task: RetrievalTask, progress: Progress) -> Run:
        before = self.over.run(task, progress)
        return self.rerank(before, task.query_texts, self.documents or task.document_texts)

    def rerank(self, run: Run, queries: Sequence[str], documents: Sequence[str]) -> Run:
        """The reranked run. Texts: one a query and a document of the run, in their order."""
        kind = RERANKERS.get(self.reranker)
        reranker = kind.build(kind.Settings.model_validate(self.settings))
        after = reranker.rerank(run, RerankTask(queries, documents, self.first))
        starts = np.repeat(after.offsets[:-1], np.diff(after.offsets))
        places = starts - np.arange(len(after.document), dtype=np.float64)
        return replace(after, name=self.name, score=frozen(places))
