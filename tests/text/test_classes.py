"""Which words a class reads."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from askance.text.classes import ACTION_VERBS, CLASSES, FUNCTION_WORDS, STOPWORDS, counted, words
from askance.text.numbers import WORDS, is_number

SENTENCE = "Put two clean mugs on the desk, then Heat it in 3.5 minutes; don't move them 2 times."


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("all", "put two clean mugs on the desk then heat it in 3 5 minutes don t move them 2 times"),
        ("content", "put clean mugs desk heat minutes move times"),
        ("function", "on the then it in don t them"),
        ("verbs", "put clean heat move"),
        ("others", "two mugs desk then 3 5 minutes don t 2 times"),
    ],
)
def test_words_of_a_class(name: str, expected: str) -> None:
    assert CLASSES[name].read(SENTENCE) == set(expected.split())


def test_numbers_are_a_multiset() -> None:
    assert CLASSES["numbers"].read(SENTENCE) == {"2", "7/2", "2 (2)"}


@given(st.lists(st.sampled_from("abc")), st.lists(st.sampled_from("abc")))
def test_sets_of_occurrences_meet_as_multisets_do(one: list[str], other: list[str]) -> None:
    assert len(counted(one) & counted(other)) == (Counter(one) & Counter(other)).total()
    assert len(counted(one) | counted(other)) == (Counter(one) | Counter(other)).total()


POOL = st.sampled_from(
    sorted(FUNCTION_WORDS | WORDS | ACTION_VERBS | STOPWORDS) + ["mug", "x86", "3", "½", "É", "desk_1"]
)


@given(st.lists(POOL).map(" ".join))
def test_every_word_is_of_one_kind(text: str) -> None:
    content, function = CLASSES["content"].read(text), CLASSES["function"].read(text)
    numeric = {word for word in words(text) if is_number(word)}
    assert content | function | numeric == CLASSES["all"].read(text)
    assert len(content) + len(function) + len(numeric) == len(CLASSES["all"].read(text))


@given(st.lists(POOL).map(" ".join))
def test_verbs_others_and_stop_words_are_all(text: str) -> None:
    verbs, others = CLASSES["verbs"].read(text), CLASSES["others"].read(text)
    assert verbs | others | (STOPWORDS & set(words(text))) == CLASSES["all"].read(text)
    assert not verbs & others


def test_every_class_says_what_it_reads() -> None:
    assert list(CLASSES) == ["all", "content", "function", "numbers", "verbs", "others"]
    assert all(each.name == name and each.description for name, each in CLASSES.items())
    assert not FUNCTION_WORDS & WORDS
