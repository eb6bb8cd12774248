"""The lexical control: the first documents of each list, re-sorted by how alike they read to the query.

It knows nothing of meaning. Where it helps, wording agrees with what is asked for; where it hurts, wording misleads:
the sign of what it does to Hit@1 says which kind of surface variation a collection has (Rashid and Kellis 2026).
"""

from __future__ import annotations

from typing import Literal, cast

import numpy as np
from pydantic import BaseModel, ConfigDict, Field

from askance.data.run import Run
from askance.rerank.places import reordered
from askance.rerank.reranker import RerankTask
from askance.text.likeness import LIKENESSES

TokenClassName = Literal["all", "content", "function", "numbers", "verbs", "others"]


class LexicalSettings(BaseModel):
    """What a study file may say of the lexical control."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    tokens: TokenClassName = Field("all", description="which words are compared")


class LexicalControl:
    """Sorts by likeness, descending; documents of equal likeness keep their order, the tail is left as it was."""

    Settings = LexicalSettings

    def __init__(self, settings: LexicalSettings) -> None:
        self.settings = settings
        self._likeness = LIKENESSES[settings.tokens]

    @classmethod
    def build(cls, settings: BaseModel) -> LexicalControl:
        return cls(cast(LexicalSettings, settings))

    def rerank(self, run: Run, task: RerankTask) -> Run:
        """The reranked run; its scores are places counted from the end of each list (see `reordered`)."""
        first = run.matrix(max(task.first, 0))
        order = []
        for query, row in enumerate(first):
            documents = row[row >= 0]
            likeness = self._likeness.scores(task.query_texts[query], [task.document_texts[at] for at in documents])
            order.append(np.argsort(-likeness, kind="stable"))
        words = "" if self.settings.tokens == "all" else f" ({self.settings.tokens})"
        return reordered(run, order, f"{run.name}+lexical{words}")
