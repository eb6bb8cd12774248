"""What each clause of a query gave to one document: a tree of explanations beside the tree of the query.

Clauses that stand alone are explained together with the fields, relations and boosts directly around them. A score is
what the clause adds: boosts around it are multiplied in, and inside a fusion a part's score is what its list gives.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Protocol

import numpy as np

from askance.data.rows import offsets_of
from askance.engines.absence import Document, why_no_item, why_no_words, why_not_through
from askance.engines.engine import Explanation
from askance.engines.evaluate import Evaluation, Positions, Scope
from askance.engines.fusion import Lists, Ranking, checked_weights, given_by
from askance.engines.matches import Matches
from askance.irl.nodes import And, Boost, Exact, Field, Filter, Fuse, Knn, Lex, Node, Not, Or, Relation
from askance.irl.printer import print_query
from askance.text.analyzer import Analyzer


class Explainable(Protocol):
    """What explanations ask of an index."""

    analyzer: Analyzer

    def document_at(self, position: int) -> Document:
        """A document as it was indexed."""
        ...

    def lex_figures(self, clause: Lex, field: str, relation: str | None, position: int) -> Mapping[str, float]:
        """What the score of a lex clause in a document is made of: frequency, idf, length, average length, by name."""
        ...


class Places(Protocol):
    """Vectors that know where each document stands."""

    def place(self, text: str, position: int, allowed: Positions | None) -> tuple[int, float] | None:
        """The place among the nearest of all (or of those allowed), from 1, and the cosine; None without a vector."""
        ...


class Placing(Protocol):
    """Where one document stands in what a clause matches.

    A scope is what the clauses around a clause say of it: a dataclass with `field` and `relation`, and whatever else
    the index keeps in it. Every clause stands in one scope alone, so that what it matches may be kept.
    """

    def start(self) -> Any:
        """The scope of the whole query."""
        ...

    def inside(self, node: And, scope: Any) -> Any:
        """The scope of an and's parts."""
        ...

    def placed(self, node: Node, scope: Any, position: int) -> tuple[float | None, int | None]:
        """The document's score in what the clause matches, and its place, from 1; None, None where it is not there."""
        ...

    def ranking(self, node: Node, limit: int, scope: Any) -> Ranking:
        """The best `limit` of what the clause matches."""
        ...

    def lets_in(self, scope: Any, position: int) -> bool:
        """Whether nearest documents are taken of a set with this one among them."""
        ...

    def nearness(self, clause: Knn, scope: Any, position: int) -> tuple[int, float] | None:
        """The place among the nearest that the scope allows, from 1, and the cosine; None without a vector."""
        ...


class PlacingByMatches:
    """Placing by all that each clause matches, found once."""

    def __init__(self, run: Evaluation, places: Places | None = None) -> None:
        self._run, self._places = run, places
        self._found: dict[int, Matches] = {}  # by the identity of a clause

    def start(self) -> Scope:
        return Scope()

    def inside(self, node: And, scope: Scope) -> Scope:
        return self._run.inside(node, scope)

    def placed(self, node: Node, scope: Scope, position: int) -> tuple[float | None, int | None]:
        if id(node) not in self._found:
            self._found[id(node)] = self._run.unrounded(node, scope)
        return place_in(self._found[id(node)], position)

    def ranking(self, node: Node, limit: int, scope: Scope) -> Ranking:
        return self._run.ranking(node, limit, scope)

    def lets_in(self, scope: Scope, position: int) -> bool:
        allowed = self._allowed(scope)
        return allowed is None or position in allowed

    def nearness(self, clause: Knn, scope: Scope, position: int) -> tuple[int, float] | None:
        return None if self._places is None else self._places.place(clause.text, position, self._allowed(scope))

    def _allowed(self, scope: Scope) -> Positions | None:
        if scope.relation is None:
            return scope.allowed
        return scope.of(self._run.leaves.related(scope.relation)).allowed


