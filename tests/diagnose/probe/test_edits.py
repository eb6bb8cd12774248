"""Edits: one class changes, nothing else does, by seed; what cannot be edited is counted."""

from __future__ import annotations

import random
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.diagnose.probe.fakes import OBJECTS, PLACES, VERBS, household

from askance.diagnose.probe.classes import editable
from askance.diagnose.probe.edits import NO_OTHER, NO_WORD, edits_of, swapping
from askance.diagnose.probe.pool import Pool
from askance.diagnose.probe.reading import FUNCTION, NUMBERS, STRUCTURE, TokenReader
from askance.diagnose.probe.rearranging import NO_SENTENCE, NO_WORDING, TOO_SHORT, Neutral, Wordings, shuffling
from askance.text.classes import words
from askance.text.numbers import numbers
from askance.views.slots import Slots

COLLECTION = household()
DOCUMENTS, QUERIES = COLLECTION.documents.field("text"), COLLECTION.queries.field("text")
READER = TokenReader(Slots.learn(DOCUMENTS, QUERIES))
POOL = Pool(READER, DOCUMENTS)


def group_of(word: str) -> str:
    return READER.pieces(f"clean some {word} and put it in {PLACES[0]}.")[2].group


OBJECT = group_of(OBJECTS[0])


def test_words_are_read_into_classes() -> None:
    groups = [piece.group for piece in READER.pieces(DOCUMENTS[0])]
    assert groups[0] == groups[4] == STRUCTURE  # clean, put
    assert groups[1] == groups[3] == groups[5] == groups[6] == FUNCTION
    assert groups[2] in READER.open
    assert groups[7] in READER.open
    assert groups[2] != groups[7]
    assert READER.pieces("two 3 4.5 seven")[1].group == NUMBERS


@given(st.sampled_from(DOCUMENTS), st.integers(0, 1000))
@settings(max_examples=60, deadline=None)
def test_a_swap_changes_its_class_alone(text: str, seed: int) -> None:
    for group, vocabulary in ((OBJECT, OBJECTS), (STRUCTURE, VERBS)):
        made = swapping(READER, POOL, [group])(text, random.Random(seed))
        assert not isinstance(made, str)
        edited, share = made
        before, after = words(text), words(edited)
        differ = [(one, other) for one, other in zip(before, after, strict=True) if one != other]
        assert differ
        assert all(one in (*vocabulary, "put") for one, _ in differ)
        assert share == pytest.approx(len(differ) / len(before))
        if group == OBJECT:
            assert {other for _, other in differ} <= set(OBJECTS)


def test_one_word_instead_of_all() -> None:
    text = f"{OBJECTS[0]} and {OBJECTS[1]} and {OBJECTS[2]}"
    made = swapping(READER, POOL, [OBJECT], "one")(text, random.Random(1))
    assert not isinstance(made, str)
    assert sum(one != other for one, other in zip(words(text), words(made[0]), strict=True)) == 1


def test_equal_seeds_give_equal_edits() -> None:
    make = swapping(READER, POOL, [OBJECT])
    first, again, other = (edits_of("objects", QUERIES, make, seed) for seed in (3, 3, 4))
    assert first.made == again.made
    assert [one.text for one in first.made] != [one.text for one in other.made]
    assert len(edits_of("objects", QUERIES[:5], make, 3, draws=4).made) > 5


def test_what_cannot_be_edited_is_counted() -> None:
    made = edits_of("numbers", [*QUERIES[:2], "take 7 of them"], swapping(READER, POOL, [NUMBERS]), 0)
    assert made.made == []
    assert made.dropped == Counter({NO_WORD: 2, NO_OTHER: 1})


COUNTED = [f"Ann has {number} pens and {other} books." for number, other in ((3, 4), (5, 6), (7, 8), (9, 2))]


def test_numbers_get_another_value_written_alike() -> None:
    texts = [*COUNTED, "She has seven of them.", "He has two of them."]
    reader = TokenReader(Slots.learn(texts))
    make = swapping(reader, Pool(reader, texts), [NUMBERS])
    for text in texts:
        made = make(text, random.Random(0))
        assert not isinstance(made, str)
        assert sorted(numbers(made[0])) != sorted(numbers(text))
        assert [one.isdigit() for one in words(made[0])] == [one.isdigit() for one in words(text)]


@pytest.mark.parametrize("text", QUERIES[:6])
def test_shuffling_keeps_the_words(text: str) -> None:
    made = shuffling(READER)(text, random.Random(2))
    assert not isinstance(made, str)
    assert Counter(words(made[0])) == Counter(words(text))
    assert words(made[0]) != words(text)
    assert shuffling(READER)("a a a a", random.Random(2)) == TOO_SHORT


def test_another_wording_has_the_same_content() -> None:
    texts = [
        *DOCUMENTS,
        *(f"{verb} the {thing} and then put it on the {PLACES[0]}" for verb in VERBS for thing in OBJECTS),
    ]
    reader = TokenReader(Slots.learn(texts))
    make = Wordings(reader, texts).rewording()
    made = make(f"clean some {OBJECTS[3]} and put it in {PLACES[2]}.", random.Random(0))
    assert made[0] == f"clean the {OBJECTS[3]} and then put it on the {PLACES[2]}"
    assert make("throw it", random.Random(0)) == NO_WORDING
    told = make("It is late. It was dark. Why?", random.Random(0))
    assert told[0] == "It was dark. It is late. Why?"


def test_a_neutral_sentence_more_or_less() -> None:
    texts = [f"{text} Take your time." for text in DOCUMENTS[:9]] + list(DOCUMENTS[9:])
    reader = TokenReader(Slots.learn(texts))
    make = Neutral(reader, texts).resizing()
    assert make(DOCUMENTS[20], random.Random(0))[0] == f"{DOCUMENTS[20]} Take your time."
    assert make(texts[0], random.Random(0))[0] == DOCUMENTS[0]
    assert Neutral(READER, DOCUMENTS).resizing()(DOCUMENTS[0], random.Random(0)) == NO_SENTENCE


def test_every_class_of_a_collection_is_there() -> None:
    names = [one.name for one in editable(READER, POOL, DOCUMENTS, QUERIES, "all")]
    assert set(names[:2]) == set(READER.open)
    assert names[-3:] == ["word order", "wording", "length"]
