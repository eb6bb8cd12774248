"""Texts of users, documents and models as the report shows them: data, cleaned and cut, never markup."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass

# What neither HTML nor XML may hold, or what a terminal would obey: control characters, lone surrogates,
# non-characters, and the marks that force a direction on the text around them.
_FORBIDDEN = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066\u2067\ud800-\udfff\ufdd0-\ufdef\ufffe\uffff]")
_LAST_OF_PLANE = re.compile("[" + "".join(chr(p << 16 | 0xFFFE) + chr(p << 16 | 0xFFFF) for p in range(1, 17)) + "]")
_EQUATION = re.compile(r"\b([np]) ([=<≈]) (?=[\d.])")
_PERCENT = re.compile(r"(?<=\d) %")
_WORD = re.compile(r"\w+")


def clean(text: str) -> str:
    """The text with every character that no page and no terminal may show replaced by U+FFFD."""
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    return _LAST_OF_PLANE.sub("\ufffd", _FORBIDDEN.sub("\ufffd", text))


def isolated(name: str) -> str:
    """A name that runs from right to left between marks that keep it from turning the sentence it stands in."""
    if any(unicodedata.bidirectional(character) in ("R", "AL") for character in name):
        return f"\u2068{name}\u2069"
    return name


def one_line(text: str) -> str:
    """The cleaned text with every stretch of white space as one space."""
    return " ".join(clean(text).split())


def cut_at(text: str, limit: int) -> tuple[str, str]:
    """At most `limit` characters, ended by "…" at a space if there is one near, and how many are not shown."""
    text = clean(text)
    if len(text) <= limit:
        return text, ""
    shown = text[:limit]
    if any(map(str.isspace, shown[limit // 2 :])):
        shown = shown[: max(place for place, character in enumerate(shown) if character.isspace())]
    return f"{shown.rstrip()} …", f"{len(text) - len(shown.rstrip()):,} more characters"


def shorten(name: str, limit: int) -> str:
    """A name on one line in at most `limit` characters: its middle gives way to "…"."""
    name = one_line(name)
    if len(name) <= limit:
        return name
    head = limit // 2
    tail = limit - 1 - head
    return f"{name[:head]}…{name[len(name) - tail :] if tail else ''}"


def bind(text: str) -> str:
    """With spaces that no line may end at inside "n = 118", "p < .001" and "9.3 %"."""
    return _PERCENT.sub("\u00a0%", _EQUATION.sub("\\1\u00a0\\2\u00a0", text))


def words(text: str) -> set[str]:
    r"""Its words: \w+ in lower case."""
    return {match.group().lower() for match in _WORD.finditer(text)}


@dataclass(frozen=True)
class Piece:
    """A stretch of a text. `kind`: "shared" with the query, "own" where it stands in neither of the others, ""."""

    text: str
    kind: str = ""


def pieces(text: str, query: str, other: str | None = None) -> list[Piece]:
    """The text in pieces: words that the query has, words that neither the query nor `other` has, the rest.

    Neighbouring shared words make one piece, the space between them included. Without `other`, and where more than a
    third of the words would be marked as its own (which would point at nothing), no word is.
    """
    asked = words(query)
    own = words(text) - asked - words(other) if other is not None else set()
    if 3 * len(own) > len(words(text)):
        own = set()
    found: list[Piece] = []
    end = 0
    for match in _WORD.finditer(text):
        word = match.group().lower()
        kind = "shared" if word in asked else "own" if word in own else ""
        _append(found, Piece(text[end : match.start()]))
        _append(found, Piece(match.group(), kind))
        end = match.end()
    _append(found, Piece(text[end:]))
    return found


def _append(found: list[Piece], piece: Piece) -> None:
    if not piece.text:
        return
    if len(found) > 1 and piece.kind == "shared" and found[-2].kind == "shared" and found[-1].text.isspace():
        gap = found.pop()
        found[-1] = Piece(found[-1].text + gap.text + piece.text, "shared")
    elif found and found[-1].kind == piece.kind == "":
        found[-1] = Piece(found[-1].text + piece.text)
    else:
        found.append(piece)