class Explaining:
    """Explains one query over one index, for any of its documents. What clauses match is found once."""

    def __init__(self, tree: Node, placing: Placing, index: Explainable) -> None:
        """`tree`: as it runs, in its normal form."""
        self._tree = _apart(tree)
        self._placing, self._index = placing, index
        self._lists: dict[int, list[Ranking]] = {}

    def explain(self, position: int) -> Explanation:
        """What each clause gave to this document."""
        root = self._explain(self._tree, self._placing.start(), 1.0, position)
        if root.score is None or isinstance(_bare(self._tree), Fuse):
            return root
        return replace(root, score=float(np.float32(root.score)))

    def _explain(self, node: Node, scope: Any, weight: float, position: int) -> Explanation:
        inner, inside, boost = _inmost(node, scope)
        if isinstance(inner, Lex | Exact | Filter | Knn):
            return self._leaf(node, inner, inside, weight * boost, position)
        match node:
            case And():
                return self._and(node, scope, weight, position)
            case Or():
                parts = tuple(self._explain(part, scope, weight, position) for part in node.parts)
                return self._explained(node, scope, weight, position, _why_or(parts), parts)
            case Not():
                child = self._explain(node.child, scope, 0.0, position)
                why = "what it excludes matches" if child.matches else "what it excludes does not match"
                return self._explained(node, scope, 0.0, position, why, (child,))
            case Fuse():
                return self._fuse(node, scope, weight, position)
            case Boost():
                child = self._explain(node.child, scope, weight * node.weight, position)
                return self._explained(node, scope, weight, position, f"{child.why}, times {node.weight:g}", (child,))
            case Field():
                child = self._explain(node.child, replace(scope, field=node.name), weight, position)
                return self._explained(node, scope, weight, position, child.why, (child,))
            case Relation():
                child = self._explain(node.child, replace(scope, relation=node.name), weight, position)
                return self._explained(node, scope, weight, position, child.why, (child,))
        raise TypeError(f"{type(node).__name__} is no clause of the language")

    def _and(self, node: And, scope: Any, weight: float, position: int) -> Explanation:
        inside = self._placing.inside(node, scope)
        parts = tuple(self._explain(part, inside, weight, position) for part in node.parts)
        failed = [part for part in parts if not part.matches]
        why = f"all of its {len(parts)} clauses match"
        if failed:
            why = f"{len(failed)} of its {len(parts)} clauses do not match, first {failed[0].clause}: {failed[0].why}"
        return self._explained(node, scope, weight, position, why, parts)

    def _fuse(self, node: Fuse, scope: Any, weight: float, position: int) -> Explanation:
        if id(node) not in self._lists:
            self._lists[id(node)] = [self._placing.ranking(part, node.depth, scope) for part in node.parts]
        weights = checked_weights(node.weights, len(node.parts))
        parts = []
        for part, ranking, share in zip(node.parts, self._lists[id(node)], weights, strict=True):
            own = self._explain(part, scope, 1.0, position)
            parts.append(_listed(own, node, ranking, share / sum(weights), share, position))
        given = [part.score for part in parts if part.score is not None]
        why = _why_or(tuple(parts))
        if given and node.min_score is not None and sum(given) < node.min_score:
            why = f"{sum(given):.6g} after fusion, below the least score {node.min_score:g}"
        weighed = [part if part.score is None else replace(part, score=part.score * weight) for part in parts]
        return self._explained(node, scope, weight, position, why, tuple(weighed))

    def _leaf(self, node: Node, leaf: Node, scope: Any, weight: float, position: int) -> Explanation:
        raw, rank = self._placing.placed(leaf, scope, position)
        figures: dict[str, float] = {}
        if isinstance(leaf, Knn):
            why, figures = self._nearness(leaf, scope, raw is not None, position)
        elif isinstance(leaf, Lex):
            figures = dict(self._index.lex_figures(leaf, scope.field, scope.relation, position))
            why = _why_words(leaf, scope, figures) if raw is not None else self._no_words(leaf, scope, position)
        elif isinstance(leaf, Exact):
            why = "an item is exactly this"
            if raw is None:
                document = self._index.document_at(position)
                why = why_no_item(leaf, scope.relation, document, self._index.analyzer)
        else:
            assert isinstance(leaf, Filter)
            why = "it passes" if raw is not None else why_not_through(leaf, self._index.document_at(position))
            rank = None
        if raw is not None and weight not in (0.0, 1.0):
            figures = {**figures, "unweighted": raw, "weight": weight}
        score = None if raw is None else raw * weight
        return Explanation(print_query(node), _kind(leaf), score, why, node.span or leaf.span, rank, figures)

    def _no_words(self, leaf: Lex, scope: Any, position: int) -> str:
        document = self._index.document_at(position)
        return why_no_words(leaf, scope.field, scope.relation, document, self._index.analyzer)

    def _nearness(self, leaf: Knn, scope: Any, matches: bool, position: int) -> tuple[str, dict[str, float]]:
        if not self._placing.lets_in(scope, position):
            return "the conditions beside it leave the document out", {}
        told = self._placing.nearness(leaf, scope, position)
        if told is None:
            return ("it is among the nearest" if matches else "the document has no vector"), {}
        place, cosine = told
        figures = {"cosine": cosine, "place": float(place)}
        if matches:
            return f"place {place:,} of the nearest, cosine {cosine:.4f}", figures
        if place <= leaf.depth:
            return f"place {place:,} of the nearest, overlooked by a lookup that is not exact", figures
        return f"place {place:,} of the nearest, depth {leaf.depth:,}", figures

    def _explained(
        self, node: Node, scope: Any, weight: float, position: int, why: str, parts: tuple[Explanation, ...]
    ) -> Explanation:
        score, rank = self._placing.placed(node, scope, position)
        if isinstance(node, Not):
            rank = None
        given = None if score is None else score * weight
        return Explanation(print_query(node), _kind(node), given, why, node.span, rank, {}, parts)


