"""How words that a collection does not have join those that it has."""

from __future__ import annotations

import pytest

from askance.views.joining import Known

TERMS = "soapbar cellphone coffeemachine countertop desklamp peppershaker pen clean clock cup soap bar|alarm clock"
KNOWN = Known(dict.fromkeys((*TERMS.split("|")[0].split(), "alarm clock")))


@pytest.mark.parametrize(
    ("words", "length", "term"),
    [
        (["soapbar"], 1, "soapbar"),
        (["soap", "bar"], 2, "soapbar"),
        (["soap", "bars"], 2, "soapbar"),
        (["soap", "bar", "in"], 2, "soapbar"),
        (["desk", "lamp", "while"], 2, "desklamp"),
        (["alarm", "clock"], 2, "alarm clock"),
        (["alarmclock"], 1, "alarm clock"),
        (["a", "pen"], 1, "a"),
        (["unknown", "word"], 1, "unknown"),
    ],
)
def test_longest(words: list[str], length: int, term: str) -> None:
    assert KNOWN.longest(words) == (length, term)


@pytest.mark.parametrize(
    ("word", "near"),
    [
        ("phone", "cellphone"),
        ("pens", "pen"),
        ("counter", "countertop"),
        ("cleaned", "clean"),
        ("lamp", "desklamp"),
        ("saltshaker", "peppershaker"),
        ("xy", None),
        ("in", None),
        ("vase", None),
        ("penultimately", None),
    ],
)
def test_nearest(word: str, near: str | None) -> None:
    assert KNOWN.nearest(word) == near
