"""The last stage: the lex clauses of a rewrite become what the index is asked."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Literal

from askance.irl.nodes import Exact, Field, Lex, Node, Or, Relation

Form = Literal["text", "fields"]


def build_phrases(query: Node, form: Form, relation: str | None = None) -> Node:
    """Each lex clause of `query` as one phrase, whose words stand next to one another and in order.

    "text": in the whole text. "fields": the item itself, or the phrase inside a longer item, in `relation` where one
    is given; a name is never looked at, nor the text. A clause that asks for any word stays what it is, in "text".
    """
    if isinstance(query, Lex):
        return _phrase(query, form, relation)
    if isinstance(query, Or):
        return replace(query, parts=_flat(build_phrases(part, form, relation) for part in query.parts))
    return query


def _phrase(clause: Lex, form: Form, relation: str | None) -> Node:
    if form == "text" or clause.match != "phrase":
        return clause
    items = Or((Exact(clause.text), Field("items", clause)))
    return items if relation is None else Relation(relation, items)


def _flat(parts: Iterable[Node]) -> tuple[Node, ...]:
    """Alternatives of alternatives are alternatives."""
    flat: list[Node] = []
    for part in parts:
        flat.extend(part.parts if isinstance(part, Or) else (part,))
    return tuple(flat)
