"""Queries made in Python are those that are read from text."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from askance import irl
from askance.irl.builder import and_, boost, exact, field, filter_, fuse, knn, lex, not_, or_, relation
from askance.irl.nodes import Boost, Lex, Node, Or
from askance.irl.parser import parse
from askance.irl.problems import BadQuery

A, B, C = lex("a"), lex("b"), lex("c")


@pytest.mark.parametrize(
    ("query", "text"),
    [
        (knn("q", depth=5), '(knn "q" :depth 5)'),
        (lex("a b", slop=2), '(lex "a b" :slop 2)'),
        (lex("a b", match="any"), '(lex "a b" :match any)'),
        (exact("x"), '(exact "x")'),
        (filter_("k", 1, "x", True), '(filter k 1 "x" true)'),
        (filter_("k", low=1, high=2), "(filter k :from 1 :to 2)"),
        (field("items", A), '(lex "a" :field items)'),
        (relation("likes", exact("x")), '(relation "likes" (exact "x"))'),
        (boost(2, A), '(lex "a" :boost 2)'),
        (
            fuse("rrf", A, B, weights=(1, 2), k=10, depth=5, min_score=0.1),
            '(or (lex "a") (lex "b") :fuse rrf :weights (1 2) :k 10 :depth 5 :min-score 0.1)',
        ),
        (and_(A), '(and (lex "a"))'),
        (or_(A, or_(B, C)), '(or (lex "a") (or (lex "b") (lex "c")))'),
        (not_(A), '(not (lex "a"))'),
        (A | B | C, '(or (lex "a") (lex "b") (lex "c"))'),
        (A | (B | C), '(or (lex "a") (lex "b") (lex "c"))'),
        (A & B & C, '(and (lex "a") (lex "b") (lex "c"))'),
        (A & B | C, '(or (and (lex "a") (lex "b")) (lex "c"))'),
        (A & (B | C), '(and (lex "a") (or (lex "b") (lex "c")))'),
        (~A & B, '(and (not (lex "a")) (lex "b"))'),
        (~(A | B), '(not (or (lex "a") (lex "b")))'),
        (2 * A | B * 0.5, '(or (lex "a" :boost 2) (lex "b" :boost 0.5))'),
        ((A | B) * 2 | C, '(or (or (lex "a") (lex "b") :boost 2) (lex "c"))'),
        (A * 2 * 3, '(boost 3 (lex "a" :boost 2))'),
        (fuse("sum", A) | B, '(or (or (lex "a") :fuse sum) (lex "b"))'),
    ],
)
def test_the_same_as_written(query: Node, text: str) -> None:
    assert query == parse(text)


def test_operators_take_clauses_and_numbers_alone() -> None:
    for wrong in ("text", 3, None):
        with pytest.raises(TypeError):
            A | wrong
        with pytest.raises(TypeError):
            A & wrong
    with pytest.raises(TypeError):
        A * "2"
    assert Boost(2.0, A) == 2 * A
    assert isinstance((A * 2).weight, float)


def test_clauses_are_values() -> None:
    assert {lex("a"): 1}[Lex("a")] == 1
    assert parse('  (or (lex "a") (lex "b"))') == Or((A, B))
    assert hash(parse('  (lex "a")')) == hash(A)


@pytest.mark.parametrize(
    ("make", "code"),
    [
        (lambda: knn("q", depth=0), "IRL013"),
        (lambda: lex("a", slop=-1), "IRL013"),
        (lambda: lex("a", match="words"), "IRL019"),  # type: ignore[arg-type]
        (lambda: lex("\ud800"), "IRL016"),
        (lambda: lex(3), "IRL009"),  # type: ignore[arg-type]
        (lambda: boost(0, A), "IRL013"),
        (lambda: filter_("k"), "IRL008"),
        (lambda: and_(), "IRL008"),
        (lambda: or_(), "IRL008"),
        (lambda: fuse("rrf"), "IRL008"),
        (lambda: fuse("rrf", A, weights=(1, 1)), "IRL020"),
        (lambda: fuse("rrf", A, k=0), "IRL013"),
    ],
)
def test_values_the_language_has_not(make: Callable[[], Node], code: str) -> None:
    with pytest.raises(BadQuery) as raised:
        make()
    assert [str(problem.code) for problem in raised.value.problems] == [code]


def test_the_package_gives_the_public_names() -> None:
    assert irl.parse('(lex "a")') == irl.lex("a") == irl.Lex("a")
    for name in irl.__all__:
        assert getattr(irl, name) is not None
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = irl.nothing
