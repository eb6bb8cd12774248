"""Problems: which code, which place, which words, and how they are shown."""

from __future__ import annotations

import json
import re
import unicodedata
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from askance.core.errors import AskanceError, BadInput
from askance.irl.codes import Code
from askance.irl.excerpt import Mark, excerpts, width
from askance.irl.nodes import Span
from askance.irl.parser import parse, read
from askance.irl.problems import BadQuery, Note, Problem, nearest

DOCS = Path(__file__).resolve().parents[2] / "docs"

CASES = [
    # text, and of each problem: code, what the caret underlines, a part of the message or hint
    ("", [("IRL005", "", "empty")]),
    (" ; nothing\n", [("IRL005", "", "empty")]),
    ("hello", [("IRL006", "hello", "clause in parentheses")]),
    ('"Birch Trees"', [("IRL006", '"Birch Trees"', "clause in parentheses")]),
    ("(1 2)", [("IRL006", "(1 2)", "clause in parentheses")]),
    ('(lex "a") (lex "b")', [("IRL006", '(lex "b")', "found 2")]),
    ('(lex “a”)', [("IRL001", "“a”", "plain double quotes")]),
    ("(lex 'a')", [("IRL001", "'a'", "plain double quotes")]),
    ("(or ：x)", [("IRL001", "：x", "unexpected character")]),
    ('(lex "a" :Boost 2)', [("IRL001", ":Boost", "small letters")]),
    ('（lex "a"）', [("IRL001", "（lex", "parentheses are ( and )"), ("IRL001", "）", "parentheses")]),
    ('(or (lex "a) (knn "b"))', [("IRL002", '"', "never closed")]),
    ('(lex "a"', [("IRL003", "(", "add )")]),
    ('(or (lex "a" (knn "b")', [("IRL003", "(", "2 parentheses")]),
    ('(or (lexx "a" (knn "b")', [("IRL003", "(", "2 parentheses"), ("IRL007", "lexx", "did you mean lex?")]),
    ('(lex "a"))', [("IRL004", ")", "closes nothing")]),
    (')(lex "a")', [("IRL004", ")", "closes nothing")]),
    ('(phrase "a")', [("IRL007", "phrase", "There are: knn, lex")]),
    ('(OR (lex "a"))', [("IRL007", "OR", "did you mean or?")]),
    ("()", [("IRL007", "()", "nothing between")]),
    ('("a")', [("IRL007", '"a"', '(lex "a")')]),
    ('((lex "a"))', [("IRL007", "((", "begins with its operator")]),
    ('(2 (lex "a"))', [("IRL007", "2", "begins with its operator")]),
    ("(lex)", [("IRL008", "(lex)", "takes 1 argument, found 0")]),
    ("(or)", [("IRL008", "(or)", "at least 1 argument, found 0")]),
    ("(and :boost 2)", [("IRL008", "(and :boost 2)", "at least 1 argument")]),
    ('(lex "a" "b")', [("IRL008", '"b"', "found 2")]),
    ('(lex "say "hi" now")', [("IRL008", 'hi" now"', r"a quote is written \"")]),
    ('(not (lex "a") (lex "b"))', [("IRL008", '(lex "b")', "found 2")]),
    ('(field (lex "a"))', [("IRL008", '(field (lex "a"))', "takes 2 arguments, found 1")]),
    ("(filter year)", [("IRL008", "(filter year)", "no values")]),
    ("(lex Birch)", [("IRL009", "Birch", 'double quotes: "Birch"')]),
    ("(knn 3)", [("IRL009", "3", "text in double quotes")]),
    ('(or "a" (lex "b"))', [("IRL009", '"a"', '(lex "a")')]),
    ('(field 2 (lex "b"))', [("IRL009", "2", "a word or a text")]),
    ('(boost "2" (lex "b"))', [("IRL009", '"2"', "the weight is a number")]),
    ("(filter lang de)", [("IRL009", "de", 'double quotes: "de"')]),
    ("(filter year :from true)", [("IRL009", "(filter year :from true)", "a range")]),
    ('(filter year :from 1 :to "9")', [("IRL009", '(filter year :from 1 :to "9")', "number to number")]),
    ('(or (lex "a") :fuse rrf :weights 1)', [("IRL009", "1", "list of numbers")]),
    ('(lex "a" :fuse rrf)', [("IRL010", ":fuse", "There are: match, slop, field, boost")]),
    ('(lex "a" :bost 2)', [("IRL010", ":bost", "did you mean boost?")]),
    ('(or (lex "a") :fusion rrf)', [("IRL010", ":fusion", "did you mean fuse?")]),
    ('(lex "a" :slop 1 :slop 2)', [("IRL011", ":slop", "given twice")]),
    ("(lex \"a\" :slop -1)", [("IRL013", "-1", "from 0 to")]),
    ("(lex \"a\" :slop 1.5)", [("IRL013", "1.5", "a whole number")]),
    ("(lex \"a\" :boost 0)", [("IRL013", "0", "the weight")]),
    ("(lex \"a\" :boost -2)", [("IRL013", "-2", "the weight")]),
    ("(lex \"a\" :boost nan)", [("IRL013", "nan", "the weight")]),
    ("(lex \"a\" :boost inf)", [("IRL013", "inf", "the weight")]),
    ("(lex \"a\" :boost -inf)", [("IRL013", "-inf", "no number")]),
    ("(lex \"a\" :boost 1e999)", [("IRL013", "1e999", "too large")]),
    ("(lex \"a\" :boost 1e-999)", [("IRL013", "1e-999", "too small")]),
    ("(lex \"a\" :boost 1e31)", [("IRL013", "1e31", "the weight")]),
    ("(lex \"a\" :boost 2x)", [("IRL013", "2x", "no number")]),
    ("(lex \"a\" :boost .5)", [("IRL013", ".5", "no number")]),
    ("(filter k 1e999)", [("IRL013", "1e999", "too large")]),
    ("(knn \"a\" :depth 0)", [("IRL013", "0", "from 1 to 10,000")]),
    ("(knn \"a\" :depth 10001)", [("IRL013", "10001", "from 1 to 10,000")]),
    ('(or (lex "a") :fuse rrf :k 0)', [("IRL013", "0", "k is a number")]),
    ('(or (lex "a") :fuse rrf :weights (-1))', [("IRL013", "-1", "0 or a number")]),
    (r'(lex "\q")', [("IRL016", r"\q", "is no escape")]),
    (r'(lex "\u12")', [("IRL016", r"\u", "is no escape")]),
    (r'(lex "\ud800x")', [("IRL016", r"\ud800", "surrogate pair")]),
    ('(lex "a\udc00")', [("IRL016", "\udc00", "U+DC00")]),
    ('(lex "a b" :match any :slop 2)', [("IRL017", ":slop", "for phrases")]),
    ('(or (lex "a") :k 3)', [("IRL017", ":k", "needs :fuse")]),
    ('(or (lex "a") :fuse sum :k 3)', [("IRL017", ":k", "k is for rrf")]),
    ("(filter year 1 :from 2)", [("IRL017", ":from", "values or a range")]),
    ('(lex "a" :boost)', [("IRL018", ":boost", "no value")]),
    ('(lex "a" :boost :slop 2)', [("IRL018", ":boost", "no value")]),
    ('(lex "a" :match words)', [("IRL019", "words", "phrase, any, all")]),
    ('(or (lex "a") :fuse rff)', [("IRL019", "rff", "did you mean rrf?")]),
    ('(or (lex "a") :fuse rrf :weights (1 1))', [("IRL020", "(1 1)", "there are 2 for 1")]),
    ('(or (lex "a") :fuse rrf :weights (0))', [("IRL020", "(0)", "all weights are 0")]),
    # several at once, in order of place
    (
        '(or (lexx "a") (knn 3 :depth 0) (lex "b" :bost 2))',
        [
            ("IRL007", "lexx", "lex"),
            ("IRL009", "3", "text"),
            ("IRL013", "0", "depth"),
            ("IRL010", ":bost", "boost"),
        ],
    ),
    # what models write
    ('(or (knn "q") (lex "a")', [("IRL003", "(", "add )")]),
    ('or(knn("q"))', [("IRL006", '(knn("q"))', "found 2"), ("IRL007", '"q"', '(lex "q")')]),
    ('```\n(lex "a")\n```', [("IRL001", "```", "unexpected"), ("IRL001", "```", "unexpected")]),
    ('{"op": "or"}', [("IRL001", "{", "unexpected"), ("IRL001", ":", "option"), ("IRL001", "}", "unexpected")]),
    ("or(eq(a, b)), in(c)", [("IRL007", "eq", ""), ("IRL001", "a,", ""), ("IRL001", ",", ""), ("IRL007", "c", "")]),
]  # fmt: skip


