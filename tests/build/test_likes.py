"""Who likes what: two documents hold each thing asked for, and no two queries ask for the same two documents."""

from __future__ import annotations

import re
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from askance.build.as_published import words
from askance.build.likes import likes
from askance.core.errors import BadInput
from askance.data.collection import Collection


def holders(collection: Collection, query: int) -> list[int]:
    """Documents that list the thing asked for, found in their text."""
    thing = collection.queries.field("text")[query].removeprefix("Who likes ").removesuffix("?")
    listed = re.compile(rf"(?: likes |, | and ){re.escape(thing)}(?:, | and |\.$)")
    return [at for at, text in enumerate(collection.documents.field("text")) if listed.search(text)]


def check(collection: Collection, each: int) -> None:
    judgments = collection.tier("likes").judgments
    pairs = [tuple(judgments.of_query(query)[0].tolist()) for query in range(len(collection.queries))]
    assert pairs == [tuple(holders(collection, query)) for query in range(len(collection.queries))]
    assert {len(pair) for pair in pairs} == {2}
    assert len(set(pairs)) == len(pairs)
    assert {text.count(", ") for text in collection.documents.field("text")} == {each - 2}


def test_the_small_set() -> None:
    collection = likes(7)
    check(collection, 45)
    of_all = set(combinations(range(46), 2))
    assert len(of_all) == 1035
    for name, text in zip(collection.documents.ids, collection.documents.field("text"), strict=True):
        assert text.startswith(f"{name} likes ")


@settings(max_examples=25, deadline=None)
@given(st.data())
def test_any_size(data: st.DataObject) -> None:
    people = data.draw(st.integers(2, 12))
    queries = data.draw(st.integers(1, people * (people - 1) // 2))
    each = data.draw(st.integers(max(people - 1, 2), 20))
    check(likes(data.draw(st.integers(0, 99)), people=people, queries=queries, each=each), each)


@pytest.mark.parametrize(
    ("people", "queries", "each", "found"),
    [
        (4, 7, 3, "4 people make 6 pairs"),
        (4, 6, 2, "4 people make 6 pairs, each of them in 3"),
        (47, 10, 46, "47 different first names are needed, and there are 46"),
        (46, 10, 45, "2060 different things are needed"),
    ],
)
def test_what_cannot_be_made(people: int, queries: int, each: int, found: str) -> None:
    with pytest.raises(BadInput, match=found):
        likes(7, people=people, queries=queries, each=each)


@pytest.mark.parametrize("kind", ["things", "first_names", "surnames"])
def test_word_lists_hold_different_words(kind: str) -> None:
    listed = words(kind)
    assert len({word.lower() for word in listed}) == len(listed)
    assert all(re.fullmatch(r"[^\W\d_](?:[\w' -]*\w)?", word) for word in listed)
