"""What the classes of a signature read: by meaning, not by spelling."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from askance.text.names import names
from askance.text.signature_classes import SIGNATURE_CLASSES, negations, quantifiers, relations
from askance.text.units import units

READ: list[tuple[Callable[[str], frozenset[str]], str, str]] = [
    (negations, "It is not, and isn't, without reason.", "not|not (2)|not (3)"),
    (negations, "Don’t! I cannot, you can't, nobody would.", "not|not (2)|not (3)|not (4)"),
    (negations, "a knot, a note, an't-hill; Jan't", "not|not (2)"),
    (negations, "now know another nothingness", ""),
    (quantifiers, "Each of the remaining, everyone else", "each|rest|other"),
    (quantifiers, "at least one and at most two", ""),
    (quantifiers, "most people", "most"),
    (relations, "fewer than 3", "less|than"),
    (relations, "at least 3, at most 5", "at least|at most"),
    (relations, "Ann is older than Bo, and bigger than Cy", "older|more|than"),
    (relations, "her father, her computer and her water", ""),
    (relations, "first wash it, then cool it afterwards", "after"),
    (units, "5 km, 3kg, $4, 6%, 7 m", "kilometre|kilogram|dollar|percent|metre"),
    (units, "kilometers and kilometres per hour", "kilometre|hour"),
    (units, "I'm in the 1990s; put 5 in a box of h", ""),
    (units, "1,000.5 g and 10min", "gram|minute"),
    (names, "Tom's dog saw Ann Lee in New York. It barked.", "tom|ann|lee|new|york"),
    (names, "Put a mug on it. Calculate the sum. Heat 2 eggs.", ""),
    (names, "Janet sells eggs. Eggs cost 2 dollars.", "janet"),
    (names, 'He said: "Bo came." "No," said Cy.', "bo|cy"),
    (names, "ALL IS LOUD", ""),
    (names, "all is quiet", ""),
    (names, "In 2019 GPT4 met Élise", "élise"),
]


@pytest.mark.parametrize(("read", "text", "expected"), READ)
def test_what_is_read(read: Callable[[str], frozenset[str]], text: str, expected: str) -> None:
    assert read(text) == frozenset(expected.split("|") if expected else ())


@pytest.mark.parametrize("name", SIGNATURE_CLASSES)
@given(text=st.text(max_size=80))
def test_any_text_can_be_read(name: str, text: str) -> None:
    read = SIGNATURE_CLASSES[name].read(text)
    assert read == SIGNATURE_CLASSES[name].read(text)
    assert all(read_of == read_of.strip() and read_of for read_of in read)


@pytest.mark.parametrize("name", SIGNATURE_CLASSES)
@pytest.mark.parametrize("piece", ["1", "a", "n't", "1,", "_", " ", "A", '"', "$", "n"])
def test_time_grows_linearly(name: str, piece: str) -> None:
    begun = time.perf_counter()
    SIGNATURE_CLASSES[name].read(piece * 100_000)
    assert time.perf_counter() - begun < 3
