"""The signature reranker: the first documents of each list, re-sorted by whether they say the same where it decides.

Numbers, negations, quantifiers, relations, units, names and closed-class words are few and easy to overlook for an
embedder, but a text that differs in one of them means something else. No model, no weights: which classes to ask, and
in which order, is what the bill of a collection says (see measure.bill), and their agreement is measured as there.

A document's agreement with its query in a class is the Jaccard of what the class reads of both: common / all, numbers
by value and as often as they occur; 1 where neither holds anything of the class, for then they do not differ.
"""

from __future__ import annotations

from typing import Literal, cast

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel, ConfigDict, Field, field_validator

from askance.core.errors import UnknownName
from askance.data.run import Run
from askance.rerank.places import reordered
from askance.rerank.reranker import RerankTask
from askance.text.likeness import Overlap, Scores
from askance.text.signature_classes import SIGNATURE_CLASSES

WHOLE = "signature"
"""What names all classes. Not "all": that is all words, which are the lexical control's."""

Rule = Literal["lexicographic", "count"]


class SignatureSettings(BaseModel):
    """What a study file may say of the signature reranker."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    tokens: str = Field(
        description='the classes to ask, joined by "+", the weightiest first: "numbers+negations"; "signature": all'
    )
    rule: Rule = Field(
        "lexicographic",
        description="lexicographic: by agreement in the first class, then in the next …; "
        "count: by the number of classes that agree wholly",
    )

    @field_validator("tokens")
    @classmethod
    def _known(cls, tokens: str) -> str:
        names = _names(tokens)
        for name in names:
            if name not in SIGNATURE_CLASSES:
                unknown = UnknownName("signature class", name, (WHOLE, *SIGNATURE_CLASSES))
                raise ValueError(f"{unknown.message}. {unknown.remedy}")
            if names.count(name) > 1:
                raise ValueError(f"the class {name!r} is named more than once; name it once")
        return tokens

    @property
    def classes(self) -> tuple[str, ...]:
        """The names of the classes that are asked, in order."""
        return _names(self.tokens)


class Signature:
    """Sorts by agreement, descending; documents that agree as much keep their order, the tail is left as it was."""

    Settings = SignatureSettings

    def __init__(self, settings: SignatureSettings) -> None:
        self.settings = settings
        self._overlaps = [Overlap(SIGNATURE_CLASSES[name].read) for name in settings.classes]

    @classmethod
    def build(cls, settings: BaseModel) -> Signature:
        return cls(cast(SignatureSettings, settings))

    def rerank(self, run: Run, task: RerankTask) -> Run:
        """The reranked run; its scores are places counted from the end of each list (see `reordered`)."""
        order = []
        for query, row in enumerate(run.matrix(max(task.first, 0))):
            texts = [task.document_texts[at] for at in row[row >= 0]]
            agreements = [overlap.scores(task.query_texts[query], texts) for overlap in self._overlaps]
            order.append(_order(agreements, self.settings.rule))
        asked = [] if self.settings.tokens == WHOLE else [self.settings.tokens]
        said = ", ".join([*asked, *([] if self.settings.rule == "lexicographic" else [self.settings.rule])])
        return reordered(run, order, f"{run.name}+signature" + (f" ({said})" if said else ""))


def _names(tokens: str) -> tuple[str, ...]:
    return tuple(SIGNATURE_CLASSES) if tokens == WHOLE else tuple(tokens.split("+"))


def _order(agreements: list[Scores], rule: Rule) -> NDArray[np.int64]:
    """Places by agreement, best first, stable. `agreements`: one array [documents] a class, the weightiest first."""
    if rule == "count":
        whole = np.sum([agreement == 1.0 for agreement in agreements], axis=0)
        return np.argsort(-whole, kind="stable")
    # lexsort sorts by its last key first, and is stable
    return np.lexsort([-agreement for agreement in reversed(agreements)])
