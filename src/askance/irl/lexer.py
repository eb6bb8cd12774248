"""Text of a query to its parts: parentheses, texts, words, numbers and options, each with its place.

A text stands in double quotes; in it \\" \\\\ \\n \\t \\r and \\uXXXX are escapes (two \\u of a surrogate pair make one
character), and everything else stands for itself, line ends too. From ; to the end of the line is a comment.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from enum import IntEnum
from typing import NamedTuple

from askance.irl.codes import Code
from askance.irl.limits import VALUE
from askance.irl.nodes import Span
from askance.irl.problems import Problem, quoted


class Kind(IntEnum):
    """What a token is. The values are the groups of the pattern below."""

    OPEN = 1
    CLOSE = 2
    TEXT = 3
    OPTION = 4
    NUMBER = 5
    WORD = 6
    OTHER = 7
    UNENDED = 8


class Token(NamedTuple):
    """A part of the source. `value`: the text without quotes and escapes, the word, the number, the option's name."""

    kind: Kind
    value: str | float
    start: int
    end: int


_END = r'(?=[\s()";]|\Z)'
_PATTERN = re.compile(
    r"(?:\s++|;[^\n\r]*+)*+(?:"  # blanks and comments
    r"(\()|(\))"
    r'|"([^"\\]*+(?:\\.[^"\\]*+)*+)"'
    rf"|:([a-z][a-z0-9-]*+){_END}"
    rf"|(-?[0-9]++(?:\.[0-9]++)?(?:[eE][+-]?[0-9]++)?){_END}"
    rf"|([A-Za-z_][A-Za-z0-9_.-]*+){_END}"
    r'|([^\s()";]++)'
    r'|(")'
    r"|\Z)",
    re.DOTALL,
)
WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_.-]*")
SURROGATE = re.compile("[\ud800-\udfff]")
_ESCAPE = re.compile(
    r"\\u([dD][89abAB][0-9a-fA-F]{2})\\u([dD][c-fC-F][0-9a-fA-F]{2})|\\u([0-9a-fA-F]{4})|\\(.)", re.DOTALL
)
_LETTERS = {'"': '"', "\\": "\\", "n": "\n", "t": "\t", "r": "\r"}
_STRANGE = re.compile(r"[^A-Za-z0-9_.-]")
_LIKE_A_NUMBER = re.compile(r"[+-]?[.]?[0-9]|[+-]?(?:nan|inf|infinity)$", re.IGNORECASE)
NO_NUMBERS = re.compile(r"(?:nan|inf|infinity)", re.IGNORECASE)


def tokens(source: str, problems: list[Problem]) -> Iterator[Token]:
    """The tokens in order; what cannot be read becomes a problem, and an OTHER token in its place."""
    words = _WORDS
    for found in _PATTERN.finditer(source):
        group = found.lastindex
        if group is None:
            return
        start, end = found.span(group)
        value: str | float = found[group]
        if group == Kind.TEXT:
            start, end = start - 1, end + 1
            if "\\" in value:  # type: ignore[operator]
                value = _unescaped(str(value), start + 1, problems)
        elif group == Kind.OPTION:
            start -= 1
        elif group == Kind.NUMBER:
            value = _number(str(value), Span(start, end), problems)
        elif group == Kind.OTHER:
            problems.append(_unreadable(str(value), Span(start, end)))
        elif group == Kind.UNENDED:
            problems.append(_unended(source, start))
            yield Token(Kind.UNENDED, "", start, len(source))
            return
        yield Token(words[group], value, start, end)


_WORDS = (Kind.OTHER, *Kind)


def _unescaped(raw: str, start: int, problems: list[Problem]) -> str:
    def letter(found: re.Match[str]) -> str:
        high, low, single, plain = found.groups()
        if high is not None:
            return chr(0x10000 + ((int(high, 16) - 0xD800) << 10) + int(low, 16) - 0xDC00)
        if single is not None:
            code = int(single, 16)
            if not 0xD800 <= code <= 0xDFFF:
                return chr(code)
            wrong = "is half of a surrogate pair, no character"
        elif plain in _LETTERS:
            return _LETTERS[plain]
        else:
            wrong = "is no escape"
        span = Span(start + found.start(), start + found.end())
        hint = r"the escapes are \" \\ \n \t \r and \u with four hexadecimal digits; a backslash itself is \\"
        problems.append(Problem(Code.BAD_ESCAPE, f"{quoted(found[0])} {wrong}", span, hint=hint))
        return "\ufffd"

    return _ESCAPE.sub(letter, raw)


def _number(raw: str, span: Span, problems: list[Problem]) -> float:
    """Whole numbers stay whole, so that none of their digits is lost. 0 where the number is beyond what floats hold."""
    value = float(raw) if len(raw) <= 400 else math.inf
    vanished = value == 0 and any(digit in "123456789" for digit in re.split("[eE]", raw)[0])
    if VALUE.complaint(value) or vanished:
        size = "small" if vanished else "large"
        problems.append(Problem(Code.NUMBER, f"the number {quoted(raw)} is too {size} to be kept", span))
        return 1
    return value if any(letter in ".eE" for letter in raw) else int(raw)


def _unreadable(raw: str, span: Span) -> Problem:
    if _LIKE_A_NUMBER.match(raw):
        hint = "numbers are written like 2, -1, 0.5 or 1e-3; a text stands in double quotes"
        return Problem(Code.NUMBER, f"{quoted(raw)} is no number", span, hint=hint)
    hint = 'a text stands in double quotes: "…"'
    if raw[0] == ":":
        hint = "an option is : and a name in small letters, as :boost 2"
    elif raw[0] in "“”„«»‘’'`＂":
        hint = 'a text stands in plain double quotes: "…"'
    elif raw[0] in "（）":
        hint = "parentheses are ( and )"
    letter = (_STRANGE.search(raw) or [raw[0]])[0]
    return Problem(
        Code.UNEXPECTED_CHARACTER, f"unexpected character {quoted(letter)} in {quoted(raw)}", span, hint=hint
    )


def _unended(source: str, start: int) -> Problem:
    hint = r'close it with "; inside a text a quote is written \"'
    return Problem(
        Code.UNTERMINATED_TEXT,
        f"a text is opened here and never closed: {quoted(source[start + 1 :])}",
        Span(start, start + 1),
        hint=hint,
        label="opened here",
    )
