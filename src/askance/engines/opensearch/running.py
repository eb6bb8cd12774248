"""Queries run on a cluster: lists that others need are asked for first, those of many queries together.

A query is a routine that says which searches it needs next and is given their answers, until it has its own. All
queries of a batch are advanced side by side, so that a round costs one request, however many there are.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from askance.core.errors import BadInput
from askance.engines.evaluate import restricts
from askance.engines.exact_vectors import DECIMALS
from askance.engines.fusion import Ranking, fuse
from askance.engines.opensearch.compiling import (
    Body,
    Compiler,
    Listed,
    Scope,
    nearest_by_graph,
    nearest_exactly,
)
from askance.engines.opensearch.server_fusion import fused_body
from askance.engines.selection import best
from askance.irl.nodes import And, Boost, Field, Fuse, Knn, Node, Or, Relation

WINDOW = 10_000  # index.max_result_window: deeper lists are paged through a point in time
SPARE = 32  # nearest documents asked for beyond the depth: cosines that are equal when rounded stand by position


@dataclass(frozen=True)
class Wanted:
    """A search: the query, and how many of its documents. `whole`: a body of another form, sent as it is."""

    query: Body
    limit: int
    whole: Body | None = None

    def body(self) -> Body:
        """The body of the search: what it matches, how many, ties by position; no document but its identifier."""
        return self.whole or search_body(self.query, self.limit)


@dataclass(frozen=True, eq=False)
class Hits:
    """The answer to a search: documents best first, ties by position, and how many match in all."""

    ids: tuple[str, ...]
    positions: NDArray[np.int64]
    scores: NDArray[np.float64]
    total: int


Result = TypeVar("Result")
Routine = Generator[list[Wanted], list[Hits], Result]


class Ask(Protocol):
    """Whatever searches: answers in order."""

    def __call__(self, wanted: Sequence[Wanted]) -> list[Hits]: ...


@dataclass(frozen=True)
class Running:
    """What routines share. `vector`: a question's, as the index's model embeds it; `approximate`: near documents that
    nothing restricts are found by the graph."""

    compiler: Compiler
    vector: Callable[[str], NDArray[np.float32]] | None = None
    approximate: bool = False

    def top(self, node: Node, limit: int, scope: Scope | None = None) -> Routine[Hits]:
        """The best `limit` documents of a tree in its normal form, ties by position, and how many match."""
        scope = scope or Scope()
        inner, weight = _unboosted(node)
        if isinstance(inner, Fuse):
            return (yield from self._fused(inner, weight, limit, scope))
        if isinstance(inner, Knn):
            found = yield from self.nearest(inner, scope)
            chosen = _times(found, weight)
            return _first(chosen, limit)
        ready = yield from self.resolved(node, scope)
        (hits,) = yield [Wanted(self.compiler.body(ready, scope), limit)]
        return hits

    def top_there(self, node: Node, limit: int, version: tuple[int, int]) -> Routine[Hits]:
        """The same of a fusion that the server makes. BadInput where it cannot."""
        fusion, weight = _unboosted(node)
        assert isinstance(fusion, Fuse)
        lists = yield from together([self._list_there(part) for part in fusion.parts])
        body = fused_body(fusion, lists, limit, version)
        (hits,) = yield [Wanted(body["query"], limit, body)]
        return _times(hits, weight)

    def _list_there(self, part: Node) -> Routine[Body]:
        scope = Scope()
        if isinstance(part, Knn):
            vector = self._vector_of(part)
            return nearest_by_graph(vector, part.depth) if self.approximate else nearest_exactly(vector, ())
        return self.compiler.body((yield from self.resolved(part, scope)), scope)

    def nearest(self, clause: Knn, scope: Scope) -> Routine[Hits]:
        """The list of a knn clause: its `depth` nearest documents of those the scope allows, scores (1 + cos) / 2."""
        vector = self._vector_of(clause)
        allowed = list(scope.allowed)
        if scope.relation is not None:
            allowed.append(self.compiler.related(scope.relation))
        if self.approximate and not allowed:
            (hits,) = yield [Wanted(nearest_by_graph(vector, clause.depth), clause.depth)]
        else:
            (hits,) = yield [Wanted(nearest_exactly(vector, allowed), _with_spare(clause.depth))]
        return _nearest(hits, 2.0 * hits.scores - 1.0, clause.depth)

    def resolved(self, node: Node, scope: Scope) -> Routine[Node]:
        """The same tree, every knn clause replaced by its list."""
        if not any(isinstance(part, Knn) for part in node.walk()):
            return node
        match node:
            case Knn():
                hits = yield from self.nearest(node, scope)
                order = np.argsort(hits.positions)
                return Listed(hits.positions[order], hits.scores[order])
            case And(parts):
                inside = self.inside(node, scope)
                ready = yield from together([self.resolved(part, inside) for part in parts])
                return replace(node, parts=tuple(ready))
            case Or(parts):
                ready = yield from together([self.resolved(part, scope) for part in parts])
                return replace(node, parts=tuple(ready))
            case Field(name, child):
                return replace(node, child=(yield from self.resolved(child, replace(scope, field=name))))
            case Relation(name, child):
                return replace(node, child=(yield from self.resolved(child, replace(scope, relation=name))))
            case Boost(_, child):
                return replace(node, child=(yield from self.resolved(child, scope)))
        raise TypeError(f"there is no knn clause inside {type(node).__name__}")

    def inside(self, node: And, scope: Scope) -> Scope:
        """The scope of an and's parts: nearest documents are taken of what its restrictions let through."""
        restrictions = tuple(self.compiler.condition(part, scope) for part in node.parts if restricts(part))
        return replace(scope, allowed=(*scope.allowed, *restrictions))

    def _vector_of(self, clause: Knn) -> list[float]:
        if self.vector is None:
            raise BadInput(
                "the query has a knn clause and the index has no vectors",
                remedy="Build the index with an embedder, or leave the clause out.",
            )
        found: list[float] = self.vector(clause.text).tolist()
        return found

    def _fused(self, node: Fuse, weight: float, limit: int, scope: Scope) -> Routine[Hits]:
        lists = yield from together([self.top(part, node.depth, scope) for part in node.parts])
        names = {int(at): id for one in lists for at, id in zip(one.positions, one.ids, strict=True)}
        rankings = [Ranking(one.positions, one.scores) for one in lists]
        fused = fuse(rankings, node.kind, node.weights, node.k, node.depth, node.min_score)
        scores = fused.scores * weight if weight != 1 else fused.scores
        ids = tuple(names[int(at)] for at in fused.positions[:limit])
        return Hits(ids, fused.positions[:limit], scores[:limit], len(fused.positions))


