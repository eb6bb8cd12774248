"""Queries in Python: `knn("Who likes snow?") | lex("snow", slop=1) * 2` is `(or (knn …) (lex … :slop 1 :boost 2))`.

`a | b` is or, `a & b` is and, `~a` is not, `a * 2` is boost. Each function makes the clause that `parse` makes, and
raises BadQuery for a value that the language has not.
"""

from __future__ import annotations

from typing import TypeVar

from askance.irl.nodes import (
    FUSE_DEPTH,
    KNN_DEPTH,
    RRF_K,
    And,
    Boost,
    Exact,
    Field,
    Filter,
    Fuse,
    FuseKind,
    Knn,
    Lex,
    Match,
    Node,
    Not,
    Or,
    Relation,
)
from askance.irl.problems import BadQuery, Problem
from askance.irl.shape import of_clause

N = TypeVar("N", bound=Node)


def knn(text: str, *, depth: int = KNN_DEPTH) -> Knn:
    """The `depth` documents nearest to `text`."""
    return _sound(Knn(text, depth))


def lex(text: str, *, match: Match = "phrase", slop: int = 0) -> Lex:
    """Words of `text`: as a phrase, any of them, or all."""
    return _sound(Lex(text, match, slop))


def exact(text: str) -> Exact:
    """Documents with exactly this item."""
    return _sound(Exact(text))


def filter_(
    key: str, *values: str | float | bool, low: float | str | None = None, high: float | str | None = None
) -> Filter:
    """Documents whose metadata has one of the values, or lies from `low` to `high`."""
    return _sound(Filter(key, values, low, high))


def and_(*parts: Node) -> And:
    """What all parts match."""
    return _sound(And(parts))


def or_(*parts: Node) -> Or:
    """What any part matches."""
    return _sound(Or(parts))


def not_(child: Node) -> Not:
    """What `child` does not match."""
    return Not(child)


def field(name: str, child: Node) -> Field:
    """`child`, its lex clauses in that field."""
    return _sound(Field(name, child))


def relation(name: str, child: Node) -> Relation:
    """`child`, its items only as they stand in that relation."""
    return _sound(Relation(name, child))


def boost(weight: float, child: Node) -> Boost:
    """`child`, its scores times `weight`."""
    return _sound(Boost(weight, child))


def fuse(
    kind: FuseKind,
    *parts: Node,
    weights: tuple[float, ...] = (),
    k: float = RRF_K,
    depth: int = FUSE_DEPTH,
    min_score: float | None = None,
) -> Fuse:
    """The ranked lists of the parts, fused."""
    return _sound(Fuse(kind, parts, tuple(weights), k, depth, min_score))


def _sound(node: N) -> N:
    problems = [Problem(code, message) for code, message in of_clause(node)]
    if problems:
        raise BadQuery(problems)
    return node
