"""Near words: counted as Lucene counts them, over gaps and with repeated words."""

from __future__ import annotations

from itertools import permutations, product
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.engines.embedded.made import index_of_records, index_of_texts

from askance.engines.embedded.sloppy import exact_frequency, places_of, sloppy_frequency
from askance.irl.nodes import Lex


def frequency(document: str, phrase: str, slop: int) -> float:
    terms = list(enumerate(phrase.split()))
    found = places_of([(term, at) for at, term in enumerate(document.split())], phrase.split())
    return sloppy_frequency(terms, found, slop)


# Distances by hand: the spread of (place in the document - place in the phrase) over the terms.
@pytest.mark.parametrize(
    ("document", "phrase", "slop", "expected"),
    [
        ("a b", "a b", 0, 1.0),
        ("a b", "a b", 5, 1.0),
        ("a x b", "a b", 0, 0.0),
        ("a x b", "a b", 1, 1 / 2),
        ("a x x b", "a b", 1, 0.0),
        ("a x x b", "a b", 2, 1 / 3),
        ("b a", "a b", 1, 0.0),
        ("b a", "a b", 2, 1 / 3),
        ("b x a", "a b", 3, 1 / 4),
        ("a b x x x a x b", "a b", 1, 1 + 1 / 2),
        ("a c b", "a b c", 2, 1 / 3),
        ("a x b x c", "a b c", 2, 1 / 3),
        ("a x a", "a a", 0, 0.0),
        ("a x a", "a a", 1, 1 / 2),
        ("a a", "a a", 2, 1.0),
        ("a", "a a", 9, 0.0),
        ("a b", "a c", 9, 0.0),
    ],
)
def test_by_hand(document: str, phrase: str, slop: int, expected: float) -> None:
    assert frequency(document, phrase, slop) == pytest.approx(expected, rel=1e-6)


@given(st.lists(st.sampled_from("abcx"), max_size=12), st.sampled_from(["a b", "a b c", "b a"]), st.integers(0, 8))
def test_found_where_some_choice_of_places_is_near_enough(words: list[str], phrase: str, slop: int) -> None:
    terms = phrase.split()
    at = [[place for place, word in enumerate(words) if word == term] for term in terms]
    spreads = [
        max(choice[n] - n for n in range(len(terms))) - min(choice[n] - n for n in range(len(terms)))
        for choice in product(*at)
    ]
    found = frequency(" ".join(words), phrase, slop)
    assert (found > 0) == (min(spreads, default=slop + 1) <= slop)
    if found:
        assert found >= np.float32(1 / (1 + min(spreads)))


@given(st.lists(st.sampled_from("ab"), max_size=10), st.sampled_from(["a b", "a a", "a b a", "a a a"]))
def test_without_slop_it_is_the_phrase(words: list[str], phrase: str) -> None:
    terms = phrase.split()
    begins = [n for n in range(len(words)) if words[n : n + len(terms)] == terms]
    places = places_of([(word, at) for at, word in enumerate(words)], terms)
    assert exact_frequency(list(enumerate(terms)), places) == len(begins)
    if len(set(terms)) == len(terms):
        assert frequency(" ".join(words), phrase, 0) == len(begins)


@given(st.lists(st.sampled_from("abx"), max_size=12), st.integers(0, 6))
def test_more_slop_finds_no_less(words: list[str], slop: int) -> None:
    document = " ".join(words)
    assert frequency(document, "a b", slop + 1) >= frequency(document, "a b", slop)


def test_slop_reaches_over_a_gap_as_wide_as_it(tmp_path: Path) -> None:
    index = index_of_records(tmp_path / "index", [{"items": ["John Abraham", "Lincoln Smith"]}])
    for slop, hits in ((0, 0), (1, 0), (99, 0), (100, 1)):
        assert len(index.lex(Lex("Abraham Lincoln", "phrase", slop), "items", None).positions) == hits, slop
    near = index.lex(Lex("Abraham Lincoln", "phrase", 100), "items", None)
    # 2 * ln(1 + .5 / 1.5) * f / (f + 1.2), f = 1 / 101: one document of mean length
    assert near.scores[0] == pytest.approx(2 * np.log(4 / 3) * (1 / 101) / (1 / 101 + 1.2), rel=2e-5)


def test_all_orders_of_three_words(tmp_path: Path) -> None:
    texts = [" ".join(order) for order in permutations(["hot", "dark", "chocolate"])]
    index = index_of_texts(tmp_path / "index", texts)
    found = index.lex(Lex("hot dark chocolate", "phrase", 4), "text", None)
    assert found.positions.tolist() == list(range(6))
    assert found.scores.argmax() == 0
    assert index.lex(Lex("hot dark chocolate"), "text", None).positions.tolist() == [0]