def together(routines: Sequence[Routine[Result]]) -> Routine[list[Result]]:
    """Several routines side by side: what they need next is asked for in one round."""
    results: dict[int, Result] = {}
    waiting: dict[int, list[Wanted]] = {}
    for number, routine in enumerate(routines):
        _advance(number, routine, None, waiting, results)
    while waiting:
        asked = dict(waiting)
        answers = yield [one for wanted in asked.values() for one in wanted]
        waiting.clear()
        start = 0
        for number, wanted in asked.items():
            _advance(number, routines[number], answers[start : start + len(wanted)], waiting, results)
            start += len(wanted)
    return [results[number] for number in range(len(routines))]


def run(routine: Routine[Result], ask: Ask) -> Result:
    """Drive a routine to its result."""
    answers: list[Hits] | None = None
    while True:
        try:
            wanted = next(routine) if answers is None else routine.send(answers)
        except StopIteration as done:
            result: Result = done.value
            return result
        answers = ask(wanted)


def _advance(
    number: int,
    routine: Routine[Result],
    answers: list[Hits] | None,
    waiting: dict[int, list[Wanted]],
    results: dict[int, Result],
) -> None:
    try:
        waiting[number] = next(routine) if answers is None else routine.send(answers)
    except StopIteration as done:
        results[number] = done.value


def search_body(query: Body, limit: int) -> Mapping[str, Any]:
    """The body of a search: the query, ties by position, no document but its identifier."""
    return {
        "query": query,
        "size": limit,
        "sort": [{"_score": "desc"}, {"position": "asc"}],
        "track_total_hits": True,
        "_source": False,
    }


def _with_spare(depth: int) -> int:
    """Some more than the depth, unless that alone would need pages."""
    return min(depth + SPARE, max(depth, WINDOW))


def _nearest(hits: Hits, cosines: NDArray[np.float64], depth: int) -> Hits:
    """The best `depth` by cosines rounded as everywhere, ties by position."""
    cosines = np.round(cosines, DECIMALS)
    order = np.lexsort((hits.positions, -cosines))[:depth]
    scores = ((1.0 + cosines[order]) / 2.0).astype(np.float32).astype(np.float64)
    return Hits(tuple(hits.ids[at] for at in order), hits.positions[order], scores, len(order))


def _times(hits: Hits, weight: float) -> Hits:
    if weight == 1:
        return hits
    scores = (hits.scores * weight).astype(np.float32).astype(np.float64)
    return replace(hits, scores=scores)


def _first(hits: Hits, limit: int) -> Hits:
    chosen = best(hits.scores, limit) if len(hits.scores) > limit else np.arange(len(hits.scores))
    return Hits(tuple(hits.ids[at] for at in chosen), hits.positions[chosen], hits.scores[chosen], hits.total)


def _unboosted(node: Node) -> tuple[Node, float]:
    weight = 1.0
    while isinstance(node, Boost):
        weight *= node.weight
        node = node.child
    return node, weight


def bare(node: Node) -> Node:
    """The clause without the boosts around it."""
    return _unboosted(node)[0]
