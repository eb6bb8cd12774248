"""Answers as tables."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.cells import cell_len
from rich.console import Console

from askance.engines.engine import Answer, Explanation
from askance.engines.found import Excerpt, Found, leaves_of
from askance.irl.parser import parse
from askance.irl.rewrite.rewriter import Rewritten
from askance.irl.rewrite.stage import Stage
from askance.report.grid import as_table
from askance.report.search_tables import (
    answers_grid,
    hits_grid,
    hits_rows,
    legend_lines,
    letters,
    note_lines,
    stages_grid,
)


def leaf(clause: str, score: float | None, rank: int | None = None, kind: str = "lex") -> Explanation:
    return Explanation(clause, kind, score, "so", None, rank)


def found(
    ids: Sequence[str], scores: Sequence[float], parts: Sequence[Sequence[Explanation]] = (), query: str = '(lex "tea")'
) -> Found:
    answer = Answer(tuple(ids), np.arange(len(ids)), np.array(scores), len(ids), ("a note",))
    told = tuple(Explanation("(or …)", "or", 1.0, "", None, None, {}, tuple(each)) for each in parts)
    return Found(parse(query), answer, "lucene", explanations=told)


def test_letters() -> None:
    assert letters(3) == ["A", "B", "C"]
    assert letters(28)[-3:] == ["Z", "AA", "AB"]
    assert len(set(letters(800))) == 800


def test_columns_of_clauses() -> None:
    parts = [
        [leaf('(lex "a")', 1.25, 2), leaf("(filter k 1)", 0.0, kind="filter"), leaf('(lex "b")', None)],
        [leaf('(lex "a")', None), leaf("(filter k 1)", None, kind="filter"), leaf('(lex "b")', 0.0164, 1)],
    ]
    one = found(["x", "y"], [1.25, 0.0164], parts)
    grid = hits_grid(one, 80)
    assert [column.heading for column in grid.columns] == ["rank", "score", "document", "A", "B", "C"]
    assert grid.rows == [
        ("1", "1.2500", "x", "1.2500 #2", "✓", "–"),
        ("2", "0.0164", "y", "–", "–", "0.016400 #1"),
    ]
    assert list(legend_lines(one, 80)) == [
        'A  (lex "a")  (not in 1 of 2)',
        "B  (filter k 1)  (not in 1 of 2)",
        'C  (lex "b")  (not in 1 of 2)',
        "–  does not match;  #2  second place of the clause's own list",
    ]


def test_small_scores_have_more_decimals() -> None:
    assert [row[1] for row in hits_grid(found(["x", "y"], [0.0164, 0.0161]), 80).rows] == ["0.016400", "0.016100"]
    assert [row[1] for row in hits_grid(found(["x", "y"], [128.5, 0.5]), 80).rows] == ["128.5000", "0.5000"]


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ('(lex "tea")', "1 match; scores on Lucene's scale"),
        ('(or (lex "a") (lex "b") :fuse rrf)', "1 match; scores fused by rrf"),
        ('(boost 2 (or (lex "a") (lex "b") :fuse minmax))', "1 match; scores fused by minmax"),
        ('(or (lex "a") (lex "b") :fuse sum)', "1 match; scores on Lucene's scale"),
    ],
)
def test_captions_name_the_scale(query: str, said: str) -> None:
    assert hits_grid(found(["x"], [1.0], query=query), 80).caption == said
    assert hits_grid(found([], [], query=query), 80).caption == "no document matches"


@settings(deadline=None, max_examples=60)
@given(
    st.lists(st.text(min_size=1, max_size=70), min_size=1, max_size=4, unique=True),
    st.integers(0, 9),
    st.sampled_from([60, 80, 100]),
    st.booleans(),
)
def test_no_cell_is_folded(ids: list[str], clauses: int, width: int, text: bool) -> None:
    parts = [[leaf(f'(lex "{number}")', 128.5, 999) for number in range(clauses)] for _ in ids] if clauses else []
    one = found(ids, [128.5] * len(ids), parts)
    if text:
        one = Found(
            one.query, one.answer, one.scale, explanations=one.explanations, excerpts=(Excerpt("漢 a" * 90),) * len(ids)
        )
    grid = hits_grid(one, width)
    console = Console(width=width, force_terminal=False)
    with console.capture() as caught:
        console.print(as_table(grid))
    lines = caught.get().rstrip("\n").split("\n")
    assert max(map(cell_len, lines)) <= width
    expected = sum(max(cell.count("\n") for cell in row) + 1 for row in grid.rows)
    assert len([line for line in lines[4:] if line.strip()]) <= expected


def test_stages_are_shown_with_their_marks_and_notes() -> None:
    stages = (
        Stage("extract", "Who?" + "x" * 900, "", "no word in it", ("a", "b\nc"), flagged=True),
        Stage("phrases", "", '(lex "tea")', "items"),
    )
    one = Found(
        parse('(lex "tea")'), found([], []).answer, "lucene", rewritten=Rewritten(parse('(lex "tea")'), (), stages)
    )
    grid = stages_grid(one)
    assert grid is not None
    assert [list(row) for row in grid.rows] == [
        ["extract !", "", "no word in it\na\nb c"],
        ["phrases", "the query below", "items"],
    ]
    assert len(grid.caption) < 350
    assert "more characters" in grid.caption
    assert list(note_lines(one)) == ["To be checked, stage extract: no word in it; a; b c.", "a note"]
    assert stages_grid(found(["x"], [1.0])) is None


def test_many_answers_a_row_each() -> None:
    many = [
        found(["x" * 50, "y"], [2.0, 1.0]),
        found([], []),
        found([f"d{number}" for number in range(40)], [1.0] * 40),
    ]
    for width in (80, 100):
        grid = answers_grid(many, width)
        assert grid.caption == "3 queries, 1 without a hit"
        console = Console(width=width, force_terminal=False)
        with console.capture() as caught:
            console.print(as_table(grid))
        lines = [line for line in caught.get().split("\n")[4:] if line.strip()]
        assert len(lines) == 3
        assert lines[1].split()[-1] == "–"
        assert lines[2].rstrip().endswith(", …")


def test_rows_for_machines_hold_whole_scores() -> None:
    one = found(["x"], [0.1 + 0.2], [[leaf('(lex "a")', 0.3, 1), leaf('(lex "b")', None)]])
    assert hits_rows([one]).rows == [
        ['(lex "tea")', "1", "x", "0.30000000000000004", '(lex "a") 0.3000 #1; (lex "b") –']
    ]
    assert [column.heading for column in hits_rows([found(["x"], [1.0])]).columns] == [
        "query",
        "rank",
        "document",
        "score",
    ]


def test_leaves() -> None:
    inner = Explanation("(or a b)", "or", 1.0, "", None, 1, {}, (leaf("a", 1.0), leaf("b", None)))
    fuse = Explanation("f", "fuse", 1.0, "", None, 1, {}, (leaf("knn", 0.5), inner))
    outer = Explanation("g", "fuse", 1.0, "", None, 1, {}, (fuse, leaf("c", 0.1)))
    boosted = Explanation("h", "boost", 1.0, "", None, 1, {}, (outer,))
    excluded = Explanation("(not a)", "not", 0.0, "", None, None, {}, (leaf("a", None),))
    assert [each.clause for each in leaves_of(inner)] == ["a", "b"]
    assert [each.clause for each in leaves_of(fuse)] == ["knn", "(or a b)"]
    assert [each.clause for each in leaves_of(boosted)] == ["knn", "(or a b)", "c"]
    assert [each.clause for each in leaves_of(excluded)] == ["(not a)"]
    assert leaves_of(None) == []
