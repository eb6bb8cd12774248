"""askance why-not as a stranger types it."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.cli.conftest import LONG_ID
from tests.inside import Typed


@pytest.mark.parametrize("columns", [80, 100])
def test_the_first_clause_that_failed_has_carets_under_it(there: Path, typed: Typed, columns: int) -> None:
    query = '(and (lex "Honey") (filter year :from 2021) (lex "Snow"))'
    done = typed("why-not", "papers", query, "p4", columns=columns)
    assert done.code == 0, done.err
    assert done.widest <= columns
    assert done.lines[0] == "It does not match. (lex \"Honey\"): the text does not hold 'honey'."
    at = done.lines.index(f"  {query}")
    assert done.lines[at + 1] == "       ^^^^^^^^^^^^^"
    said = " ".join(done.out.split())
    assert "✗ (filter year :from 2021) its year is 2020, not from 2021" in said
    assert "✗ (lex \"Snow\") the text does not hold 'snow'" in said


def test_a_long_query_is_shown_around_the_place(there: Path, typed: Typed) -> None:
    words = " ".join(f'(lex "dense" :boost {number})' for number in range(1, 12))
    done = typed("why-not", "papers", f'(and {words} (lex "Honey"))', "p4")
    carets = next(line for line in done.lines if line.strip() and not line.strip(" ^"))
    above = done.lines[done.lines.index(carets) - 1]
    assert above[carets.index("^") : carets.rindex("^") + 1] == '(lex "Honey")'
    assert above.startswith("  …")
    assert done.widest <= 80


def test_a_question_is_rewritten_first(there: Path, typed: Typed) -> None:
    done = typed("why-not", "people", "Who likes Snow?", "d3")
    assert done.code == 0, done.err
    assert done.lines[0].startswith('It does not match. (relation "likes" (exact "snow")): ')
    query = '  (relation "likes" (or (exact "snow") (lex "snow" :field items)))'
    assert done.lines[done.lines.index(query) + 1].strip() == "^" * len('(exact "snow")')


def test_one_that_is_there_and_one_that_is_outranked(there: Path, typed: Typed) -> None:
    assert (
        typed("why-not", "people", "Who likes Snow?", "d2").lines[0].startswith("It is there: place 1 of 2, with 128")
    )
    done = typed("why-not", "people", "Who likes Snow?", "d1", "--limit", "1")
    said = " ".join(done.out.split())
    assert said.startswith("It matches, at place 2 of 2 with ")
    assert "Place 1 is 'd2', with 128" in said
    assert '(exact "snow")) gave it nothing: ' in said


def test_the_machine_form(there: Path, typed: Typed) -> None:
    done = typed("why-not", "people", "Who likes Snow?", "d3", "--json")
    found = done.json
    assert done.err == ""
    assert set(found) == {
        "schema", "query", "document", "limit", "found", "rank", "score", "needed", "sentence", "failed",
        "missing_from", "ahead", "explanation",
    }  # fmt: skip
    assert (found["schema"], found["found"], found["rank"]) == ("askance/why-not/1", False, None)
    start, end = found["failed"]["span"]
    assert found["query"][start:end] == '(exact "snow")'


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("papers", '(lex "a")', "p5"), "papers: there is no document 'p5'\n  Did you mean 'p4' or 'p1'?"),
        (("papers", '(lex "a")', "P1"), "Did you mean 'p1'"),
        (("papers", '(lex "a")', LONG_ID.replace("very", "vary")), f"Did you mean '{LONG_ID}'?"),
        (("papers", '(lex "a")', "somebody else"), "There are: 'p1', "),
        (("papers", '(lexx "a")', "p1"), "error[IRL007]"),
        (("papers", " ", "p1"), "the question is empty"),
        (("papers", "Who?", "p1", "--rewrite", "rulez"), "Did you mean 'rules'?"),
        (("nowhere", '(lex "a")', "p1"), "nowhere: is no index of askance"),
    ],
)  # fmt: skip
def test_bad_input(there: Path, typed: Typed, arguments: tuple[str, ...], said: str) -> None:
    done = typed("why-not", *arguments)
    assert (done.code, done.out) == (2, "")
    assert said in done.err
