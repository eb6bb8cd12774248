"""What the word lists of collections in the manner of LIMIT promise: nothing is inside anything else."""

from __future__ import annotations

import re
from collections.abc import Iterable
from string import Formatter

import pytest

from askance.build.limit.composed import composed_items, composed_synonyms, separated_items
from askance.build.limit.frames import FRAMES
from askance.build.limit.lists import (
    adjective_pairs,
    given_names,
    listed,
    plain_items,
    surnames,
    synonym_pairs,
)
from askance.build.limit.seeds import chance
from askance.core.errors import BadInput
from askance.text.analyzer import Analyzer

Terms = tuple[str, ...]
STEMMED = Analyzer(stemmer="english")


def terms(text: str) -> Terms:
    return tuple(STEMMED.terms(text))


def pieces(whole: Terms) -> set[Terms]:
    """All runs of neighbouring terms."""
    return {whole[begin:end] for begin in range(len(whole)) for end in range(begin + 1, len(whole) + 1)}


def inside(items: Iterable[str]) -> list[tuple[str, str]]:
    """(shorter, longer) wherever one item is another one, or stands in it, in any form of its words."""
    listed = list(items)
    known: dict[Terms, str] = {}
    found = []
    for item in listed:
        key = terms(item)
        if key in known:
            found.append((item, known[key]))
        known[key] = item
    for item in listed:
        found += [(known[piece], item) for piece in pieces(terms(item)) - {terms(item)} if piece in known]
    return found


def kept() -> list[str]:
    return [*plain_items(), *(synonym for _, synonym in synonym_pairs()), *listed("separated"), *listed("name_items")]


def test_there_are_enough() -> None:
    assert len(plain_items()) >= 1100
    assert len(synonym_pairs()) >= 400
    assert len(given_names()) >= 300
    assert len(surnames()) >= 700
    for names in (given_names(), surnames(), listed("adjectives"), listed("materials"), listed("nouns")):
        assert len({terms(name) for name in names}) == len(names)


def test_no_item_is_inside_another() -> None:
    assert inside(kept()) == []
    # the oracle finds what is there
    assert sorted(inside(["Honey", "Honey Bees", "Bee"])) == [("Bee", "Honey Bees"), ("Honey", "Honey Bees")]


def test_things_left_out_are_those_that_would_collide_or_hold_a_separator() -> None:
    left_out = listed("things_left_out")
    colliding = {item for pair in inside([*plain_items(), *left_out]) for item in pair}
    assert [thing for thing in left_out if thing not in colliding and thing not in listed("separated")] == []


def test_no_plain_item_or_synonym_needs_quotes() -> None:
    every = [*plain_items(), *(synonym for _, synonym in synonym_pairs()), *listed("name_items")]
    for frame in FRAMES.values():
        assert [item for item in every if frame.written(item) != item] == []


def test_composed_items_are_no_part_of_others_and_hold_none() -> None:
    """Every composed item is a run through these three lists, so it is enough to look at neighbours."""
    adjectives, materials, nouns = (
        {terms(word) for word in listed(name)} for name in ("adjectives", "materials", "nouns")
    )
    assert all(len(word) == 1 for word in adjectives | materials | nouns)
    assert not adjectives & materials
    assert not adjectives & nouns
    assert not materials & nouns
    parts = adjectives | materials | nouns
    assert [item for item in kept() if terms(item) in parts] == []
    runs = [(adjectives, nouns), (adjectives, materials), (materials, nouns)]
    meeting = [
        item
        for item in kept()
        for one, next_one in zip(terms(item), terms(item)[1:], strict=False)
        for first, second in runs
        if (one,) in first and (next_one,) in second
    ]
    assert meeting == []


@pytest.mark.parametrize("count", [300, 60_000])
def test_composed_items_are_different_and_apart(count: int) -> None:
    made = composed_items(count, chance(1, "test"))
    assert len(set(made)) == count
    assert inside(made[:3000]) == []


