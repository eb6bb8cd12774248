"""A query over an index that answers the clauses that stand alone: what the clauses around them make of that.

Inside the tree scores are 64-bit sums of the leaves' 32-bit scores; the whole is rounded to 32 bits once, at the top or
where a list enters a fusion, so that how clauses are nested changes nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from askance.core.errors import BadInput
from askance.engines.fusion import Ranking, fuse
from askance.engines.matches import Leaves, Matches
from askance.engines.selection import best
from askance.irl.nodes import And, Boost, Exact, Field, Filter, Fuse, Knn, Lex, Node, Not, Or, Relation

Positions = NDArray[np.int64]
DEFAULT_FIELD = "text"


class NearestDocuments(Protocol):
    """Documents by their vectors."""

    def nearest(self, text: str, depth: int, allowed: Positions | None) -> Matches:
        """The `depth` documents nearest to the text, of those `allowed` (ascending; None: of all).

        A score is (1 + cos) / 2, cos rounded to 6 decimals; of equal scores the first positions are taken.
        """
        ...


@dataclass(frozen=True, eq=False)
class Scope:
    """What the clauses around a clause say of it: its field, its relation, and what nearest documents are taken of."""

    field: str = DEFAULT_FIELD
    relation: str | None = None
    allowed: Positions | None = None

    def of(self, positions: Positions) -> Scope:
        """The same, its nearest documents taken of these only."""
        return replace(self, allowed=positions if self.allowed is None else _both(self.allowed, positions))


class Evaluation:
    """One query over one index.

    Leaves that were asked once are not asked again, so that a tree whose clauses are looked at one by one costs what
    the tree costs.
    """

    def __init__(self, leaves: Leaves, vectors: NearestDocuments | None = None) -> None:
        self.leaves = leaves
        self.vectors = vectors
        self._known: dict[tuple[object, ...], Matches] = {}

    def matches(self, node: Node, scope: Scope | None = None) -> Matches:
        """What the clause matches, positions ascending; scores are 32-bit floats' values, of a fusion 64-bit."""
        found = self.unrounded(node, scope or Scope())
        return found if _fused(node) else rounded(found)

    def top(self, node: Node, limit: int, scope: Scope | None = None) -> tuple[Ranking, int]:
        """The best `limit` of what the clause matches, ties by position, and how many match in all."""
        found = self.matches(node, scope)
        chosen = best(found.scores, limit)
        return Ranking(found.positions[chosen], found.scores[chosen]), len(found.positions)

    def ranking(self, node: Node, limit: int, scope: Scope | None = None) -> Ranking:
        """The best `limit` alone."""
        return self.top(node, limit, scope)[0]

    def unrounded(self, node: Node, scope: Scope) -> Matches:
        """What the clause matches, scores in 64 bits."""
        match node:
            case Lex() | Exact() | Filter():
                return self.leaf(node, scope)
            case Knn():
                return self.knn(node, scope)
            case And(parts):
                inside = self.inside(node, scope)
                return added([self.unrounded(part, inside) for part in parts], least=len(parts))
            case Or(parts):
                return added([self.unrounded(part, scope) for part in parts])
            case Not(child):
                excluded = self.unrounded(child, scope).positions
                return unscored(without(self.leaves.all(), excluded))
            case Field(name, child):
                return self.unrounded(child, replace(scope, field=name))
            case Relation(name, child):
                return self.unrounded(child, replace(scope, relation=name))
            case Boost(weight, child):
                found = self.unrounded(child, scope)
                return Matches(found.positions, found.scores * weight)
            case Fuse():
                return self.fusion(node, scope)
        raise TypeError(f"{type(node).__name__} is no clause of the language")

    def inside(self, node: And, scope: Scope) -> Scope:
        """The scope of an and's parts: nearest documents are taken of what its restrictions let through."""
        if not any(isinstance(one, Knn) for one in node.walk()):
            return scope
        for part in node.parts:
            if restricts(part):
                scope = scope.of(self.unrounded(part, scope).positions)
        return scope

    def leaf(self, node: Lex | Exact | Filter, scope: Scope) -> Matches:
        """A clause that stands alone, asked once."""
        kinds = tuple(map(type, node.values)) if isinstance(node, Filter) else ()  # 1 and true are equal in Python
        key = (node, kinds, scope.field, scope.relation)
        if key not in self._known:
            if isinstance(node, Lex):
                found = self.leaves.lex(node, scope.field, scope.relation)
            elif isinstance(node, Exact):
                found = self.leaves.exact(node, scope.relation)
            else:
                found = unscored(self.leaves.filter(node))
            self._known[key] = found
        return self._known[key]

    def knn(self, node: Knn, scope: Scope) -> Matches:
        """The nearest documents of those the scope allows."""
        if self.vectors is None:
            raise BadInput(
                "the query has a knn clause and the index has no vectors",
                remedy="Build the index with an embedder, or leave the clause out.",
            )
        if scope.relation is not None:
            scope = scope.of(self.leaves.related(scope.relation))
        return self.vectors.nearest(node.text, node.depth, scope.allowed)

    def fusion(self, node: Fuse, scope: Scope) -> Matches:
        """The parts' lists, fused."""
        lists = [self.ranking(part, node.depth, scope) for part in node.parts]
        return by_position(fuse(lists, node.kind, node.weights, node.k, node.depth, node.min_score))


