"""Classes by neighbours, on texts drawn from a grammar whose classes are known."""

from __future__ import annotations

import random

import numpy as np
import pytest

from askance.views.clusters import cluster
from askance.views.neighbours import space_of

NOUNS = [f"noun{at}" for at in range(60)]
STATES = ["clean", "cold", "warm", "wet", "dry"]
VERBS = ["put", "place", "move", "take", "set"]
BEFORE = ["in", "on", "under", "near"]


def sentences(count: int, seed: int = 0) -> list[tuple[str, ...]]:
    drawn = random.Random(seed)
    return [
        (
            drawn.choice(VERBS),
            drawn.choice(("a", "the")),
            *([drawn.choice(STATES)] if drawn.random() < 0.5 else []),
            drawn.choice(NOUNS),
            drawn.choice(BEFORE),
            "the",
            drawn.choice(NOUNS),
        )
        for _ in range(count)
    ]


@pytest.fixture(scope="module")
def texts() -> list[tuple[str, ...]]:
    return sentences(1_500)


def test_the_many_are_open_and_the_few_are_not(texts: list[tuple[str, ...]]) -> None:
    found = cluster(texts)
    is_open = {word: each.openness >= found.border for each in found.classes for word in each.words}
    assert set(is_open) == {word for text in texts for word in text}
    assert np.mean([is_open[noun] for noun in NOUNS]) > 0.95
    assert not any(is_open[word] for word in (*STATES, *VERBS, *BEFORE, "a", "the"))


def test_no_class_mixes_nouns_with_others(texts: list[tuple[str, ...]]) -> None:
    for each in cluster(texts).classes:
        kinds = {"noun" if word.startswith("noun") else word for word in each.words}
        assert kinds == {"noun"} or "noun" not in kinds


def test_the_same_texts_give_the_same_classes(texts: list[tuple[str, ...]]) -> None:
    assert cluster(texts) == cluster(texts)


def test_a_rare_word_joins_its_like(texts: list[tuple[str, ...]]) -> None:
    found = cluster([*texts, ("put", "a", "wet", "zither", "in", "the", "noun1")])
    home = next(each for each in found.classes if "zither" in each.words)
    assert any(word.startswith("noun") for word in home.words)


@pytest.mark.parametrize("texts", [[], [()], [("a", "b")] * 9, [tuple("abcdefgh")] * 4])
def test_too_few_words_have_no_classes(texts: list[tuple[str, ...]]) -> None:
    assert cluster(texts).classes == ()
    assert cluster(texts).border == np.inf


def test_words_with_the_same_neighbours_are_at_one_point() -> None:
    texts = [("put", word, "here") for word in ("mug", "pan")] * 4 + [("see", "that", "dog")] * 4
    words = sorted({word for text in texts for word in text})
    space = space_of(texts, words, len(words), 5, both=True)
    assert space is not None
    unit = space.unit(5)
    np.testing.assert_allclose(unit[words.index("mug")], unit[words.index("pan")], atol=1e-9)
    np.testing.assert_allclose(np.linalg.norm(unit, axis=1), 1, atol=1e-9)
    assert abs(unit[words.index("mug")] @ unit[words.index("dog")]) < 1e-6


def test_words_without_neighbours_that_are_seen_twice_have_no_space() -> None:
    assert space_of([("a", "b"), ("c", "d")], ["a", "b", "c", "d"], 1, 3, both=True) is None
