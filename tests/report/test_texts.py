from __future__ import annotations

from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from askance.report.texts import Piece, bind, clean, cut_at, isolated, one_line, pieces, shorten


@given(st.text())
def test_cleaned_text_can_stand_in_xml_and_stays_as_it_is(text: str) -> None:
    element = ElementTree.Element("t", {"a": clean(text)})
    element.text = clean(text)
    back = ElementTree.fromstring(ElementTree.tostring(element, encoding="utf-8"))
    assert back.text == clean(text) or not text
    assert clean(clean(text)) == clean(text)


@pytest.mark.parametrize(
    "forbidden", ["\x00", "\x1b", "\x07", "\x9b", "\ud800", "\ufffe", "\U0001ffff", "\u202e", "\u2067", "\x0c"]
)
def test_what_no_page_and_no_terminal_may_show(forbidden: str) -> None:
    assert clean(f"a{forbidden}b") == "a\ufffdb"


def test_line_ends_and_spaces() -> None:
    assert clean("a\r\nb\rc\td") == "a\nb\nc\td"
    assert one_line("  a\n b\u00a0 c ") == "a b c"


@given(st.text(max_size=60), st.integers(2, 40))
def test_shortened_names_keep_both_ends(name: str, limit: int) -> None:
    short, whole = shorten(name, limit), one_line(name)
    assert len(short) <= limit
    if len(whole) <= limit:
        assert short == whole
    else:
        head, _, tail = short.partition("…")
        assert whole.startswith(head)
        assert whole.endswith(tail)


def test_long_texts_are_cut_at_a_space_and_counted() -> None:
    assert cut_at("short", 10) == ("short", "")
    assert cut_at("one two three four", 12) == ("one two …", "11 more characters")
    assert cut_at("x" * 2000, 700) == ("x" * 700 + " …", "1,300 more characters")


@given(st.text(max_size=80), st.text(max_size=40), st.one_of(st.none(), st.text(max_size=40)))
def test_pieces_put_together_are_the_text(text: str, query: str, other: str | None) -> None:
    assert "".join(piece.text for piece in pieces(text, query, other)) == text


def test_shared_words_make_one_piece_and_own_words_are_told_apart() -> None:
    found = pieces(
        "Cool some bowl and put it in countertop", "clean some pan and put it in countertop", "clean some kettle"
    )
    assert found == [
        Piece("Cool", "own"),
        Piece(" "),
        Piece("some", "shared"),
        Piece(" "),
        Piece("bowl", "own"),
        Piece(" "),
        Piece("and put it in countertop", "shared"),
    ]


def test_words_are_shared_in_any_case_and_only_whole() -> None:
    assert [p.text for p in pieces("Oranges, ORANGE; orange-juice", "orange") if p.kind] == ["ORANGE", "orange"]


def test_nothing_is_underlined_where_nearly_everything_would_be() -> None:
    assert all(piece.kind != "own" for piece in pieces("wholly other words here", "what was asked", "gold"))


@pytest.mark.parametrize(
    ("text", "bound"),
    [
        ("n = 118.", "n\u00a0=\u00a0118."),
        ("(p < .001)", "(p\u00a0<\u00a0.001)"),
        ("9.3 % (4.2–15.2)", "9.3\u00a0% (4.2–15.2)"),
        ("in = 3", "in = 3"),
        ("a % b", "a % b"),
    ],
)
def test_figures_are_kept_on_one_line(text: str, bound: str) -> None:
    assert bind(text) == bound


def test_names_from_right_to_left_are_isolated() -> None:
    assert isolated("BM25") == "BM25"
    assert isolated("שאלה 1") == "\u2068שאלה 1\u2069"
