"""Reading: what is written becomes which tree, with which spans, in which time."""

from __future__ import annotations

import sys
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.irl.strategies import queries

from askance.irl.nodes import And, Boost, Exact, Field, Filter, Fuse, Knn, Lex, Node, Not, Or, Relation
from askance.irl.parser import parse, read
from askance.irl.problems import BadQuery

A, B = Lex("a"), Lex("b")


@pytest.mark.parametrize(
    ("text", "query"),
    [
        (
            '(or (knn "Who likes Birch Trees?") (lex "Birch Trees"))',
            Or((Knn("Who likes Birch Trees?"), Lex("Birch Trees"))),
        ),
        ('(knn "q" :depth 10)', Knn("q", 10)),
        ('(lex "a b" :match any)', Lex("a b", "any")),
        ('(lex "a b" :match all)', Lex("a b", "all")),
        ('(lex :slop 2 "a b")', Lex("a b", slop=2)),
        ('(lex "a b" :slop 2.0)', Lex("a b", slop=2)),
        ('(lex "")', Lex("")),
        ('(exact "Peter, Paul and Mary")', Exact("Peter, Paul and Mary")),
        ('(exact "x" :field items)', Field("items", Exact("x"))),
        ('(lex "a" :boost 2 :field items)', Boost(2.0, Field("items", A))),
        ('(lex "a" :field "my field")', Field("my field", A)),
        ('(field items (lex "a" :boost 2) :boost 3)', Boost(3.0, Field("items", Boost(2.0, A)))),
        ('(boost 2 (lex "a") :boost 3)', Boost(3.0, Boost(2.0, A))),
        ('(and (lex "a"))', And((A,))),
        ('(or (lex "a"))', Or((A,))),
        ('(and (lex "a") (not (lex "b")))', And((A, Not(B)))),
        ('(relation "does not like" (exact "x"))', Relation("does not like", Exact("x"))),
        ('(relation likes (exact "x"))', Relation("likes", Exact("x"))),
        ('(filter lang "de" "en")', Filter("lang", ("de", "en"))),
        ('(filter "the key" 1 -2.5 1e3 true false "true")', Filter("the key", (1, -2.5, 1000.0, True, False, "true"))),
        ("(filter year :from 2020)", Filter("year", low=2020)),
        ('(filter day :to "2026-01-31" :from "2026-01-01")', Filter("day", low="2026-01-01", high="2026-01-31")),
        ("(filter id 12345678901234567890)", Filter("id", (12345678901234567890,))),
        ('(or (lex "a") (lex "b") :fuse rrf)', Fuse("rrf", (A, B))),
        ('(or :fuse sum (lex "a"))', Fuse("sum", (A,))),
        (
            '(or (lex "a") :fuse rrf (lex "b") :weights (1 0) :k 10 :depth 5 :min-score -0.5 :boost 2)',
            Boost(2.0, Fuse("rrf", (A, B), (1.0, 0.0), 10, 5, -0.5)),
        ),
        ('; first\n(or ; the question\n (knn "q") ; " ) (\r\n\t(lex "a"))\u3000; end', Or((Knn("q"), A))),
        ('(or(lex"a")(lex"b"))', Or((A, B))),
        (r'(lex "\"a\" \\ \n\t\r\u00e9\ud83d\ude00\u0000")', Lex('"a" \\ \n\t\ré😀\x00')),
        ('(lex "one\ntwo\t;(:\'‘”")', Lex("one\ntwo\t;(:'‘”")),
        ('(lex "Levi\'s") ', Lex("Levi's")),
    ],
)
def test_what_is_written(text: str, query: Node) -> None:
    assert parse(text) == query


def test_values_of_filters_keep_their_kind() -> None:
    """True equals 1 in Python: the kinds are compared as well."""
    query = parse('(filter k 1 1.0 true "1" 9007199254740993)')
    assert isinstance(query, Filter)
    assert [type(value) for value in query.values] == [int, float, bool, str, int]
    assert query.values[-1] == 9007199254740993


def test_weights_are_floats_and_counts_whole() -> None:
    query = parse('(or (lex "a" :slop 2 :boost 2) :fuse rrf :weights (1) :k 10 :depth 7)')
    assert isinstance(query, Fuse)
    assert [type(one) for one in (query.k, query.depth, *query.weights)] == [float, int, float]


