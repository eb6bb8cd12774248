"""A tree of the language as one query body of OpenSearch.

Boosts are multiplied into the clauses that score. Clauses that only say which documents may be found go into filters,
excluded ones into `must_not`: neither scores. Nearest documents and fusions are lists, and lists are not a query of the
server's: they are asked for first (running.py) and stand in the tree as `Listed`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from askance.engines.evaluate import DEFAULT_FIELD
from askance.engines.opensearch.metadata_keys import filter_body
from askance.engines.opensearch.text_fields import FACTS, lines, path_of, sent
from askance.engines.words import key_of, keyword
from askance.irl.nodes import And, Boost, Exact, Field, Filter, Knn, Lex, Node, Not, Or, Relation, exact_tier
from askance.text.analyzer import Analyzer

Body = Mapping[str, Any]

NONE: Body = {"match_none": {}}
ALL: Body = {"match_all": {}}
MOST_TERMS = 65_536  # index.max_terms_count of a server that was not told otherwise

_GIVEN = "((Number) params.given.get(String.valueOf(doc['position'].value))).doubleValue()"


@dataclass(frozen=True, eq=False)
class Listed(Node):
    """Documents and their scores, as an earlier search gave them: positions int64 [n], scores float64 [n]."""

    positions: NDArray[np.int64]
    scores: NDArray[np.float64]


@dataclass(frozen=True)
class Scope:
    """What the clauses around a clause say of it. `allowed`: filters that nearest documents are taken within."""

    field: str = DEFAULT_FIELD
    relation: str | None = None
    allowed: tuple[Body, ...] = ()


@dataclass(frozen=True)
class Compiler:
    """What a body depends on besides the tree.

    `by_client`: words are cut here. `lexical`: what BM25 scores are multiplied by, so that they are on the index's
    scale whatever the server's is. `metadata`: key → kind → documents.
    """

    analyzer: Analyzer
    by_client: bool
    lexical: float
    metadata: Mapping[str, Mapping[str, int]]

    def body(self, node: Node, scope: Scope | None = None, weight: float = 1.0) -> Body:
        """The query of a tree without knn and fusions. UnknownName and BadInput as filters say."""
        scope = scope or Scope()
        match node:
            case Lex():
                return self._lex(node, scope, weight)
            case Exact():
                return self._exact(node, scope.relation, weight)
            case Filter():
                return unscored(filter_body(node, self.metadata))
            case Listed():
                return _listed(node, weight)
            case Not():
                return {"bool": {"filter": [ALL], "must_not": [self.condition(node.child, scope)]}}
            case And():
                return self._and(node.parts, scope, weight)
            case Or(parts):
                should = [self.body(part, scope, weight) for part in parts]
                return should[0] if len(should) == 1 else {"bool": {"should": should, "minimum_should_match": 1}}
            case Field(name, child):
                return self.body(child, replace(scope, field=name), weight)
            case Relation(name, child):
                return self.body(child, replace(scope, relation=name), weight)
            case Boost(times, child):
                return self.body(child, scope, weight * times)
        raise TypeError(f"{type(node).__name__} is no clause that stands in one query of OpenSearch")

    def related(self, relation: str) -> Body:
        """Documents with an item in this relation, for filters."""
        key = key_of(self.analyzer, relation)
        return {"term": {"relation": keyword(key)}} if key else NONE

    def condition(self, node: Node, scope: Scope) -> Body:
        """A clause of which only matters what it matches, for filters and for what is excluded."""
        return filter_body(node, self.metadata) if isinstance(node, Filter) else self.body(node, scope)

    def _lex(self, clause: Lex, scope: Scope, weight: float) -> Body:
        relation = None if scope.relation is None else key_of(self.analyzer, scope.relation)
        words = self.analyzer.terms(clause.text)
        if not words or relation == "":
            return NONE
        within = relation is not None and scope.field == "items"
        path = FACTS if within else path_of(scope.field)
        text = lines(self.analyzer, clause.text, relation) if within else self._sent(clause.text)
        found = _words(clause, path, text, len(words), weight * self.lexical)
        if relation is None or within:
            return found
        return {"bool": {"must": [found], "filter": [self.related(scope.relation or "")]}}

    def _sent(self, text: str) -> str:
        return sent(self.analyzer, text, self.by_client)

    def _exact(self, clause: Exact, relation: str | None, weight: float) -> Body:
        key = key_of(self.analyzer, clause.text)
        under = None if relation is None else key_of(self.analyzer, relation)
        if not key or under == "":
            return NONE
        term = {"exact": keyword(key)} if under is None else {"exact_in": keyword(f"{under}\x1f{key}")}
        tier = exact_tier(key.count(" ") + 1)
        return {"constant_score": {"filter": {"term": term}, "boost": tier * weight}}

    def _and(self, parts: Sequence[Node], scope: Scope, weight: float) -> Body:
        found: dict[str, list[Body]] = {"must": [], "filter": [], "must_not": []}
        for part in parts:
            if isinstance(part, Not):
                found["must_not"].append(self.condition(part.child, scope))
            elif scores_nothing(part):
                found["filter"].append(self.condition(part, scope))
            else:
                found["must"].append(self.body(part, scope, weight))
        if not found["must"] and not found["filter"]:
            found["filter"].append(ALL)
        return {"bool": {occur: bodies for occur, bodies in found.items() if bodies}}


def scores_nothing(node: Node) -> bool:
    """Whether all that a clause matches scores 0."""
    if isinstance(node, Filter | Not):
        return True
    if isinstance(node, Boost | Field | Relation):
        return scores_nothing(node.child)
    return isinstance(node, And | Or) and all(map(scores_nothing, node.parts))


def unscored(body: Body) -> Body:
    """The same documents, each scoring 0."""
    return {"bool": {"filter": [body]}}


def nearest_exactly(vector: Sequence[float], allowed: Sequence[Body]) -> Body:
    """All documents that have a vector, of those allowed, by their cosine with a unit vector: scores (1 + cos) / 2."""
    held = {"bool": {"filter": [{"exists": {"field": "vector"}}, *allowed]}}
    parameters = {"field": "vector", "query_value": list(vector), "space_type": "cosinesimil"}
    return {"script_score": {"query": held, "script": {"lang": "knn", "source": "knn_score", "params": parameters}}}


def nearest_by_graph(vector: Sequence[float], depth: int) -> Body:
    """Near documents by the graph (HNSW) of each segment: scores (1 + cos) / 2."""
    return {"knn": {"vector": {"vector": list(vector), "k": depth}}}


def _words(clause: Lex, path: str, text: str, words: int, boost: float) -> Body:
    asked: dict[str, Any] = {"query": text}
    if boost != 1:
        asked["boost"] = boost
    if clause.match == "phrase" and words > 1:
        if clause.slop:
            asked["slop"] = clause.slop
        return {"match_phrase": {path: asked}}
    if clause.match == "all":
        asked["operator"] = "and"
    return {"match": {path: asked}}


def _listed(node: Listed, weight: float) -> Body:
    positions = node.positions.tolist()
    if not positions:
        return NONE
    blocks = [positions[start : start + MOST_TERMS] for start in range(0, len(positions), MOST_TERMS)]
    terms = [{"terms": {"position": block}} for block in blocks]
    held = {"bool": {"filter": terms}} if len(terms) == 1 else {"bool": {"filter": [{"bool": {"should": terms}}]}}
    given = {str(position): score for position, score in zip(positions, node.scores.tolist(), strict=True)}
    script = {"source": _GIVEN, "params": {"given": given}}
    return {"script_score": {"query": held, "script": script, "boost": weight}}


def has_lists(node: Node) -> bool:
    """Whether a tree holds what has to be asked for first."""
    return any(isinstance(part, Knn) for part in node.walk())
