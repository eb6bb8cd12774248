"""What a retriever is: queries → run."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from askance.core.progress import Progress
from askance.data.collection import Excluded
from askance.data.ids import Ids
from askance.data.run import Run


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
