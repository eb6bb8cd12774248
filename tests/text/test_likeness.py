"""Lexical likeness against its formula, spelled out."""

from __future__ import annotations

import re
from collections import Counter
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from askance.data.adapters import gsm_plus
from askance.text.classes import ACTION_VERBS, CLASSES, STOPWORDS
from askance.text.likeness import LIKENESSES, MeanOfThree, Overlap, jaccard

TEXTS = st.text(alphabet="abcAB 12é.", max_size=20)


def longest_common(one: str, other: str) -> int:
    row = [0] * (len(other) + 1)
    for letter in one:
        before = 0
        for at, facing in enumerate(other, 1):
            before, row[at] = row[at], before + 1 if letter == facing else max(row[at], row[at - 1])
    return row[-1]


def mean_of_three(one: str, other: str) -> Fraction:
    one, other = one.lower(), other.lower()
    first, second = set(re.findall(r"\w+", one)), set(re.findall(r"\w+", other))
    overlap = Fraction(len(first & second), len(first | second)) if first | second else Fraction(1)
    both = len(one) + len(other)
    ratio = Fraction(2 * longest_common(one, other), both) if both else Fraction(1)
    longer = max(len(one), len(other))
    length = Fraction(min(len(one), len(other)), longer) if longer else Fraction(1)
    return (overlap + ratio + length) / 3


@given(TEXTS, st.lists(TEXTS, max_size=4))
def test_mean_of_three(query: str, documents: list[str]) -> None:
    expected = [float(mean_of_three(query, text)) for text in documents]
    np.testing.assert_allclose(LIKENESSES["all"].scores(query, documents), expected, rtol=0, atol=1e-12)


@given(st.sampled_from(sorted(LIKENESSES)), st.text(max_size=30), st.text(max_size=30))
def test_laws(name: str, one: str, other: str) -> None:
    likeness = LIKENESSES[name]
    there, back = likeness.scores(one, [other])[0], likeness.scores(other, [one])[0]
    assert 0.0 <= there <= 1.0
    assert there == pytest.approx(back)
    assert likeness.scores(one, [one])[0] == pytest.approx(1.0)


@pytest.mark.parametrize(
    ("name", "one", "other", "expected"),
    [
        ("numbers", "three cups and 3 plates", "3 cups", 1 / 2),
        ("numbers", "three cups", "3.0 cups", 1.0),
        ("numbers", "no cups", "many cups", 1.0),  # neither names a number: they agree
        ("numbers", "no cups", "2 cups", 0.0),
        ("verbs", "put a clean mug", "clean the mug and put it away", 1.0),
        ("verbs", "heat a mug", "cool a mug", 0.0),
        ("others", "put two mugs on the desk", "find two pens on a desk", 2 / 4),
        ("content", "The mug is on the desk.", "a mug and a desk", 1.0),
        ("function", "The mug is on the desk.", "the pen was on it", 2 / 5),
    ],
)
def test_overlap_of_a_class(name: str, one: str, other: str, expected: float) -> None:
    assert LIKENESSES[name].scores(one, [other])[0] == pytest.approx(expected)


def test_verbs_as_in_the_source() -> None:
    one, other = "examine the pen with the desklamp", "look at some pen under the desklamp"
    first, second = set(one.split()), set(other.split())
    for name, kept in (
        ("verbs", lambda word: word in ACTION_VERBS),
        ("others", lambda w: w not in ACTION_VERBS | STOPWORDS),
    ):
        expected = jaccard(frozenset(filter(kept, first)), frozenset(filter(kept, second)))
        assert LIKENESSES[name].scores(one, [other])[0] == expected


@given(st.lists(st.text(max_size=8), max_size=8))
def test_room_changes_no_score(documents: list[str]) -> None:
    read: Counter[str] = Counter()

    def reading(text: str) -> frozenset[str]:
        read[text] += 1
        return CLASSES["all"].read(text)

    kept, small = Overlap(reading), Overlap(CLASSES["all"].read, room=10)
    for query in (*documents, "a b"):
        np.testing.assert_array_equal(kept.scores(query, documents), small.scores(query, documents))
    assert max(read.values(), default=1) == 1  # each text is read once
    assert sum(map(len, small._kept)) <= 10


def test_no_documents() -> None:
    assert MeanOfThree().scores("a", []).shape == (0,)


def test_near_misses_of_gsm_plus_read_closer_than_gold(shared_data: Path) -> None:
    """All 300 by the mean of three; by Jaccard 298 with other numbers alone, 299 with any of the six perturbations."""
    collection = gsm_plus.load(shared_data)
    queries, documents = collection.queries.field("text"), collection.documents.field("text")
    perturbation = collection.documents.field("perturbation")
    judgments, roles = collection.tier("paraphrase").judgments, collection.roles
    assert roles is not None
    overlap = Overlap(CLASSES["all"].read)
    closer = Counter[str]()
    for query, text in enumerate(queries):
        gold, _ = judgments.of_query(query)
        decoys = np.concatenate([roles.of_query(query, name) for name in ("near-miss", "answer-kept")])
        renumbered = [at for at in decoys if perturbation[at] == "numerical substitution"]
        for name, likeness, held in (
            ("mean", LIKENESSES["all"], decoys),
            ("mean, other numbers", LIKENESSES["all"], renumbered),
            ("overlap", overlap, decoys),
            ("overlap, other numbers", overlap, renumbered),
        ):
            best = likeness.scores(text, [documents[at] for at in gold]).max()
            closer[name] += int(likeness.scores(text, [documents[at] for at in held]).max() > best)
    assert closer == {"mean": 300, "mean, other numbers": 300, "overlap": 299, "overlap, other numbers": 298}
