"""Printing, and that what is printed reads as the same tree."""

from __future__ import annotations

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.irl.strategies import queries

from askance.irl.nodes import And, Boost, Exact, Field, Filter, Fuse, Knn, Lex, Node, Not, Or, Relation
from askance.irl.parser import parse
from askance.irl.printer import number, pretty, print_query, quote
from askance.irl.problems import BadQuery

A, B = Lex("a"), Lex("b")


@settings(deadline=None)
@given(queries())
def test_what_is_printed_reads_as_the_same_tree_and_prints_the_same(query: Node) -> None:
    printed = print_query(query)
    assert "\n" not in printed
    again = parse(printed)
    assert again == query
    assert print_query(again) == printed
    laid_out = parse(pretty(query))
    assert laid_out == query
    assert print_query(laid_out) == printed


@settings(deadline=None)
@given(st.text())
def test_any_text_comes_back(text: str) -> None:
    if any("\ud800" <= letter <= "\udfff" for letter in text):
        with pytest.raises(BadQuery, match="IRL016"):
            quote(text)
    else:
        assert parse(f"(lex {quote(text)})") == Lex(text)
        assert quote(text).isprintable() or not text.isprintable()


@settings(deadline=None)
@given(st.floats(allow_nan=False, allow_infinity=False) | st.integers(-(10**300), 10**300))
def test_any_number_comes_back(value: float) -> None:
    read = parse(f"(filter key {number(value)})")
    assert isinstance(read, Filter)
    assert read.values == (value,)


@pytest.mark.parametrize(
    ("query", "printed"),
    [
        (
            Or((Knn("Who likes Birch Trees?"), Lex("Birch Trees"))),
            '(or (knn "Who likes Birch Trees?") (lex "Birch Trees"))',
        ),
        (Knn("q", 10), '(knn "q" :depth 10)'),
        (Knn("q", 1000), '(knn "q")'),
        (Lex("a b", "any"), '(lex "a b" :match any)'),
        (Lex("a b", slop=2), '(lex "a b" :slop 2)'),
        (Boost(2.0, Field("items", A)), '(lex "a" :field items :boost 2)'),
        (Field("items", Boost(2.0, A)), '(field items (lex "a" :boost 2))'),
        (Boost(2.0, Boost(0.5, A)), '(boost 2 (lex "a" :boost 0.5))'),
        (Boost(2.0, Or((A, B))), '(or (lex "a") (lex "b") :boost 2)'),
        (Field("a field", Exact("x")), '(exact "x" :field "a field")'),
        (Field("f", And((A,))), '(field f (and (lex "a")))'),
        (Relation("does not like", Exact("x")), '(relation "does not like" (exact "x"))'),
        (Not(A), '(not (lex "a"))'),
        (Filter("year", (2020, 2021.5, True, "true")), '(filter year 2020 2021.5 true "true")'),
        (Filter("a key", low=1, high=2e20), '(filter "a key" :from 1 :to 2e+20)'),
        (Filter("id", (12345678901234567890,)), "(filter id 12345678901234567890)"),
        (
            Fuse("rrf", (A, B), (1.0, 0.0), 10, 50, -1.5),
            '(or (lex "a") (lex "b") :fuse rrf :weights (1 0) :k 10 :depth 50 :min-score -1.5)',
        ),
        (
            Lex('say "hi" \\ \n\t\r\x00\x1b\u2028\u202e'),
            '(lex "say \\"hi\\" \\\\ \\n\\t\\r\\u0000\\u001b\\u2028\\u202e")',
        ),
        (Lex("Levi’s 中文 😀"), '(lex "Levi’s 中文 😀")'),
    ],
)
def test_canonical(query: Node, printed: str) -> None:
    assert print_query(query) == printed


def test_pretty() -> None:
    query = Boost(2.0, Fuse("rrf", (And((A, Not(B))), Field("items", Or((Lex("x" * 50), Lex("y" * 50))))), (2.0, 1.0)))
    assert pretty(query).splitlines() == [
        "(or",
        "  (and",
        '    (lex "a")',
        '    (not (lex "b")))',
        "  (field items",
        "    (or",
        f'      (lex "{"x" * 50}")',
        f'      (lex "{"y" * 50}")))',
        "  :fuse rrf",
        "  :weights (2 1)",
        "  :boost 2)",
    ]


@pytest.mark.parametrize(
    ("query", "code"),
    [
        (And(()), "IRL008"),
        (Fuse("sum", ()), "IRL008"),
        (Boost(0.0, A), "IRL013"),
        (Boost(math.nan, A), "IRL013"),
        (Boost(math.inf, A), "IRL013"),
        (Knn("q", 0), "IRL013"),
        (Lex("a", slop=-1), "IRL013"),
        (Lex("a", "word"), "IRL019"),  # type: ignore[arg-type]
        (Lex("a", "any", 1), "IRL017"),
        (Lex("\udc00"), "IRL016"),
        (Filter("k"), "IRL008"),
        (Filter("k", ("a",), 1.0), "IRL017"),
        (Filter("k", low=1.0, high="z"), "IRL009"),
        (Filter("k", (10**400,)), "IRL013"),
        (Fuse("rrf", (A, B), (1.0,)), "IRL020"),
        (Fuse("rrf", (A, B), (0.0, 0.0)), "IRL020"),
        (Fuse("rrf", (A, B), (1.0, -1.0)), "IRL013"),
        (Fuse("sum", (A, B), k=10), "IRL017"),
        (Fuse("best", (A, B)), "IRL019"),  # type: ignore[arg-type]
    ],
)
def test_what_the_language_has_not_is_not_printed(query: Node, code: str) -> None:
    with pytest.raises(BadQuery) as raised:
        print_query(Not(query))
    assert [str(problem.code) for problem in raised.value.problems] == [code]


def test_a_tree_of_any_depth_is_refused_in_words() -> None:
    query: Node = A
    for _ in range(100_000):
        query = Not(query)
    with pytest.raises(BadQuery, match="IRL014"):
        print_query(query)
    while isinstance(query, Not):  # taken apart from the outside: Python would free it recursively
        query = query.child
