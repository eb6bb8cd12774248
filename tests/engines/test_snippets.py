"""Where in a text a query found something."""

from __future__ import annotations

import pytest

from askance.engines.snippets import first_place
from askance.irl.parser import parse
from askance.text.analyzer import Analyzer

TEXT = "Ann likes Tea, Snow Leopards, Levi's Jeans, 東京タワー, snow."


@pytest.mark.parametrize(
    ("query", "word"),
    [
        ('(lex "snow leopards")', "Snow Leopards"),
        ('(exact "SNOW LEOPARDS")', "Snow Leopards"),
        ('(lex "snow")', "Snow Leopards"),
        ('(lex "leopards snow")', None),
        ('(lex "leopards snow" :match any)', "Snow Leopards"),
        ('(or (knn "what") (lex "honey") (lex "tea"))', "Tea"),
        ('(and (not (lex "tea")) (relation "likes" (lex "levi\'s jeans" :field items)))', "Levi's"),
        ('(not (lex "tea"))', None),
        ('(filter year 2021)', None),
        ('(lex "東京")', "東京"),
        ('(lex "...")', None),
    ],
)  # fmt: skip
def test_first_place(query: str, word: str | None) -> None:
    expected = 0 if word is None else TEXT.index(word)
    assert first_place(TEXT, parse(query), Analyzer()) == expected


def test_far_behind_nothing_is_looked_for() -> None:
    assert first_place("x " * 20_000 + "tea", parse('(lex "tea")'), Analyzer()) == 0
    assert first_place("", parse('(lex "tea")'), Analyzer()) == 0


def test_a_stemmed_word_is_found_as_it_is_written() -> None:
    assert first_place("all the cats", parse('(lex "cat")'), Analyzer(stemmer="porter")) == 8