def test_too_many_composed_items() -> None:
    with pytest.raises(BadInput, match="2000000000 composed items are needed"):
        composed_items(2_000_000_000, chance(1, "test"))
    with pytest.raises(BadInput, match="items with a synonym are needed"):
        composed_synonyms(1_000_000, chance(1, "test"))


def test_a_synonym_shares_no_word_with_its_item() -> None:
    composed = composed_synonyms(3000, chance(1, "test"))
    for item, synonym in [*synonym_pairs(), *adjective_pairs(), *composed]:
        assert not set(terms(item)) & set(terms(synonym)), (item, synonym)
    assert inside([text for pair in composed for text in pair]) == []
    padding = [item for item in plain_items() if item not in {one for one, _ in synonym_pairs()}]
    assert (
        inside([*padding, *composed_items(3000, chance(1, "test")), *(text for pair in composed for text in pair)])
        == []
    )


def test_no_name_is_a_word_of_an_item() -> None:
    words = {term for item in kept() for term in terms(item)}
    words |= {term for name in ("adjectives", "materials", "nouns") for word in listed(name) for term in terms(word)}
    words |= {term for pair in adjective_pairs() for word in pair for term in terms(word)}
    assert [name for name in (*given_names(), *surnames()) if set(terms(name)) & words] == []


def test_no_item_or_name_is_made_of_words_of_a_template() -> None:
    template = {
        term
        for frame in FRAMES.values()
        for sentence in (frame.document, *frame.questions.values())
        for literal, *_ in Formatter().parse(sentence)
        for term in terms(literal)
    }
    assert {"like", "who", "mag"} <= template
    every = [*kept(), *given_names(), *surnames(), *listed("adjectives"), *listed("materials"), *listed("nouns")]
    assert [item for item in every if set(terms(item)) <= template] == []


def test_every_longer_form_holds_the_item_whole_and_no_other() -> None:
    every = set(map(terms, kept()))
    for form in listed("longer"):
        assert terms("Hot Chocolate") in pieces(terms(form.format("Hot Chocolate")))
        around = form.format("|").split("|")
        assert any(around)
        assert not pieces(terms(around[0])) & every
        assert not pieces(terms(around[1])) & every
    assert len(set(listed("longer"))) == len(listed("longer"))


def test_separated_items_hold_a_separator_and_are_apart() -> None:
    made = separated_items(500, chance(1, "test"))
    assert len(set(made)) == 500
    assert all(re.search(r",| and ", item) for item in made)
    assert inside([*made, *plain_items(), *composed_items(3000, chance(1, "test"))]) == []


def test_frames_say_everything_in_four_ways_and_more() -> None:
    assert {"english", "german", "spanish", "japanese", "invented"} <= set(FRAMES)
    for name, frame in FRAMES.items():
        assert set(frame.questions) == {"one", "or", "or_or", "and", "and_both", "and_not", "not"}, name
        for kind in (frame.negation, frame.attribution):
            assert len({sentence for sentence, _ in kind}) >= 4
            assert frame.relation not in {relation for _, relation in kind}
        assert len(set(frame.same)) >= 4
        for sentence in (frame.document, *frame.same, *(one for one, _ in [*frame.negation, *frame.attribution])):
            fields = [field for _, field, *_ in Formatter().parse(sentence) if field]
            assert sorted(fields) == ["items", "name"], sentence
        for template, question in frame.questions.items():
            fields = [field for _, field, *_ in Formatter().parse(question) if field]
            needed = {"one": 1, "or_or": 3, "and_both": 3, "and_not": 3}.get(template, 2)
            assert sorted(fields) == list("abc"[:needed]), question


@pytest.mark.parametrize("name", list(FRAMES))
def test_a_list_is_written_as_the_package_reads_lists(name: str) -> None:
    frame = FRAMES[name]
    items = ["Tea", *listed("separated")[:6], 'The "Big" Bang', "Kites、と", "Sand und Salz", "Pan y Vino"]
    for count in range(1, len(items) + 1):
        assert frame.listed(items[:count]) == frame.marks.render(items[:count])
        assert frame.marks.split(frame.listed(items[:count])) == tuple(items[:count])
