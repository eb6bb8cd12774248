"""Where a query runs: what every engine answers, and how it explains an answer."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from askance.engines.settings import Scale
from askance.engines.stored import Source
from askance.irl.nodes import Node, Span
from askance.irl.rewrite.vocabulary import Vocabulary


@dataclass(frozen=True)
class EngineCard:
    """What an engine holds. `fields`: names of its text fields. `vectors`: name of their model, or None."""

    name: str
    place: str
    documents: int
    fields: tuple[str, ...]
    scale: Scale
    has_items: bool
    vectors: str | None
    outside: int = 0
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False)
class Answer:
    """Documents best first, ties by position: identifiers, positions in the index, scores [n].

    `total`: how many match, before `limit`. `notes`: what the reader should know (a clause without words, a relation
    that cannot be told, …).
    """

    documents: tuple[str, ...]
    positions: NDArray[np.int64]
    scores: NDArray[np.float64]
    total: int
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class Explanation:
    """What one clause gave to one document.

    `clause`: as printed, with the span it was written at. `score`: what it adds, None where it does not match.
    `rank`: the document's place in this clause's own list, where that was computed. `why`: one sentence, for people.
    `figures`: idf, frequency, length and so on, by name.
    """

    clause: str
    kind: str
    score: float | None
    why: str
    span: Span | None = None
    rank: int | None = None
    figures: Mapping[str, float] = field(default_factory=dict)
    parts: tuple[Explanation, ...] = ()

    @property
    def matches(self) -> bool:
        return self.score is not None


class Engine(Vocabulary, Protocol):
    """An index that answers queries, and says what the rewriting of questions may ask of it."""

    @property
    def card(self) -> EngineCard: ...

    def search(self, query: Node, limit: int = 10) -> Answer:
        """The best `limit` documents. BadInput where the query cannot run here, with the span of what cannot."""
        ...

    def search_all(self, queries: Sequence[Node], limit: int = 10) -> list[Answer]:
        """The answers to many queries, in order: vectors and lists are made for all at once."""
        ...

    def explain(self, query: Node, document: str) -> Explanation:
        """What each clause gave to this document, matching or not. UnknownName where there is no such document."""
        ...

    def text(self, document: str) -> str:
        """The document's text as it was indexed."""
        ...

    def sources(self) -> Iterator[tuple[int, Source]]:
        """All documents as they were indexed, with their positions, in order, one at a time."""
        ...


@runtime_checkable
class AsksByBodies(Protocol):
    """An engine that a server answers for."""

    def bodies(self, query: Node, limit: int = 10) -> list[Mapping[str, Any]]:
        """The search bodies that a query is asked by, in order: of lists that others are made of, then the rest."""
        ...
