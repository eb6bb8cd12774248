"""The analyzer's options: apostrophes folded, text normalized; offsets point into the text as it was given."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from askance.text.analyzer import Analyzer
from askance.text.normal_forms import Form, normal, placed

PLAIN = Analyzer()
FOLDING = Analyzer(fold_apostrophes=True)
NFKC = Analyzer(normalize="nfkc")
BOTH = Analyzer(normalize="nfc", fold_apostrophes=True)
STOPPING = Analyzer(stop_words=frozenset({"the", "of"}), stemmer="english")

COMBINING = st.text(alphabet="aé\u0301\u0323\u0f73ﬁＡ½한ᄒ\u1161\u11ab가각각\u11a8’＇ʼ' .", max_size=25)


@pytest.mark.parametrize("written", ["Levi's", "Levi’s", "Levi＇s", "Leviʼs"])
def test_folded_apostrophes_are_one(written: str) -> None:
    assert FOLDING.terms(written) == ["levi's"]
    assert [(token.start, token.end) for token in FOLDING.tokens(written)] == [(0, 6)]


def test_by_default_they_are_four() -> None:
    assert len({term for mark in "'’＇ʼ" for term in PLAIN.terms(f"Levi{mark}s")}) == 4


@pytest.mark.parametrize(
    ("analyzer", "text", "expected"),
    [
        (BOTH, "cafe\u0301 x", [("caf\u00e9", 0, 5), ("x", 6, 7)]),
        (NFKC, "\ufb01sh ＡＢＣ", [("fish", 0, 3), ("abc", 4, 7)]),
        (NFKC, "x²y", [("x2y", 0, 3)]),
        (NFKC, "½ ", [("1\u20442", 0, 1)]),
        (NFKC, "\u1112\u1161\u11ab글", [("한글", 0, 4)]),
        (NFKC, "a\u0f73\u0323b", [("\u1ea1\u0f71\u0f72b", 0, 4)]),
        (PLAIN, "cafe\u0301", [("cafe\u0301", 0, 5)]),
    ],
)
def test_offsets_of_normalized_text(analyzer: Analyzer, text: str, expected: list[tuple[str, int, int]]) -> None:
    assert [(token.term, token.start, token.end) for token in analyzer.tokens(text)] == expected


@pytest.mark.parametrize("form", ["nfc", "nfkc"])
@given(text=st.one_of(COMBINING, st.text(max_size=20)))
@example(text="\u0301")
def test_every_character_has_its_place(form: Form, text: str) -> None:
    whole = normal(form, text)
    begins, ends = placed(form, text)
    assert len(begins) == len(ends) == len(whole)
    pieces = sorted(set(zip(begins, ends, strict=True)))
    assert "".join(normal(form, text[begin:end]) for begin, end in pieces) == whole
    assert "".join(text[begin:end] for begin, end in pieces) == text
    assert all(one[1] == next_one[0] for one, next_one in zip(pieces, pieces[1:], strict=False))


@pytest.mark.parametrize("analyzer", [PLAIN, FOLDING, NFKC, BOTH, STOPPING], ids=range(5))
@given(text=st.one_of(COMBINING, st.text(max_size=30), st.lists(st.sampled_from(["the", "of", "Rings"])).map(" ".join)))
def test_terms_tokens_and_places_agree(analyzer: Analyzer, text: str) -> None:
    tokens = analyzer.tokens(text)
    terms, at, width = analyzer.places(text)
    assert terms == analyzer.terms(text) == [token.term for token in tokens]
    assert at == [token.position for token in tokens]
    assert width >= (at[-1] + 1 if at else 0)
    assert all(0 <= token.start < token.end <= len(text) for token in tokens)


@given(st.text(max_size=30))
def test_normalized_is_what_the_plain_one_makes_of_normal_text(text: str) -> None:
    assert NFKC.terms(text) == PLAIN.terms(unicodedata.normalize("NFKC", text))


@pytest.mark.parametrize(
    ("text", "terms", "at", "width"),
    [
        ("Lord of the Rings", ["lord", "ring"], [0, 3], 4),
        ("the Rings of", ["ring"], [1], 3),
        ("of the", [], [], 2),
        ("", [], [], 0),
    ],
)
def test_places(text: str, terms: list[str], at: list[int], width: int) -> None:
    assert STOPPING.places(text) == (terms, at, width)
