"""What is open by how it is written."""

from __future__ import annotations

import pytest

from askance.views.rules import is_new_name, names_in, written
from askance.views.words import segments


@pytest.mark.parametrize(
    ("term", "rule"),
    [
        ("12", "number"),
        ("3.5", "number"),
        ("1,000", "number"),
        ("5kg", "number"),
        ("3rd", "number"),
        ("2019", "number"),
        ("mug", None),
        ("two", None),
        ("x86", "identifier"),
        ("mug_3", "identifier"),
        ("a1b2c3", "identifier"),
        ("4wheels", "identifier"),
        ("_", None),
        ("٣", "number"),
    ],
)
def test_written(term: str, rule: str | None) -> None:
    assert written(term) == rule


def names(*texts: str) -> frozenset[str]:
    return names_in([(text, segments(text)) for text in texts])


def test_names_have_capitals_inside_sentences_and_never_none() -> None:
    texts = (
        "We gave Anna the key to the old barn and she went home.",
        "They met Anna and Will at the gate before the rain came.",
        "The dog and the cat saw that she will come to the barn.",
        "She put the CD on the shelf and a cd on the other one.",
    )
    assert names(*texts) == {"anna"}


def test_where_most_words_have_capitals_they_mean_nothing() -> None:
    assert names("Put The Mug In The Sink", "Wash The Pan And The Plate") == frozenset()
    assert names() == frozenset()


def test_new_names_are_told_by_their_capital_inside_a_sentence() -> None:
    text = "Ask Otto about it"
    words = {word.term: word for segment in segments(text) for word in segment}
    assert [term for term, word in words.items() if is_new_name(text, word)] == ["otto"]
