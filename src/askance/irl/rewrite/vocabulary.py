"""What the rewriting may ask of a collection: counts, never documents."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from askance.text.analyzer import Analyzer


class Vocabulary(Protocol):
    """Counts over one collection or index.

    Terms are the analyzer's; a key is the terms of an item with one blank between.
    """

    @property
    def analyzer(self) -> Analyzer: ...

    @property
    def documents(self) -> int:
        """How many documents there are."""
        ...

    @property
    def has_items(self) -> bool:
        """Whether documents were split into items; where not, `holders_of_item` is 0 for all."""
        ...

    @property
    def relations(self) -> Mapping[str, int]:
        """Relation as written → documents that have it. Empty where there are none."""
        ...

    def holders(self, term: str, field: str = "text") -> int:
        """How many documents have the term in the field."""
        ...

    def holders_of_phrase(self, terms: Sequence[str], field: str = "text") -> int:
        """How many documents have the terms next to one another and in order in the field."""
        ...

    def holders_of_item(self, key: str) -> int:
        """How many documents hold exactly this item."""
        ...

    def written(self, key: str) -> tuple[str, ...]:
        """How the item is written in the documents, most frequent first, at most five ways; empty where unknown."""
        ...
