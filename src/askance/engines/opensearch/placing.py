"""Where one document stands in what a clause matches on a cluster: told by the server, no list is fetched for it.

A score is that of a search for this one document. Its place is one more than the number of documents that score more,
and of those that score the same and stand before it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from askance.engines.fusion import Ranking
from askance.engines.opensearch.compiling import Body, Scope, nearest_exactly
from askance.engines.opensearch.running import Ask, Running, run
from askance.irl.nodes import And, Boost, Fuse, Knn, Node

Send = Callable[[Sequence[Mapping[str, Any]]], Sequence[Mapping[str, Any]]]

_DEEPEST_FUSION = 10_000


class PlacingOnServer:
    """Placing over one index. `ask` gives the lists that clauses are made of, `send` the answers to bodies."""

    def __init__(self, running: Running, ask: Ask, send: Send) -> None:
        self._running, self._ask, self._send = running, ask, send
        self._ready: dict[int, Body] = {}  # by the identity of a clause
        self._lists: dict[int, Ranking] = {}

    def start(self) -> Scope:
        """The scope of the whole query."""
        return Scope()

    def inside(self, node: And, scope: Scope) -> Scope:
        """The scope of an and's parts."""
        return self._running.inside(node, scope)

    def placed(self, node: Node, scope: Scope, position: int) -> tuple[float | None, int | None]:
        """The document's score in what the clause matches, and its place, from 1."""
        bare = node
        while isinstance(bare, Boost):
            bare = bare.child
        if isinstance(bare, Fuse | Knn):
            depth = bare.depth if isinstance(bare, Knn) else _DEEPEST_FUSION
            return _in_list(self._list(node, depth, scope), position)
        return self._placed(self._body(node, scope), position)

    def ranking(self, node: Node, limit: int, scope: Scope) -> Ranking:
        """The best `limit` of what the clause matches."""
        hits = run(self._running.top(node, limit, scope), self._ask)
        return Ranking(hits.positions, hits.scores)

    def lets_in(self, scope: Scope, position: int) -> bool:
        """Whether nearest documents are taken of a set with this one among them."""
        allowed = self._allowed(scope)
        return not allowed or self._one({"bool": {"filter": allowed}}, position) is not None

    def nearness(self, clause: Knn, scope: Scope, position: int) -> tuple[int, float] | None:
        """The place among the nearest that the scope allows, from 1, and the cosine."""
        assert self._running.vector is not None
        score, place = self._placed(
            nearest_exactly(self._running.vector(clause.text).tolist(), self._allowed(scope)), position
        )
        return None if score is None or place is None else (place, 2.0 * score - 1.0)

    def _allowed(self, scope: Scope) -> list[Body]:
        if scope.relation is None:
            return list(scope.allowed)
        return [*scope.allowed, self._running.compiler.related(scope.relation)]

    def _body(self, node: Node, scope: Scope) -> Body:
        if id(node) not in self._ready:
            ready = run(self._running.resolved(node, scope), self._ask)
            self._ready[id(node)] = self._running.compiler.body(ready, scope)
        return self._ready[id(node)]

    def _list(self, node: Node, depth: int, scope: Scope) -> Ranking:
        if id(node) not in self._lists:
            self._lists[id(node)] = self.ranking(node, depth, scope)
        return self._lists[id(node)]

    def _one(self, body: Body, position: int) -> float | None:
        """The score of the document at a position, None where the query does not match it."""
        (answer,) = self._send([{"query": _only(body, position), "size": 1, "_source": False}])
        hits = answer["hits"]["hits"]
        return float(hits[0]["_score"]) if hits else None

    def _placed(self, body: Body, position: int) -> tuple[float | None, int | None]:
        score = self._one(body, position)
        if score is None:
            return None, None
        least = np.float32(score)
        more = float(np.nextafter(least, np.float32(np.inf)))
        before = {"bool": {"must": [body], "filter": [{"range": {"position": {"lt": position}}}]}}
        above, not_below_before, above_before = self._send(
            [_counted(body, more), _counted(before, float(least)), _counted(before, more)]
        )
        return score, 1 + _total(above) + _total(not_below_before) - _total(above_before)


def figures_in(explanation: Mapping[str, Any]) -> dict[str, float]:
    """Frequency, idf, the length that counts and the average one, from the server's explanation of one leaf."""
    found: dict[str, float] = {}
    for told, value in _told(explanation):
        if told.startswith(("freq,", "phraseFreq=")):
            found["frequency"] = value
        elif told.startswith("idf,"):
            found.setdefault("idf", value)  # of a phrase first the sum, then each word's
        elif told.startswith("dl,"):
            found["length as kept"] = value
        elif told.startswith("avgdl,"):
            found["mean length"] = value
    return found


def explained_body(body: Body, position: int | None = None) -> Mapping[str, Any]:
    """The body that asks the server how it scores the document at a position; without one the first it finds."""
    query = body if position is None else _only(body, position)
    return {"query": query, "size": 1, "_source": False, "explain": True}


def _only(body: Body, position: int) -> Body:
    return {"bool": {"must": [body], "filter": [{"term": {"position": position}}]}}


def _counted(body: Body, least: float) -> Mapping[str, Any]:
    return {"query": body, "size": 0, "track_total_hits": True, "min_score": least}


def _total(answer: Mapping[str, Any]) -> int:
    return int(answer["hits"]["total"]["value"])


def _in_list(ranking: Ranking, position: int) -> tuple[float | None, int | None]:
    at = np.flatnonzero(ranking.positions == position)
    return (float(ranking.scores[at[0]]), int(at[0]) + 1) if len(at) else (None, None)


def _told(explanation: Mapping[str, Any]) -> Iterator[tuple[str, float]]:
    yield str(explanation["description"]), float(explanation["value"])
    for part in explanation.get("details", ()):
        yield from _told(part)
