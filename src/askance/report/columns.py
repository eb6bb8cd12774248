"""Texts cut to columns of a terminal, where a wide letter takes two and a mark on another none."""

from __future__ import annotations

from collections.abc import Iterable

from askance.report.texts import one_line

_BEFORE = 0.3  # of the room stands before the place that is shown


def columns_of(text: str) -> int:
    """How many columns a text takes."""
    if text.isascii():
        return len(text)
    from rich.cells import cell_len

    return cell_len(text)


def widest(heading: str, cells: Iterable[str]) -> int:
    """The columns of the widest line among a heading and cells."""
    return max(columns_of(line) for cell in (heading, *cells) for line in cell.split("\n"))


def fitted(text: str, width: int) -> str:
    """The text on one line; a long one gives up its middle, since identifiers often differ at their ends."""
    text = one_line(text)
    if columns_of(text) <= width:
        return text
    head = _first(text, width // 2)
    tail = _first(text[::-1], width - 1 - columns_of(head))[::-1]
    return f"{head}…{tail}"


def beginning(text: str, width: int) -> str:
    """As much of the text as there is room for; blanks in front stay."""
    if columns_of(text) <= width:
        return text
    return f"{_first(text, width - 1)}…"


def around(text: str, place: int, width: int) -> str:
    """One line of the text with what stands at `place`, a code point, about a third from its left end."""
    whole = one_line(text)
    if columns_of(whole) <= width:
        return whole
    begin = _word_before(text, max(0, place - int(width * _BEFORE))) if place > width // 2 else 0
    shown = one_line(text[begin : begin + 4 * width])
    if begin:
        shown = f"… {shown}"
    if columns_of(shown) <= width and begin + 4 * width >= len(text):
        return shown
    return f"{_first(shown, width - 2).rstrip()} …"


def _word_before(text: str, place: int) -> int:
    """Where a word begins, at or a little after the place, which may be inside one."""
    blank = text.find(" ", place, place + 20)
    return blank + 1 if blank >= 0 else place


def _first(text: str, width: int) -> str:
    """The first letters that take at most so many columns."""
    if text.isascii():
        return text[: max(width, 0)]
    used = 0
    for at, letter in enumerate(text):
        used += columns_of(letter)
        if used > width:
            return text[:at]
    return text