@pytest.mark.parametrize(("text", "expected"), CASES, ids=[text or "nothing" for text, _ in CASES])
def test_what_is_wrong_and_where(text: str, expected: list[tuple[str, str, str]]) -> None:
    found = read(text).problems
    assert [(str(problem.code), text[slice(*(problem.span or (0, 0)))]) for problem in found] == [
        (code, place) for code, place, _ in expected
    ]
    for problem, (_, _, said) in zip(found, expected, strict=True):
        assert said in f"{problem.message} {problem.hint}"


def shown(text: str) -> list[str]:
    with pytest.raises(BadQuery) as raised:
        parse(text)
    return str(raised.value).splitlines()


def test_shown_with_a_caret() -> None:
    assert shown('(or (knn "q") (lexx "a"))') == [
        'error[IRL007]: there is no operator "lexx"',
        '  (or (knn "q") (lexx "a"))',
        "                 ^^^^",
        "  help: did you mean lex? There are: knn, lex, exact, filter, and, or, not, field, relation, boost",
    ]


def test_shown_with_further_places() -> None:
    assert shown('(lex "a" :slop 1 :slop 2)') == [
        "error[IRL011]: :slop is given twice",
        '  (lex "a" :slop 1 :slop 2)',
        "                   ^^^^^",
        "           ----- first given here",
    ]


