from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.irl.rewrite.listed import LIKERS, listed

from askance.irl.rewrite.counted import CountedVocabulary
from askance.irl.rewrite.near_items import NearItems, near_in
from askance.irl.rewrite.spelling import close
from askance.irl.rewrite.vocabulary import Vocabulary
from askance.text.analyzer import Analyzer

V = listed([*LIKERS, "Jo does not like Snow; snow.", "Snow fell on New York."])


def test_it_is_a_vocabulary() -> None:
    vocabulary: Vocabulary = V
    near: NearItems = V
    assert isinstance(near, NearItems)
    assert (vocabulary.documents, vocabulary.has_items, V.outside) == (10, True, 1)
    assert dict(vocabulary.relations) == {"likes": 8, "does not like": 1}


@pytest.mark.parametrize(
    ("term", "field", "count"),
    [
        ("snow", "text", 5),
        ("snow", "items", 4),
        ("snow", "name", 0),
        ("ivy", "name", 1),
        ("ivy", "items", 2),
        ("likes", "text", 8),
        ("likes", "items", 1),
        ("snow", "nowhere", 0),
        ("", "text", 0),
    ],
)
def test_holders(term: str, field: str, count: int) -> None:
    assert V.holders(term, field) == count


@pytest.mark.parametrize(
    ("phrase", "field", "count"),
    [
        ("new york", "text", 2),
        ("new york", "items", 1),
        ("york new", "text", 0),
        ("hot chocolate", "items", 0),
        ("springs dark", "text", 1),
        ("springs dark", "items", 0),
        ("apple cider", "items", 2),
        ("peter paul and mary", "items", 1),
        ("", "text", 0),
    ],
)
def test_holders_of_a_phrase_never_across_items(phrase: str, field: str, count: int) -> None:
    assert V.holders_of_phrase(phrase.split(), field) == count


def test_items_are_counted_once_a_document_and_written_most_frequent_first() -> None:
    assert V.holders_of_item("snow") == 3
    assert V.holders_of_item("apple cider") == 1
    assert V.holders_of_item("peter") == 0
    assert V.written("snow") == ("Snow", "snow")
    assert V.written("at t") == ("AT&T",)
    assert V.written("none") == ()


def test_at_most_five_writings() -> None:
    writings = ["snow", "Snow", "SNOW", "sNow", "snOw", "snoW"]
    vocabulary = listed([f"Ann likes {writing}." for writing in writings] + ["Bob likes snoW."])
    assert len(vocabulary.written("snow")) == 5
    assert vocabulary.written("snow")[0] == "snoW"


def test_without_a_schema_there_are_no_items() -> None:
    vocabulary = CountedVocabulary.of(LIKERS)
    assert not vocabulary.has_items
    assert vocabulary.holders("snow") == 3
    assert vocabulary.holders_of_item("snow") == 0
    assert vocabulary.relations == {}


def test_the_analyzer_is_its_own() -> None:
    vocabulary = CountedVocabulary.of(["Birch Trees"], Analyzer(stemmer="porter"))
    assert vocabulary.holders_of_phrase(["birch", "tree"]) == 1


@given(st.lists(st.lists(st.sampled_from("abc"), max_size=6), max_size=6), st.lists(st.sampled_from("abc"), max_size=3))
def test_phrases_as_counted_by_hand(texts: list[list[str]], phrase: list[str]) -> None:
    vocabulary = CountedVocabulary.of([" ".join(words) for words in texts])
    there = sum(f" {' '.join(phrase)} " in f" {' '.join(words)} " for words in texts) if phrase else 0
    assert vocabulary.holders_of_phrase(phrase) == there
    counts = Counter(word for words in texts for word in set(words))
    assert all(vocabulary.holders(word) == counts[word] for word in "abc")


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("tree", "trees", True),
        ("trees", "tree", True),
        ("box", "boxes", True),
        ("city", "cities", True),
        ("kind", "kinder", True),
        ("katze", "katzen", True),
        ("snow", "snow", True),
        ("cars", "carp", False),
        ("mag", "magnet", False),
        ("snow", "snowboarding", False),
        ("as", "ass", False),
        ("tie", "ties", True),
        ("", "s", False),
    ],
)
def test_forms_of_a_word(one: str, other: str, same: bool) -> None:
    assert close(one, other) is same


KEYS = sorted(
    ["birch trees", "birch tree houses", "tree", "trees", "cities", "city lights", "snow leopards", "snowmen"]
)


@pytest.mark.parametrize(
    ("key", "near"),
    [
        ("birch tree", ("birch trees",)),
        ("tree", ("trees",)),
        ("city", ("cities",)),
        ("snow leopard", ("snow leopards",)),
        ("snow", ()),
        ("be", ()),
        ("", ()),
        ("zebra", ()),
    ],
)
def test_near_items(key: str, near: tuple[str, ...]) -> None:
    assert near_in(KEYS, key) == near
