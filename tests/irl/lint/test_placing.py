"""Where items stand in a text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from askance.irl.lint.placing import NAME, placed

NUMBERS = {"cy": 0, "likes": 1, "hot": 2, "chocolate": 3, "and": 4, "tea": 5, "love": 6, "to": 7}


def numbers(text: str) -> list[int]:
    return [NUMBERS[word] for word in text.lower().split()]


@pytest.mark.parametrize(
    ("text", "name", "items", "expected"),
    [
        ("cy likes hot chocolate and tea", "cy", ["hot chocolate", "tea"], {NAME: (0, 1), 0: (2, 4), 1: (5, 6)}),
        # an item called like the word before the list does not take its place
        ("cy likes likes tea", "cy", ["likes", "tea"], {NAME: (0, 1), 0: (2, 3), 1: (3, 4)}),
        # nor does one that the name holds
        ("cy love likes love tea", "cy love", ["love", "tea"], {NAME: (0, 2), 0: (3, 4), 1: (4, 5)}),
        # the same item twice
        ("cy likes tea and tea", "cy", ["tea", "tea"], {NAME: (0, 1), 0: (2, 3), 1: (4, 5)}),
        # items before the name
        ("tea and hot to cy", "cy", ["tea", "hot"], {NAME: (4, 5), 0: (0, 1), 1: (2, 3)}),
        # in another order than in the text
        ("cy likes hot and tea", "cy", ["tea", "hot"], {NAME: (0, 1), 0: (4, 5), 1: (2, 3)}),
        # an item that the text does not hold
        ("cy likes hot", "cy", ["hot", "tea"], {NAME: (0, 1), 0: (2, 3)}),
        # no name
        ("hot chocolate", "", ["hot chocolate"], {0: (0, 2)}),
    ],
)
def test_items_stand_where_they_are_listed(
    text: str, name: str, items: list[str], expected: dict[int, tuple[int, int]]
) -> None:
    found = placed(numbers(text), numbers(name), [numbers(item) for item in items])
    assert dict(zip(found.what, zip(found.begins, found.ends, strict=True), strict=True)) == expected
    assert found.unplaced == len(items) - sum(what != NAME for what in found.what)


word = st.integers(0, 3)


@given(st.lists(word, max_size=20), st.lists(word, max_size=2), st.lists(st.lists(word, max_size=3), max_size=6))
def test_stretches_hold_their_words_and_lie_apart(words: list[int], name: list[int], items: list[list[int]]) -> None:
    found = placed(words, name, items, first=100)
    for begin, end, what in zip(found.begins, found.ends, found.what, strict=True):
        assert words[begin:end] == (name if what == NAME else items[what - 100])
    assert all(end <= begin for end, begin in zip(found.ends, found.begins[1:], strict=False))
    assert len(set(found.what)) == len(found.what)
    assert found.unplaced == len(items) - sum(what != NAME for what in found.what)


@given(st.lists(st.lists(word, min_size=1, max_size=3), min_size=1, max_size=6), st.lists(word, max_size=3))
def test_a_list_in_order_is_placed_whole(items: list[list[int]], before: list[int]) -> None:
    words = [*before, *(number for item in items for number in item)]
    assert placed(words, [], items).unplaced == 0
