"""The column of words: phrases and their ranking, against looking at every document."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.irl.lint.phrase_search import PhraseSearch

from askance.irl.lint.words import Words, WordsBuilder
from askance.text.analyzer import Analyzer

texts = st.lists(st.text("abc ", max_size=40), min_size=1, max_size=12)


def read(rows: list[str]) -> Words:
    builder = WordsBuilder(Analyzer())
    for row in rows:
        builder.add(row)
    return builder.build()


@settings(max_examples=150)
@given(texts, st.lists(st.sampled_from(["a", "b", "c", "ab", "aa"]), min_size=1, max_size=3))
def test_a_phrase_is_found_and_ranked_as_by_hand(rows: list[str], phrase: list[str]) -> None:
    column = read(rows)
    ranked = column.ranked(column.phrase(column.numbers(" ".join(phrase))))
    by_hand = PhraseSearch([str(at) for at in range(len(rows))], rows).ranked(" ".join(phrase))
    assert [str(document) for document in ranked] == by_hand


def test_a_phrase_ends_with_its_document() -> None:
    column = read(["hot", "chocolate", "", "hot chocolate"])
    assert column.phrase(column.numbers("hot chocolate")).tolist() == [2]
    assert column.document(column.phrase(column.numbers("chocolate"))).tolist() == [1, 3]


@pytest.mark.parametrize("phrase", ["", "nowhere", "hot nowhere", "…"])
def test_what_is_nowhere(phrase: str) -> None:
    column = read(["hot chocolate"])
    assert not len(column.phrase(column.numbers(phrase)))


def test_an_empty_collection_of_words() -> None:
    column = read(["", "…"])
    assert len(column) == 2
    assert not len(column.phrase(column.numbers("a")))
