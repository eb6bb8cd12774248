"""What keeps a query from running on an index, and where it is said to be."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from tests.irl.strategies import queries

from askance.irl.builder import boost, exact, field, filter_, knn, lex, not_, relation
from askance.irl.check import EngineFacts, check, knn_clauses, must_run
from askance.irl.nodes import And, Knn, Node, Or
from askance.irl.normal import normal_form
from askance.irl.parser import parse
from askance.irl.problems import BadQuery

FULL = EngineFacts(("text", "name", "items"), frozenset({"year", "lang"}), True, True, True)
BARE = EngineFacts()


@pytest.mark.parametrize(
    ("text", "facts", "expected"),
    [
        ('(or (knn "q") (lex "a") (exact "x") (filter year 1) (relation "likes" (lex "b" :field items)))', FULL, []),
        ('(or (lex "a") (filter anything 1))', BARE, []),
        (
            '(lex "a" :field nmae)',
            FULL,
            [("IRL021", '(lex "a" :field nmae)', "mean name? There are: text, name, items")],
        ),
        (
            '(or (field x (lex "a")) (lex "b" :field y))',
            FULL,
            [("IRL021", '(field x (lex "a"))', "x"), ("IRL021", '(lex "b" :field y)', "y")],
        ),
        ("(filter yaer 1)", FULL, [("IRL022", "(filter yaer 1)", "did you mean year? There are: lang, year")]),
        ('(or (knn "q") (knn "r"))', BARE, [("IRL023", '(knn "q")', "no"), ("IRL023", '(knn "r")', "embedder")]),
        ('(exact "x")', BARE, [("IRL024", '(exact "x")', "not split into items")]),
        ('(relation "likes" (lex "x"))', BARE, [("IRL025", '(relation "likes" (lex "x"))', '"likes" cannot be told')]),
        ('(and (lex "a") (not (or (knn "q") (lex "b"))))', FULL, [("IRL026", '(knn "q")', "cannot be excluded")]),
        ('(and (lex "a") (not (not (knn "q"))))', FULL, [("IRL026", '(knn "q")', "cannot be excluded")]),
        ('(and (or (lex "a") :fuse rrf) (lex "b"))', FULL, [("IRL027", '(or (lex "a") :fuse rrf)', "inside and")]),
        (
            '(or (lex "b") (boost 2 (or (lex "a") :fuse rrf)))',
            FULL,
            [("IRL027", '(or (lex "a") :fuse rrf)', "inside or")],
        ),
        ('(not (or (lex "a") :fuse rrf))', FULL, [("IRL027", '(or (lex "a") :fuse rrf)', "inside not")]),
        ('(field name (or (lex "a") :fuse rrf))', FULL, [("IRL027", '(or (lex "a") :fuse rrf)', "inside field")]),
        ('(or (and (or (lex "a") :fuse sum)) :fuse rrf)', FULL, [("IRL027", '(or (lex "a") :fuse sum)', "inside and")]),
        ('(or (or (lex "a") :fuse sum :boost 2) (or (lex "b") :fuse rrf) :fuse rrf :boost 3)', FULL, []),
        ('(exact "Patience" :field name)', FULL, [("IRL028", '(exact "Patience" :field name)', "use lex")]),
        (
            '(field name (exact "Patience" :boost 2))',
            FULL,
            [("IRL028", '(field name (exact "Patience" :boost 2))', "name")],
        ),
        ('(or (exact "x" :field items) (field name (or (lex "x") (exact "x"))))', FULL, []),
        (
            '(or (knn "q") (lex "a" :field name) (exact "x"))',
            BARE,
            [("IRL021", '(lex "a" :field name)', "text"), ("IRL023", '(knn "q")', ""), ("IRL024", '(exact "x")', "")],
        ),
    ],
)
def test_rules(text: str, facts: EngineFacts, expected: list[tuple[str, str, str]]) -> None:
    problems = check(parse(text), facts)
    found = [(str(problem.code), text[slice(*(problem.span or (0, 0)))]) for problem in problems]
    assert found == [(code, place) for code, place, _ in expected]
    for problem, (_, _, said) in zip(problems, expected, strict=True):
        assert said in f"{problem.message} {problem.hint}"
    if expected:
        with pytest.raises(BadQuery) as raised:
            must_run(parse(text), facts, text)
        assert len(raised.value.problems) == len(expected)
    else:
        must_run(parse(text), facts, text)


def test_shown_in_the_text_it_was_read_from() -> None:
    text = '(and (lex "a")\n     (not (knn "q")))'
    with pytest.raises(BadQuery) as raised:
        must_run(parse(text), FULL, text)
    assert str(raised.value).splitlines() == [
        "error[IRL026]: knn cannot be excluded",
        "  line 2, column 11:",
        '       (not (knn "q")))',
        "            ^^^^^^^^^",
        "       --------------- inside this not",
        "  help: exclude words or items, with lex, exact or filter",
    ]


def test_a_query_made_in_python_is_shown_as_it_is_printed() -> None:
    with pytest.raises(BadQuery) as raised:
        must_run(lex("a") & ~knn("q"), FULL)
    assert raised.value.source == '(and (lex "a") (not (knn "q")))'
    assert str(raised.value).splitlines()[1:3] == [
        '  (and (lex "a") (not (knn "q")))',
        f"  {' ' * 20}^^^^^^^^^",
    ]
    assert raised.value.problems[0].column == 21


def test_values_that_the_language_has_not_come_alone() -> None:
    query = Or((Knn("q", 0), field("nowhere", lex("a"))))
    assert [str(problem.code) for problem in check(query, BARE)] == ["IRL013"]
    with pytest.raises(BadQuery, match="IRL013"):
        must_run(query, BARE)


def test_rules_can_be_chosen() -> None:
    assert check(exact("x"), BARE, rules=[]) == []


def test_knn_clauses_in_order() -> None:
    query = (knn("a") | (lex("b") & boost(2, knn("c")))) & not_(relation("r", knn("d"))) & filter_("k", 1)
    assert [clause.text for clause in knn_clauses(query)] == ["a", "c", "d"]


@settings(deadline=None)
@given(queries(runnable=True))
def test_queries_drawn_as_runnable_are(query: Node) -> None:
    codes = {str(problem.code) for problem in check(query, FULL)}
    assert codes <= {"IRL021", "IRL022", "IRL028"}  # names are drawn freely


@settings(deadline=None)
@given(queries(runnable=True))
def test_the_normal_form_of_what_runs_runs(query: Node) -> None:
    wrong = {problem.code for problem in check(query, FULL)}
    assert {problem.code for problem in check(normal_form(query), FULL)} <= wrong


def test_conditions_beside_a_fusion_run_in_the_normal_form() -> None:
    query = parse('(and (or (knn "q") (lex "a") :fuse rrf) (filter year 1))')
    assert [str(problem.code) for problem in check(query, FULL)] == ["IRL027"]
    assert check(normal_form(query), FULL) == []
    assert isinstance(query, And)
