"""What a clause matches in an index: positions and scores."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from askance.irl.nodes import Exact, Filter, Lex


@dataclass(frozen=True, eq=False)
class Matches:
    """Matching documents: positions int64 [n], ascending, and scores float64 [n], each a 32-bit float's value."""

    positions: NDArray[np.int64]
    scores: NDArray[np.float64]


class Leaves(Protocol):
    """The clauses that stand alone, answered in full. Scores are on the index's scale.

    `relation` None: any. Where an index cannot tell relations apart, a clause inside one matches nothing.
    UnknownName where the index has no such field or metadata key.
    """

    def lex(self, clause: Lex, field: str, relation: str | None) -> Matches: ...

    def exact(self, clause: Exact, relation: str | None) -> Matches: ...

    def filter(self, clause: Filter) -> NDArray[np.int64]: ...

    def related(self, relation: str) -> NDArray[np.int64]:
        """Positions of documents with an item in this relation."""
        ...

    def all(self) -> NDArray[np.int64]:
        """Positions of all documents, deleted ones left out."""
        ...
