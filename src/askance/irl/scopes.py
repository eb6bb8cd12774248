"""What the clauses around a leaf say of it: its field, its relation, its weight."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import NamedTuple

from askance.irl.nodes import Boost, Field, Fuse, Node, Not, Relation

TEXT = "text"  # the field of lex clauses that are in none


class ScopedLeaf(NamedTuple):
    """A clause without clauses inside.

    `field`: where its words are looked for, `text` unless a field is around it; it concerns lex alone. `relation`:
    None for any. `weight`: the product of the boosts around it up to the fusion it is in, if any; 0 inside not, which
    scores nothing.
    """

    leaf: Node
    field: str
    relation: str | None
    weight: float


@dataclass(frozen=True)
class _Scope:
    field: str = TEXT
    relation: str | None = None
    weight: float = 1.0


def scoped_leaves(node: Node) -> list[ScopedLeaf]:
    """The leaves of a query in order, each with its scope. The innermost field and the innermost relation hold."""
    found: list[ScopedLeaf] = []
    waiting = [(node, _Scope())]
    while waiting:
        part, scope = waiting.pop()
        if not part.children:
            found.append(ScopedLeaf(part, scope.field, scope.relation, scope.weight))
        inside = _inside(part, scope)
        waiting.extend((child, inside) for child in reversed(part.children))
    return found


def _inside(node: Node, scope: _Scope) -> _Scope:
    match node:
        case Field():
            return replace(scope, field=node.name)
        case Relation():
            return replace(scope, relation=node.name)
        case Boost():
            return replace(scope, weight=scope.weight * node.weight)
        case Not():
            return replace(scope, weight=0.0)
        case Fuse():
            return replace(scope, weight=min(scope.weight, 1.0) if scope.weight == 0 else 1.0)
    return scope
