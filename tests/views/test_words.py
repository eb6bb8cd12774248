"""Segments and words: the analyzer's words, cut at punctuation."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from askance.text.analyzer import Analyzer
from askance.views.words import is_capital, opens_sentence, segments, terms


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", []),
        (" .,; ", []),
        ("Put a mug in the sink.", [("put", "a", "mug", "in", "the", "sink")]),
        ("Cut an apple, cool it.\nTask: go", [("cut", "an", "apple"), ("cool", "it"), ("task",), ("go",)]),
        ("open drawer 1 -> Action: close", [("open", "drawer", "1"), ("action",), ("close",)]),
        ("in/on 3.5 kg of e.g this", [("in", "on", "3.5", "kg", "of", "e.g", "this")]),
        ("把杯子放好。走", [tuple("把杯子放好"), ("走",)]),
    ],
)
def test_cases(text: str, expected: list[tuple[str, ...]]) -> None:
    assert [terms(each) for each in segments(text)] == expected


@given(st.text(max_size=60))
def test_no_word_is_lost_and_places_are_right(text: str) -> None:
    words = [word for segment in segments(text) for word in segment]
    assert [word.term for word in words] == [token.term for token in Analyzer().tokens(text)]
    assert all(0 <= one.start < one.end <= len(text) for one in words)
    assert all(one.end <= other.start for one, other in zip(words, words[1:], strict=False))
    assert all(segments(text))


def test_capitals_inside_and_at_the_start_of_sentences() -> None:
    text = 'Give Anna the Red pen. Then: "Stop" (Now)'
    found = {
        word.term: (is_capital(text, word), opens_sentence(text, word)) for each in segments(text) for word in each
    }
    assert found == {
        "give": (True, True),
        "anna": (True, False),
        "the": (False, False),
        "red": (True, False),
        "pen": (False, False),
        "then": (True, True),
        "stop": (True, True),
        "now": (True, False),
    }
