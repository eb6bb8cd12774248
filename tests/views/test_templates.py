"""Templates: slots of texts that differ in one place."""

from __future__ import annotations

import itertools
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from askance.views.templates import Text, frames, induce, linked_share, sign

THINGS = ["mug", "pan", "pen", "cup", "key", "box", "jar", "fan", "lid", "pot"]
PLACES = ["sink", "desk", "shelf", "drawer", "bed", "sofa", "bin", "cart", "rack"]
A, B = sign(0), sign(1)


def goals(seed: int = 0, share: float = 0.5) -> list[Text]:
    """Some of all goals, so that not every pair of words shares a text."""
    every = [
        tuple(wording.format(verb=verb, thing=thing, place=place).split())
        for verb, thing, place in itertools.product(("clean", "heat", "cool"), THINGS, PLACES)
        for wording in ("{verb} some {thing} and put it in {place}", "put a {verb} {thing} in {place}")
    ]
    every += [("put", number, thing, "in", place) for number in ("a", "two") for thing in THINGS for place in PLACES]
    return random.Random(seed).sample(every, int(share * len(every)))


@pytest.mark.parametrize("share", [0.2, 0.5, 1.0])
def test_many_members_are_open_and_few_stay(share: float) -> None:
    found = induce(goals(share=share))
    assert [set(each) for each in found.open] == [set(THINGS), set(PLACES)]
    assert {"clean", "heat", "cool"} in [set(each) for each in found.closed]
    assert {"a", "two"} in [set(each) for each in found.closed]
    assert set(found.skeletons) == {
        *((verb, "some", A, "and", "put", "it", "in", B) for verb in ("clean", "heat", "cool")),
        *(("put", "a", verb, A, "in", B) for verb in ("clean", "heat", "cool")),
        *(("put", number, A, "in", B) for number in ("a", "two")),
    }
    assert sum(found.skeletons.values()) == len(goals(share=share))


def test_the_order_of_texts_changes_nothing() -> None:
    texts = goals()
    again = random.Random(1).sample(texts, len(texts))
    assert induce(texts).open == induce(again).open
    assert induce(texts).skeletons == induce(again).skeletons


def test_other_words_give_the_same_slots() -> None:
    renamed = dict(zip(THINGS, (f"w{at}x" for at in range(len(THINGS))), strict=True))
    found = induce([tuple(renamed.get(word, word) for word in text) for text in goals()])
    assert set(found.skeletons) == set(induce(goals()).skeletons)
    assert set(renamed.values()) in [set(each) for each in found.open]


def test_words_that_share_no_whole_text_come_in_by_the_skeletons() -> None:
    texts = [text for text in goals() if text[:2] != ("put", "two") or text[-1] != "cart"]
    found = induce([*texts, ("put", "two", "zither", "in", "cart")])
    assert "zither" in found.open[0]


def test_runs_of_words_join_but_take_no_structure_with_them() -> None:
    found = induce([*goals(), ("put", "a", "clean", "soap", "bar", "in", "desk")])
    assert "soap bar" in found.open[0]
    assert not any("clean" in each for words in found.open for each in words)
    assert ("put", "a", "clean", A, "in", B) in found.skeletons


def test_stray_texts_do_not_make_one_class_of_two() -> None:
    stray = [("put", "two", "sink", "in", "desk"), ("put", "two", "bed", "in", "sofa")]
    assert [set(each) for each in induce([*goals(share=1.0), *stray]).open] == [set(THINGS), set(PLACES)]


@pytest.mark.parametrize("texts", [[], [()], [("a",)], [("a", "b")], [("a", "b")] * 3, [("a", "b"), ("c", "d")]])
def test_what_has_no_templates_has_no_slots(texts: list[Text]) -> None:
    assert induce(texts).open == ()
    assert induce(texts).covered == 0


def test_where_everything_is_linked_it_covers_all() -> None:
    texts = list(itertools.product("abcdefghi", repeat=3))
    assert induce(texts).covered == 1
    assert induce(goals()).covered < 0.5


words = st.sampled_from("abcd")


@given(st.lists(st.lists(words, max_size=4).map(tuple), max_size=14))
def test_frames_are_those_of_brute_force(texts: list[Text]) -> None:
    expected: dict[tuple[Text, Text], set[str]] = {}
    for text in texts:
        for at in range(len(text) if len(text) > 1 else 0):
            expected.setdefault((text[:at], text[at + 1 :]), set()).add(text[at])
    found = frames(dict.fromkeys(texts, 1))
    assert sorted(sorted(each) for each in found) == sorted(sorted(each) for each in expected.values() if len(each) > 1)


@given(st.lists(st.lists(words, min_size=2, max_size=4).map(tuple), max_size=14))
def test_linked_share_is_that_of_brute_force(texts: list[Text]) -> None:
    distinct = set(texts)
    near = [
        text
        for text in distinct
        if any(len(text) == len(other) and sum(map(str.__ne__, text, other)) == 1 for other in distinct)
    ]
    assert linked_share(texts) == (len(near) / len(distinct) if distinct else 0)


def test_ten_thousand_texts_in_moments() -> None:
    import time

    drawn = random.Random(2)
    texts = [
        ("take", f"t{drawn.randrange(300)}", "from", f"p{drawn.randrange(80)}", "with", f"h{drawn.randrange(40)}")
        for _ in range(10_000)
    ]
    begun = time.process_time()
    found = induce(texts)
    assert time.process_time() - begun < 6  # 60 s for ten times as many
    assert [len(each) for each in found.open] == [300, 80, 40]
