"""What is diagnosed: a collection, one definition of gold, the lists of some systems, and what is known of each."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

import numpy as np
from numpy.typing import NDArray

from askance.data.collection import OTHER, Collection, Role, Tier
from askance.data.run import Run
from askance.measure.judged import Counts, Mask

if TYPE_CHECKING:
    from askance.models.embedder import Embedder
    from askance.text.analyzer import Analyzer

Reads = Literal["words", "vectors", "unknown"]


@dataclass(frozen=True, eq=False)
class Window:
    """What a model reads of a text: its first `tokens`. `count`: tokens of each text before any cut [texts]."""

    tokens: int
    count: Callable[[Sequence[str]], Counts]
    counted_by: str


@dataclass(frozen=True, eq=False)
class VectorsSeen:
    """Vectors of the documents, float32 [distinct, dimension], and the row of each document [documents], −1: none.

    `model`: what made them, `fingerprint` of it ("" where not known). `embedder`: that model, where it can be had.
    """

    vectors: NDArray[np.float32]
    rows: NDArray[np.int64]
    model: str = ""
    fingerprint: str = ""
    embedder: Embedder | None = None


@dataclass(frozen=True, eq=False)
class IndexSeen:
    """An index that the lists came from.

    `holds`: which documents are in it [documents]; `analyzer`: that of its text; `metadata`: key → each document's
    value as text, "" where it has none. `notes`: what was not read of it, a sentence each.
    """

    place: str
    holds: Mask
    analyzer: Analyzer
    vectors: VectorsSeen | None = None
    metadata: Mapping[str, Sequence[str]] = field(default_factory=dict)
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False)
class System:
    """A system and its lists.

    `depth`: how long a list may be. `reads`: what it compares. `analyzer`: of its words, None where not known.
    `before`: the lists that a reranker was given, of which it moved the first `first`. `fingerprint`: of the model that
    embeds its questions, "" where not known.
    """

    name: str
    label: str
    run: Run
    depth: int
    reads: Reads = "unknown"
    analyzer: Analyzer | None = None
    window: Window | None = None
    before: Run | None = None
    first: int = 0
    fingerprint: str = ""
    reranks: str = ""


@dataclass(frozen=True, eq=False)
class Case:
    """One domain. `mask`: the queries that are diagnosed [queries]; `subset`: what they are called.

    `texts`: those that the systems read, of queries and of documents, None where they are not here; `compared`: those
    whose wording is compared. `absent`: documents that are judged or listed and not in the corpus [documents].
    `index`, `vectors`: what was handed over besides. `filters`: what filters can ask for besides fields of text, key →
    each document's value as text. `notes`: what the reader should know, a sentence each.
    """

    name: str
    title: str
    collection: Collection
    tier: Tier
    mask: Mask
    systems: Sequence[System]
    texts: tuple[Sequence[str], Sequence[str]] | None = None
    compared: tuple[Sequence[str], Sequence[str]] | None = None
    absent: Mask | None = None
    index: IndexSeen | None = None
    vectors: VectorsSeen | None = None
    subset: str = "all queries"
    subsets: Mapping[str, Mask] = field(default_factory=dict)
    seed: int = 0
    resamples: int = 10_000
    notes: tuple[str, ...] = ()
    filters: Mapping[str, Sequence[str]] = field(default_factory=dict)

    @property
    def queries(self) -> list[int]:
        """Positions of the queries that are diagnosed."""
        return [int(query) for query in np.flatnonzero(self.mask)]

    @property
    def roles(self) -> tuple[Role, ...]:
        """What a document can be to a query besides gold."""
        return (OTHER,) if self.collection.roles is None else self.collection.roles.every

    def role(self, query: int, document: int) -> Role:
        """What this document is to this query."""
        roles = self.collection.roles
        if roles is None:
            return OTHER
        row = slice(roles.offsets[query], roles.offsets[query + 1])
        found = np.flatnonzero(roles.document[row] == document)
        return roles.roles[roles.code[row][found[0]]] if len(found) else roles.default
