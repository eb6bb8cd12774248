"""One document of a collection, and one question."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Document:
    """Who (`name`) stands in which relation to what (`items`), and the sentence that says so.

    `negative_of`: the identifier of the gold document that a hard negative was made from, and `kind` how.
    """

    id: str
    name: str
    relation: str
    items: tuple[str, ...]
    text: str
    negative_of: str | None = None
    kind: str | None = None


@dataclass(frozen=True, slots=True)
class Question:
    """A question for items.

    `held`: what documents must hold, or must not, by the template; `worded`: the same, as the text has it.
    """

    id: str
    template: str
    held: tuple[str, ...]
    worded: tuple[str, ...]
    text: str