def test_every_clause_knows_where_it_was_written() -> None:
    text = '; é\n(or (knn "q") (lex "a" :field f :boost 2) (not (exact "x")) :fuse rrf :weights (1 1 1))'
    spans = [(type(node).__name__, text[slice(*node.span)]) for node in parse(text).walk() if node.span]
    scoped = '(lex "a" :field f :boost 2)'
    assert spans == [
        ("Fuse", text[4:]),
        ("Knn", '(knn "q")'),
        ("Boost", scoped),
        ("Field", scoped),
        ("Lex", scoped),
        ("Not", '(not (exact "x"))'),
        ("Exact", '(exact "x")'),
    ]


@settings(deadline=None)
@given(st.text(st.sampled_from('()";:\\ \n\tabkorlex1-.é“𝒳'), max_size=60) | st.text(max_size=40))
def test_any_text_is_a_query_or_a_list_of_problems(text: str) -> None:
    found = read(text)
    assert (found.node is None) == bool(found.problems)
    for problem in found.problems:
        assert problem.span is not None
        assert 0 <= problem.span.start <= problem.span.end <= len(text) + 1
    if found.problems:
        with pytest.raises(BadQuery) as raised:
            parse(text)
        assert str(raised.value).count("error[IRL") == len(found.problems)


@settings(deadline=None)
@given(queries(), st.data())
def test_a_query_with_a_part_cut_out_never_surprises(query: Node, data: st.DataObject) -> None:
    from askance.irl.printer import print_query

    text = print_query(query)
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, len(text)))
    found = read(text[:start] + text[end:])
    assert (found.node is None) == bool(found.problems)


HOSTILE = {
    "10 MB": "(" * 10_000_000,
    "10 MB of a good query": "(or " + '(lex "a") ' * 1_000_000 + ")",
    "100,000 parentheses": "(" * 100_000,
    "100,000 parentheses, closed": "(" * 100_000 + ")" * 100_000,
    "100,000 clauses deep": "(not " * 100_000 + '(lex "a")' + ")" * 100_000,
    "closing parentheses": ")" * 1_000_000,
    "quotes": '"' * 999_999,
    "an endless text": '(lex "' + 'a\\"' * 330_000,
    "backslashes": '"' + "\\" * 999_999,
    "colons": ":" * 1_000_000,
    "blanks": " " * 1_000_000,
    "comments": ";\n" * 500_000,
    "digits": "1" * 1_000_000,
    "one word": "a" * 1_000_000,
    "unknown operators": "(lexx)" * 160_000,
    "problems on many lines": "\n" * 900_000 + "(lexx)\n" * 14_000,
    "one option again and again": '(lex "a"' + " :slop 1" * 120_000 + ")",
    "weights": '(or (lex "a") :fuse rrf :weights (' + "1 " * 490_000 + "))",
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_texts_end_quickly_with_an_error(name: str) -> None:
    text = HOSTILE[name]
    begun = time.process_time()
    with pytest.raises(BadQuery) as raised:
        parse(text)
    assert time.process_time() - begun < 5  # a square of their length would take hours
    assert len(str(raised.value)) < 10_000


def test_a_long_query_is_read_in_linear_time() -> None:
    def took(clauses: int) -> float:
        text = "(or " + '(lex "a") ' * clauses + ")"
        begun = time.process_time()
        assert len(parse(text).children) == clauses
        return time.process_time() - begun

    short = min(took(2_000) for _ in range(3))
    assert took(40_000) < 20 * short * 6


def test_the_depth_is_bounded_and_not_by_python() -> None:
    def nested(depth: int, around: str = "(not ") -> str:
        return around * (depth - 1) + '(lex "a")' + ")" * (depth - 1)

    limit = sys.getrecursionlimit()
    assert parse(nested(200)).span is not None
    with pytest.raises(BadQuery, match="IRL014"):
        parse(nested(201))
    with pytest.raises(BadQuery, match="IRL014"):
        parse("(not " * 120 + '(lex "a")' + " :boost 2)" * 120)  # each parenthesis is two clauses
    assert sys.getrecursionlimit() == limit


def test_the_length_is_bounded() -> None:
    text = '(lex "a")'
    assert parse(text + " " * (1_000_000 - len(text))) == A
    with pytest.raises(BadQuery, match=r"IRL015.*1,000,001 characters, of at most 1,000,000"):
        parse(text + " " * (1_000_001 - len(text)))
