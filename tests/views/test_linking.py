"""Linking: classes of words that fill the same frames."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from askance.views.linking import linked

PLACES = [[f"place{a}", f"place{b}"] for a in range(6) for b in range(a + 1, 6)]
THINGS = [[f"thing{a}", f"thing{b}"] for a in range(6) for b in range(a + 1, 6)]


@pytest.mark.parametrize(
    ("frames", "expected"),
    [
        ([], []),
        ([["a", "b"]], [{"a", "b"}]),
        ([["a", "b"], ["b", "c"], ["d", "e"]], [{"a", "b", "c"}, {"d", "e"}]),
        ([["a", "b"], ["c", "d"], ["b", "c"]], [{"a", "b", "c", "d"}]),
        ([["b", "a"], ["a", "b"]], [{"a", "b"}]),
    ],
)
def test_cases(frames: list[list[str]], expected: list[set[str]]) -> None:
    assert [set(each) for each in linked(frames)] == expected


def test_one_stray_frame_does_not_run_two_classes_together() -> None:
    both = [*PLACES, *THINGS]
    apart = [{f"place{at}" for at in range(6)}, {f"thing{at}" for at in range(6)}]
    assert sorted(map(sorted, linked(both))) == sorted(map(sorted, apart))
    assert sorted(map(sorted, linked([*both, ["place0", "thing0"]]))) == sorted(map(sorted, apart))


def test_many_shared_frames_do() -> None:
    shared = [[f"place{at}", f"thing{other}"] for at in range(6) for other in range(6)]
    assert len(linked([*PLACES, *THINGS, *shared])) == 1


def test_thousands_of_words_are_cut_as_few_are() -> None:
    drawn = random.Random(0)
    names = [f"one{at}" for at in range(900)], [f"other{at}" for at in range(700)]
    frames = [drawn.sample(each, 5) for each in names for _ in range(4_000)]
    frames += [[names[0][at], names[1][at]] for at in range(100)]
    assert linked(frames) == [frozenset(names[0]), frozenset(names[1])]
    assert linked(frames) == linked(frames)


words = st.sampled_from("abcdefgh")


@given(st.lists(st.lists(words, min_size=2, max_size=4, unique=True), max_size=12))
def test_classes_are_disjoint_and_of_words_that_share_a_frame(frames: list[list[str]]) -> None:
    found = linked(frames)
    assert sum(map(len, found)) == len(frozenset().union(*found))
    for one in found:
        assert len(one) > 1
        for word in one:
            assert any(word in frame and (one - {word}) & set(frame) for frame in frames)