def place_in(found: Matches, position: int) -> tuple[float | None, int | None]:
    """A document's score and its place, from 1, among these matches; None, None where it is not among them."""
    at = int(np.searchsorted(found.positions, position))
    if at == len(found.positions) or found.positions[at] != position:
        return None, None
    rounded = found.scores.astype(np.float32)
    before = np.count_nonzero(rounded > rounded[at]) + np.count_nonzero(rounded[:at] == rounded[at])
    return float(found.scores[at]), 1 + int(before)


def as_json(explanation: Explanation) -> dict[str, Any]:
    """{"clause", "kind", "score", "rank", "why", "span", "figures", "parts"}."""
    return {
        "clause": explanation.clause,
        "kind": explanation.kind,
        "score": explanation.score,
        "rank": explanation.rank,
        "why": explanation.why,
        "span": list(explanation.span) if explanation.span is not None else None,
        "figures": dict(explanation.figures),
        "parts": [as_json(part) for part in explanation.parts],
    }


def _listed(own: Explanation, node: Fuse, ranking: Ranking, share: float, weight: float, position: int) -> Explanation:
    """A part of a fusion: what its list gives to the document."""
    at = np.flatnonzero(ranking.positions == position)
    if not len(at):
        why = own.why
        if own.matches:
            rank = f"place {own.rank:,}" if own.rank is not None else "a place"
            why = f"{rank} of its list, and the first {node.depth:,} are fused"
        return replace(own, score=None, why=why)
    lists = Lists(offsets_of([len(ranking.positions)]), ranking.positions, ranking.scores)
    given = float(given_by(lists, node.kind, share if node.kind == "minmax" else weight, node.k)[at[0]])
    figures = {**own.figures, "in its list": float(ranking.scores[at[0]]), "weight in the fusion": weight}
    return replace(own, score=given, rank=int(at[0]) + 1, figures=figures)


def _apart(node: Node) -> Node:
    """The same tree, in which no clause stands at two places as one object."""
    match node:
        case And() | Or() | Fuse():
            return replace(node, parts=tuple(_apart(part) for part in node.parts))
        case Not() | Field() | Relation() | Boost():
            return replace(node, child=_apart(node.child))
    return replace(node)


def _inmost(node: Node, scope: Any) -> tuple[Node, Any, float]:
    """What fields, relations and boosts directly around a clause make of it: the clause, its scope, its weight."""
    weight = 1.0
    while isinstance(node, Field | Relation | Boost):
        if isinstance(node, Boost):
            weight *= node.weight
        elif isinstance(node, Field):
            scope = replace(scope, field=node.name)
        else:
            scope = replace(scope, relation=node.name)
        node = node.child
    return node, scope, weight


def _bare(node: Node) -> Node:
    while isinstance(node, Boost):
        node = node.child
    return node


def _kind(node: Node) -> str:
    return type(node).__name__.lower()


def _why_or(parts: tuple[Explanation, ...]) -> str:
    missing = [part.clause for part in parts if not part.matches]
    if len(missing) == len(parts):
        return "none of its clauses matches"
    if not missing:
        return f"all of its {len(parts)} clauses match"
    return f"{len(parts) - len(missing)} of its {len(parts)} clauses match; not {', '.join(missing)}"


def _why_words(leaf: Lex, scope: Any, figures: Mapping[str, float]) -> str:
    where = scope.field if scope.relation is None else f"{scope.field}, in the relation '{scope.relation}'"
    if "frequency" not in figures:
        return f"words of it occur in {where}"
    times = figures["frequency"]
    often = {1.0: "once", 2.0: "twice"}.get(times, f"{times:g} times")
    return f"it occurs {often} in {where}"
