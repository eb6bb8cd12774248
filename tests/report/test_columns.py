"""Texts cut to columns of a terminal."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from rich.cells import cell_len

from askance.report.columns import around, beginning, columns_of, fitted, widest
from askance.report.texts import one_line

LETTERS = st.text(st.sampled_from("ab ,.漢字カéש\u0301🙂\u200d\t\n"), max_size=80)


@given(LETTERS, st.integers(3, 40))
@example("aaカaカa\u200dカ", 7)
def test_fitted_is_as_wide_as_there_is_room_and_keeps_both_ends(text: str, width: int) -> None:
    whole, shown = one_line(text), fitted(text, width)
    assert cell_len(shown) <= width
    if cell_len(whole) <= width:
        assert shown == whole
    else:
        head, tail = shown.split("…")
        assert whole.startswith(head)
        assert whole.endswith(tail)
        # a wide letter may not fit into what is left at either end, and joined ones take less together than each alone
        assert cell_len(shown) >= width - 2 - 2 * shown.count("\u200d")


@given(LETTERS, st.integers(2, 40))
def test_beginning(text: str, width: int) -> None:
    shown = beginning(text, width)
    assert cell_len(shown) <= width
    assert text.startswith(shown.removesuffix("…"))


@given(LETTERS, st.integers(0, 90), st.integers(8, 40))
def test_around_fits(text: str, place: int, width: int) -> None:
    assert cell_len(around(text, min(place, len(text)), width)) <= width


@pytest.mark.parametrize("width", [20, 30, 60])
@pytest.mark.parametrize("place", [0, 1, 17, 300, 700])
def test_around_shows_the_place(place: int, width: int) -> None:
    words = [f"w{number:03}" for number in range(200)]
    text = " ".join(words)
    at = min(place, len(text) - 5) // 5 * 5
    shown = around(text, at, width)
    assert text[at : at + 4] in shown
    assert shown.startswith("…") == (at > width // 2)


def test_around_at_the_end_and_over_line_breaks() -> None:
    assert around("a b c " * 20 + "tea", 120, 20).endswith(" tea")
    assert around("tea\n\nwith   milk", 0, 20) == "tea with milk"


def test_widths() -> None:
    assert (columns_of("abc"), columns_of("漢字"), columns_of("é"), columns_of("")) == (3, 4, 1, 0)
    assert widest("rank", ["1", "two\nlines that are"]) == 14
    assert widest("rank", []) == 4
