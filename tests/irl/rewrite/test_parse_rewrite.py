from __future__ import annotations

import pytest

from askance.irl.codes import Code
from askance.irl.nodes import Knn, Lex, Or
from askance.irl.problems import BadQuery
from askance.irl.rewrite.parse_rewrite import parse_rewrite


def test_one_knn_clause() -> None:
    query = parse_rewrite('(or (knn "Who likes Birch Trees?") (lex "birch trees"))')
    assert query == Or((Knn("Who likes Birch Trees?"), Lex("birch trees")))
    assert parse_rewrite('(knn "a")') == Knn("a")


def test_none_where_the_index_has_no_vectors() -> None:
    assert parse_rewrite('(lex "a")', knn=0) == Lex("a")


@pytest.mark.parametrize(
    ("text", "knn", "said"),
    [
        ('(or (lex "a"))', 1, "expected exactly one knn clause, found 0"),
        ('(lex "birch trees")', 1, "expected exactly one knn clause, found 0"),
        ('(or (knn "a") (knn "b") (lex "c"))', 1, "expected exactly one knn clause, found 2"),
        ('(or (and (knn "a")) (boost 2 (knn "b")) (knn "c"))', 1, "expected exactly one knn clause, found 3"),
        ('(or (knn "a") (lex "b"))', 0, "expected no knn clause, found 1"),
    ],
)
def test_the_error_quotes_the_rewrite(text: str, knn: int, said: str) -> None:
    with pytest.raises(BadQuery) as caught:
        parse_rewrite(text, knn)
    (problem,) = caught.value.problems
    assert problem.code is Code.KNN_COUNT
    assert said in problem.message
    assert repr(text) in problem.message
    assert "^" in str(caught.value)


def test_the_caret_is_below_the_last_knn_clause() -> None:
    text = '(or (knn "a") (knn "b"))'
    with pytest.raises(BadQuery) as caught:
        parse_rewrite(text)
    (problem,) = caught.value.problems
    assert problem.span is not None
    assert text[slice(*problem.span)] == '(knn "b")'
    assert [text[slice(*note.span)] for note in problem.notes if note.span] == ['(knn "a")']


@pytest.mark.parametrize("text", ["", "(or", "hot-chocolate", 'or(eq("a"), in("b"))', "(or (knn q))"])
def test_what_is_no_query_is_an_error(text: str) -> None:
    with pytest.raises(BadQuery):
        parse_rewrite(text)