def test_an_unclosed_parenthesis_is_shown_with_the_end() -> None:
    assert shown('(or (lex "a")\n  (and (knn "b")\n') == [
        "error[IRL003]: 2 parentheses are never closed",
        "  line 2, column 3:",
        '    (and (knn "b")',
        "    ^ opened here",
        "                  - the query ends here",
        "  line 1, column 1:",
        '  (or (lex "a")',
        "  - never closed either",
        "  help: add ))",
    ]


def test_wide_letters_combining_marks_and_tabs_keep_the_caret_in_place() -> None:
    assert shown('(or\t(lex "中文合約") (lex "cafe\u0301 ＡＢ") (lexx "a"))')[1:3] == [
        '  (or (lex "中文合約") (lex "cafe\u0301 ＡＢ") (lexx "a"))',
        f"  {' ' * 40}^^^^",
    ]


def test_a_long_line_is_shown_in_a_window() -> None:
    text = f'(or (lex "{"x" * 300}") (lexx "a") (lex "{"y" * 300}"))'
    _, line, caret, _ = shown(text)
    assert line.startswith("  …x")
    assert line.endswith("y…")
    assert width(line) == 80
    assert line[caret.index("^") : caret.rindex("^") + 1] == "lexx"


def test_nothing_shown_can_steer_a_terminal() -> None:
    found = shown('(lex "\x1b[31m\x07\u202e\r\x9b" :b\u202eost 2 "\x1b]0;x\x07")')
    assert all(line.isprintable() for line in found), found


@settings(deadline=None)
@given(st.text(max_size=50), st.data())
def test_any_text_can_be_shown(text: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text)))
    span = Span(start, data.draw(st.integers(start, len(text))))
    lines = excerpts(text, [Mark(span, "here"), Mark(Span(0, 1), "there", primary=False)])
    assert all(unicodedata.category(letter) not in ("Cc", "Cs", "Zl", "Zp") for line in lines for letter in line)
    carets = [line for line in lines if re.fullmatch(r" *\^+ here", line)]
    assert len(carets) == 1
    assert width(carets[0]) <= 2 + 1 + 80 + 1 + len(" here") + 1


def test_line_and_column_and_the_machine_form() -> None:
    with pytest.raises(BadQuery) as raised:
        parse('(or (lex "é")\r\n    (lex "a" :slop 1 :slop 2))')
    error = raised.value
    assert isinstance(error, BadInput)
    assert isinstance(error, AskanceError)
    assert error.exit_code == 2
    assert json.loads(json.dumps(error.to_dict())) == {
        "source": '(or (lex "é")\r\n    (lex "a" :slop 1 :slop 2))',
        "problems": [
            {
                "code": "IRL011",
                "message": ":slop is given twice",
                "span": [36, 41],
                "line": 2,
                "column": 22,
                "hint": None,
                "notes": [{"message": "first given here", "span": [28, 33]}],
                "label": "",
                "path": None,
            }
        ],
    }


def test_reading_stops_at_twenty_problems() -> None:
    assert len(read("(or " + '(lexx "a") ' * 100 + ")").problems) == 20
    many = [Problem(Code.ARGUMENT, f"number {number}") for number in range(23)]
    assert str(BadQuery(many)).endswith("number 19\nand 3 more")


def test_a_problem_without_a_text_says_its_notes_in_words() -> None:
    problem = Problem(
        Code.KNN_EXCLUDED, "no", notes=(Note("inside this not", Span(0, 1)), Note("elsewhere")), hint="do"
    )
    assert problem.render().splitlines() == [
        "error[IRL026]: no",
        "  help: do",
        "  note: inside this not",
        "  note: elsewhere",
    ]


@pytest.mark.parametrize(
    ("name", "near"),
    [
        ("lexx", "lex"),
        ("KNN", "knn"),
        ("fliter", "filter"),
        ("relatoin", "relation"),
        ("zzz", None),
        ("l" * 100_000, None),
    ],
)
def test_the_nearest_name(name: str, near: str | None) -> None:
    assert nearest(name, ("knn", "lex", "filter", "relation")) == near


def docs() -> str:
    return (DOCS / "language.md").read_text(encoding="utf-8")


def test_each_code_has_a_meaning_and_a_line_in_the_docs() -> None:
    lines = re.findall(r"^\| `(IRL\d+)` \| (.+) \|$", docs(), re.MULTILINE)
    assert lines == [(str(code), code.meaning) for code in Code]
    assert [str(code) for code in Code] == [f"IRL{number:03}" for number in range(1, len(Code) + 1)]


def test_the_queries_in_the_docs_can_be_read() -> None:
    blocks = re.findall(r"^```lisp\n(.*?)^```", docs(), re.MULTILINE | re.DOTALL)
    queries = [parse(query) for block in blocks for query in block.split("\n\n")]
    assert len(queries) == 8
