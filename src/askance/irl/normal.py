"""A query in its normal form: another tree that matches the same documents with the same scores.

Scopes and weights stand at the leaves they concern, alternatives of alternatives are one list, conditions beside a
fusion are inside its parts. Engines may start from either form; scores differ by the rounding of weights alone.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from askance.irl.limits import WEIGHT
from askance.irl.nodes import And, Boost, Exact, Field, Filter, Fuse, Knn, Lex, Node, Not, Or, Relation, Span
from askance.irl.scopes import TEXT
from askance.irl.shape import must_be_sound


def normal_form(query: Node) -> Node:
    """The normal form; `normal_form` of it is the same. BadQuery where the tree is none of the language.

    - The innermost field and the innermost relation hold; a field stands around its lex clause, and where it is
      written on exact directly; `text` is left out.
    - A relation stands around each leaf, and around an and with a knn in it: beside that knn, a relation restricts it.
    - Boosts are multiplied and stand around leaves and fusions; 1, and any of what scores nothing, is left out.
    - and in and, or in or are one; and, or of a single part are that part. An and whose conditions restrict a knn of
      its own stays where another knn stands beside it.
    - (and (or … :fuse …) conditions…), where the conditions score nothing, is the fusion of (and part conditions…).
    """
    must_be_sound(query)
    return _normal(query, _Scope())


@dataclass(frozen=True)
class _Scope:
    """What is still to be put around leaves. `weights`: outermost first; several where their product is out of range.

    `written`: the field stands on the clause directly, boosts apart.
    """

    field: str = TEXT
    written: bool = False
    relation: str | None = None
    weights: tuple[float, ...] = ()
    scores: bool = True

    def boosted(self, weight: float) -> _Scope:
        return replace(self, weights=_multiplied(self.weights, weight)) if self.scores else self


def _normal(node: Node, scope: _Scope) -> Node:
    # one call a level and no more, so that the deepest tree of the language stays well within Python's own limit
    while isinstance(node, Field | Boost | Relation) or (isinstance(node, And | Or) and len(node.parts) == 1):
        scope = _entered(node, scope)
        node = node.children[0]
    if isinstance(node, Lex | Exact | Knn | Filter):
        return _leaf(node, scope)
    inside = replace(scope, written=False)
    if isinstance(node, Not):
        return replace(node, child=_normal(node.child, replace(inside, weights=(), scores=False)))
    if isinstance(node, Fuse):
        inside = replace(inside, weights=())
    kept = scope.relation if isinstance(node, And) and _has_knn(node) else None
    if kept is not None:
        inside = replace(inside, relation=None)
    made = []
    for part in node.children:
        made.append(_normal(part, inside))
    if isinstance(node, Fuse):
        return _weighted(replace(node, parts=tuple(made)), scope.weights)
    if isinstance(node, Or):
        return _or(made, node.span)
    together = _and(made, node.span)
    if kept is None:
        return together
    if isinstance(together, And):
        return Relation(kept, together, span=node.span)
    return _normal(together, _Scope(relation=kept, scores=scope.scores))  # a fusion, its conditions inside


def _entered(node: Node, scope: _Scope) -> _Scope:
    if isinstance(node, Boost):
        return scope.boosted(node.weight)
    if isinstance(node, Field):
        return replace(scope, field=node.name, written=True)
    if isinstance(node, Relation):
        return replace(scope, relation=node.name, written=False)
    return replace(scope, written=False)


def _leaf(node: Lex | Exact | Knn | Filter, scope: _Scope) -> Node:
    made: Node = node
    if isinstance(node, Filter):
        return made
    if scope.field != TEXT and (isinstance(node, Lex) or (isinstance(node, Exact) and scope.written)):
        made = Field(scope.field, made, span=node.span)
    if scope.relation is not None:
        made = Relation(scope.relation, made, span=node.span)
    return _weighted(made, scope.weights)


def _weighted(node: Node, weights: tuple[float, ...]) -> Node:
    for weight in reversed(weights):
        node = Boost(weight, node, span=node.span)
    return node


def _multiplied(weights: tuple[float, ...], weight: float) -> tuple[float, ...]:
    """The weights with one more inside, as few as keep every product in range."""
    while weights:
        product = weights[-1] * weight
        if WEIGHT.complaint(product) is not None:
            return (*weights, weight)
        weights, weight = weights[:-1], product
    return () if weight == 1 else (weight,)


def _or(parts: list[Node], span: Span | None) -> Node:
    flat = _flat(parts, Or, lambda part, others: True)
    return flat[0] if len(flat) == 1 else Or(tuple(flat), span=span)


def _and(parts: list[Node], span: Span | None) -> Node:
    flat = _flat(parts, And, _may_join)
    if len(flat) == 1:
        return flat[0]
    fusions = [part for part in flat if isinstance(_unboosted(part), Fuse)]
    conditions = [part for part in flat if _is_condition(part)]
    if len(fusions) == 1 and len(conditions) == len(flat) - 1:
        return _conditioned(fusions[0], conditions, span)
    return And(tuple(flat), span=span)


def _flat(parts: list[Node], kind: type[And] | type[Or], joins: Callable[[Node, list[Node]], bool]) -> list[Node]:
    flat: list[Node] = []
    for number, part in enumerate(parts):
        if isinstance(part, kind) and joins(part, parts[:number] + parts[number + 1 :]):
            flat.extend(part.children)
        else:
            flat.append(part)
    return flat


def _may_join(inner: Node, others: list[Node]) -> bool:
    """Whether the parts of an and may stand beside `others`: unless they would come to restrict a knn there."""
    restricting = [_restricts(part) for part in inner.children]
    return all(restricting) or not any(restricting) or not any(map(_has_knn, others))


def _conditioned(fusion: Node, conditions: list[Node], span: Span | None) -> Node:
    """The fusion, each of its parts under the conditions; so for fusions that are its parts."""
    if isinstance(fusion, Boost):
        return replace(fusion, child=_conditioned(fusion.child, conditions, span))
    assert isinstance(fusion, Fuse)
    made = []
    for part in fusion.parts:
        inner = isinstance(_unboosted(part), Fuse)
        made.append(_conditioned(part, conditions, span) if inner else _and([part, *conditions], span))
    return replace(fusion, parts=tuple(made))


def _is_condition(node: Node) -> bool:
    """Whether the clause scores nothing: filters, excluded clauses, and these combined."""
    return all(isinstance(part, Filter | Not) for part in _ends(node))


def _restricts(node: Node) -> bool:
    """Whether the clause only says which documents may be found, so that nearest documents are taken of those."""
    return all(isinstance(part, Filter | Not | Relation) and not _has_knn(part) for part in _ends(node))


def _ends(node: Node) -> list[Node]:
    """What and, or and boost combine, from the outside in down to other clauses."""
    ends: list[Node] = []
    waiting = [node]
    while waiting:
        part = waiting.pop()
        if isinstance(part, And | Or | Boost):
            waiting.extend(part.children)
        else:
            ends.append(part)
    return ends


def _unboosted(node: Node) -> Node:
    while isinstance(node, Boost):
        node = node.child
    return node


def _has_knn(node: Node) -> bool:
    return any(isinstance(part, Knn) for part in node.walk())
