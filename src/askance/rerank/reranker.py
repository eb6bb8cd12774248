"""What a reranker is: run → run, a permutation of each list's first n."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from pydantic import BaseModel

from askance.data.run import Run


@dataclass(frozen=True, eq=False)
class RerankTask:
    """The texts a reranker may compare, in the order of the run's ids, and how many of each list it may move."""

    query_texts: Sequence[str]
    document_texts: Sequence[str]
    first: int = 10


class Reranker(Protocol):
    """Permutes the first `task.first` of each list and leaves the tail as it was."""

    def rerank(self, run: Run, task: RerankTask) -> Run: ...


class RerankerKind(Protocol):
    """What the registry holds: settings that a study file may give, and how a reranker is made from them."""

    Settings: type[BaseModel]

    @classmethod
    def build(cls, settings: BaseModel) -> Reranker: ...