def evaluate(node: Node, leaves: Leaves, vectors: NearestDocuments | None = None) -> Matches:
    """What the query matches, positions ascending, scores on the index's scale.

    BadInput for a knn clause where there are no vectors; UnknownName for a field or metadata key that is not there.
    """
    return Evaluation(leaves, vectors).matches(node)


def restricts(node: Node) -> bool:
    """Whether the clause only says which documents may be found: filters, relations, excluded clauses, any of them."""
    if isinstance(node, Filter | Not):
        return True
    if isinstance(node, Relation):
        return not any(isinstance(one, Knn) for one in node.walk())
    if isinstance(node, Boost | Field):
        return restricts(node.child)
    return isinstance(node, And | Or) and all(restricts(part) for part in node.parts)


def unscored(positions: Positions) -> Matches:
    """Matches that score nothing."""
    return Matches(positions, np.zeros(len(positions)))


def rounded(found: Matches) -> Matches:
    """The same, every score that of a 32-bit float."""
    return Matches(found.positions, found.scores.astype(np.float32).astype(np.float64))


def by_position(ranking: Ranking) -> Matches:
    """A ranked list as matches."""
    order = np.argsort(ranking.positions, kind="stable")
    return Matches(ranking.positions[order], ranking.scores[order])


def added(found: Sequence[Matches], least: int = 1) -> Matches:
    """The documents that at least so many of these match; scores added in their order."""
    if len(found) == 1:
        return found[0]
    positions = np.concatenate([one.positions for one in found])
    order = np.argsort(positions, kind="stable")  # a merge: each part is in order already
    positions = positions[order]
    begin = np.flatnonzero(np.diff(positions, prepend=-1))
    if not len(begin):
        return Matches(positions, np.zeros(0))
    scores = np.add.reduceat(np.concatenate([one.scores for one in found])[order], begin)
    enough = np.diff(begin, append=len(positions)) >= least
    return Matches(positions[begin[enough]], scores[enough])


def without(positions: Positions, excluded: Positions) -> Positions:
    """Those of `positions` that are not in `excluded`, in order."""
    return positions[~np.isin(positions, excluded, assume_unique=True)]


def _both(one: Positions, other: Positions) -> Positions:
    return np.intersect1d(one, other, assume_unique=True)


def _fused(node: Node) -> bool:
    while isinstance(node, Boost):
        node = node.child
    return isinstance(node, Fuse)
