"""The lines of a query that a problem is about, with carets under the places."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

from askance.irl.nodes import Span

WIDE = 76  # columns of source that are shown: at most 80 with the indent, and a sign at either end that there is more
_PLAIN = re.compile(r"[\x20-\x7e]*")


@dataclass(frozen=True)
class Mark:
    """A place to underline: with ^ where it is the primary one, with - elsewhere."""

    span: Span
    label: str
    primary: bool = True


def line_and_column(source: str, at: int) -> tuple[int, int]:
    """Line and column of a place, both from 1; columns are code points."""
    line, start, _ = _line_around(source, at)
    return line, at - start + 1


def excerpts(source: str, marks: Sequence[Mark]) -> list[str]:
    """Each line that has a mark, the first mark's first, with the marks below it; long lines in a window."""
    several = "\n" in source
    by_line: dict[int, tuple[int, int, list[Mark]]] = {}
    for mark in marks:
        line, start, end = _line_around(source, mark.span.start)
        by_line.setdefault(line, (start, end, []))[2].append(mark)
    shown: list[str] = []
    for line, (start, end, here) in by_line.items():
        if several:
            shown.append(f"  line {line}, column {here[0].span.start - start + 1}:")
        shown += _excerpt(source[start:end], [_within(mark, start, end) for mark in here])
    return shown


def visible(text: str) -> str:
    """`text` on one line, without anything that steers a terminal or turns the direction of writing."""
    if _PLAIN.fullmatch(text):
        return text
    return "".join(_shown(letter) for letter in text)


def width(text: str) -> int:
    """Columns that `text` takes in a terminal."""
    if _PLAIN.fullmatch(text):
        return len(text)
    return sum(_columns(letter) for letter in text)


def _line_around(source: str, at: int) -> tuple[int, int, int]:
    """Number, start and end of the line that holds the place."""
    start = source.rfind("\n", 0, at) + 1
    end = source.find("\n", at)
    return source.count("\n", 0, at) + 1, start, len(source) if end < 0 else end


def _within(mark: Mark, start: int, end: int) -> Mark:
    """The mark in its line: a place that goes on in further lines is underlined to the end of the first."""
    first = min(mark.span.start, end) - start
    last = max(first + 1, min(mark.span.end, end) - start)
    return Mark(Span(first, last), mark.label, mark.primary)


def _excerpt(line: str, marks: list[Mark]) -> list[str]:
    first, last = _window(line, marks[0].span)
    before, after = "…" if first > 0 else "", "…" if last < len(line) else ""
    shown = [f"  {before}{visible(line[first:last])}{after}"]
    for mark in marks:
        if not first <= mark.span.start <= last:
            shown.append(f"  {visible(mark.label)}: at column {mark.span.start + 1}")
            continue
        blank = width(before) + width(visible(line[first : mark.span.start]))
        under = max(1, width(visible(line[mark.span.start : min(mark.span.end, last)])))
        label = f" {visible(mark.label)}" if mark.label else ""
        shown.append(f"  {' ' * blank}{('^' if mark.primary else '-') * under}{label}")
    return shown


def _window(line: str, span: Span) -> tuple[int, int]:
    """Where to cut a long line, so that the place and what is around it can be seen."""
    if len(line) <= WIDE and width(visible(line)) <= WIDE:
        return 0, len(line)
    first = max(0, min(span.start - WIDE // 4, len(line) - WIDE // 2))
    last = first
    columns = 0
    while last < len(line):
        columns += _columns(line[last])
        if columns > WIDE:
            break
        last += 1
    return first, last


def _columns(letter: str) -> int:
    if unicodedata.category(letter) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(letter) in "WF" else 1


def _shown(letter: str) -> str:
    kind = unicodedata.category(letter)
    if letter in "\t\r\n" or kind in ("Zs", "Zl", "Zp"):
        return " " if unicodedata.east_asian_width(letter) not in "WF" else "\u3000"
    if kind in ("Cc", "Cs") or unicodedata.bidirectional(letter) in _TURNS:
        return "\ufffd"
    return letter


_TURNS = {"LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"}
