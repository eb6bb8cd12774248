"""A whole tree as one query of tantivy, where all of it lies in one field's index.

That is so for words, phrases, items, filters beside words of `text`, and what is made of these by and, or, not and
boost. Near words, vectors and fused lists are not; nor is a `not` or a filter that stands alone, or in an `or`: the
index of a field does not hold the documents without words in it. Then there is None, and clauses are asked one by one.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, NamedTuple, Protocol

from askance.engines.embedded.lexical import is_sloppy, phrase_in, words_query
from askance.irl.nodes import And, Boost, Exact, Field, Filter, Lex, Node, Not, Or, Relation
from askance.text.analyzer import Analyzer

if TYPE_CHECKING:
    import tantivy


class Compiled(NamedTuple):
    """A query of tantivy, and whose index it is for."""

    field: str
    query: tantivy.Query


class Scope(NamedTuple):
    """Where a clause stands: in which field, inside which relation (its key)."""

    field: str = "text"
    relation: str | None = None


class Index(Protocol):
    """What the compiler must know."""

    analyzer: Analyzer
    tier_factor: float

    def index_of(self, field: str, relation: str | None) -> str | None:
        """The index that answers for words in a field; None where one alone cannot. UnknownName for no such field."""
        ...

    def has_words(self, field: str) -> bool:
        """Whether a field's index is there: not where no document has words in it."""
        ...

    def schema_of(self, field: str) -> tantivy.Schema: ...

    def relation_key(self, relation: str) -> str: ...

    def exact_query(self, clause: Exact, relation: str | None) -> tuple[tantivy.Query, float]: ...

    def filter_query(self, clause: Filter) -> tantivy.Query: ...


def compiled(node: Node, index: Index, scope: Scope) -> Compiled | None:
    """The tree as one query, or None."""
    match node:
        case Lex():
            return _lex(node, index, scope)
        case Exact() if index.has_words(items_index(scope.relation)):
            query, tier = index.exact_query(node, scope.relation)
            return _constant(items_index(scope.relation), query, tier * index.tier_factor)
        case Field():
            return compiled(node.child, index, Scope(node.name, scope.relation))
        case Relation():
            return compiled(node.child, index, Scope(scope.field, index.relation_key(node.name)))
        case Boost():
            return _boosted(compiled(node.child, index, scope), node.weight)
        case Or():
            return _or([compiled(part, index, scope) for part in node.parts])
        case And():
            return _and(node.parts, index, scope)
    return None


def items_index(relation: str | None) -> str:
    """The index that knows whole items: all of them, or those in a relation (its key)."""
    return "items" if relation is None else "facts"


def _lex(clause: Lex, index: Index, scope: Scope) -> Compiled | None:
    field = index.index_of(scope.field, scope.relation)
    if field is None or not index.has_words(field):
        return None
    phrase = phrase_in(index.analyzer, clause.text, scope.relation if field == "facts" else None)
    if is_sloppy(clause, phrase):
        return None
    return Compiled(field, words_query(index.schema_of(field), clause, phrase))


def _constant(field: str, query: tantivy.Query, score: float) -> Compiled:
    import tantivy

    return Compiled(field, tantivy.Query.const_score_query(query, score))


def _boosted(inner: Compiled | None, weight: float) -> Compiled | None:
    import tantivy

    return inner and Compiled(inner.field, tantivy.Query.boost_query(inner.query, weight))


def _or(parts: list[Compiled | None]) -> Compiled | None:
    import tantivy

    field = _one_field(parts)
    if field is None:
        return None
    should = [(tantivy.Occur.Should, part.query) for part in parts if part is not None]
    return Compiled(field, tantivy.Query.boolean_query(should))


def _and(parts: Iterable[Node], index: Index, scope: Scope) -> Compiled | None:
    import tantivy

    holding, forbidden, filters = [], [], []
    for part in parts:
        if isinstance(part, Not):
            forbidden.append(compiled(part.child, index, scope))
        elif isinstance(part, Filter):
            filters.append(part)
        else:
            holding.append(compiled(part, index, scope))
    field = _one_field([*holding, *forbidden]) if holding else None
    if field is None or (filters and field != "text"):
        return None
    clauses = [(tantivy.Occur.Must, part.query) for part in holding if part is not None]
    clauses += [(tantivy.Occur.MustNot, part.query) for part in forbidden if part is not None]
    for each in filters:
        clauses.append((tantivy.Occur.Must, tantivy.Query.const_score_query(index.filter_query(each), 0.0)))
    return Compiled(field, tantivy.Query.boolean_query(clauses))


def _one_field(parts: Iterable[Compiled | None]) -> str | None:
    fields = {part.field if part is not None else None for part in parts}
    return next(iter(fields)) if len(fields) == 1 else None
