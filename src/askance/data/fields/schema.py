"""What a schema makes of a document: a name, and items that stand in a relation to it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

Record = Mapping[str, Any]  # one document as it was read: "text" and whatever else its line holds


@dataclass(frozen=True, slots=True)
class Fact:
    """Items in one relation, as they are written. `relation` None: the document does not say which."""

    items: tuple[str, ...]
    relation: str | None = None


@dataclass(frozen=True, slots=True)
class Fields:
    """A document that follows the schema.

    `name`: whom or what it is about. `facts`: its items. `texts`: further text fields by name; `name`, `items`,
    `text`, `facts`, `exact` and `relation` are taken.
    """

    name: str | None = None
    facts: tuple[Fact, ...] = ()
    texts: Mapping[str, str] = field(default_factory=dict)

    @property
    def items(self) -> tuple[str, ...]:
        """All items, whatever their relation, in order."""
        return tuple(item for fact in self.facts for item in fact.items)


@dataclass(frozen=True, slots=True)
class Outside:
    """A document that does not follow the schema: searchable as text, never an exact hit. `why` is shown and counted.

    `kind` groups the reasons: "no match", "unknown item", "name", "not a list" …
    """

    kind: str
    why: str


class Schema(Protocol):
    """Splits a document."""

    def split(self, record: Record) -> Fields | Outside: ...

    def described(self) -> Mapping[str, Any]:
        """All it needs to be made again, as JSON: {"kind": …}. `schema_of` in kinds.py reads it."""
        ...


class NeedsDocuments(Protocol):
    """A schema that is learned: it looks at all documents first. They are passed once, and not kept."""

    def learn(self, records: Iterable[Record]) -> Schema: ...
