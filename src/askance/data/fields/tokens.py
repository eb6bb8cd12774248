"""Texts cut into pieces that join to the same text: words, single signs, blanks.

A word is a run of letters, digits and their marks. Scripts that go without blanks are cut into single characters.
"""

from __future__ import annotations

import re
import sys
import unicodedata
from functools import cache, lru_cache

_UNSPACED = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff"  # Thai, Lao, Burmese, Khmer
    "\u3005-\u3007\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"  # Han, kana
)


def tokens(text: str) -> list[str]:
    """The pieces in order; `"".join` gives the text back."""
    return _pieces().findall(text)


def is_word(token: str) -> bool:
    """Whether a piece is a word, not a sign or blank."""
    return token[0].isalnum() or token[0] == "_" or unicodedata.category(token[0])[0] == "M"


def is_unspaced(token: str) -> bool:
    """Whether a piece is a character of a script that goes without blanks."""
    return _unspaced().match(token) is not None


def shape(text: str) -> tuple[int, str]:
    """How many words a name has, and how it is written: the class of each word's first character, the scripts of words
    in scripts without blanks, and the signs at the edges of words. "Ann O'Neal" and "Jan-Ole Ek" both are (2, "A A"),
    "Ann, my" is (2, "A, a").
    """
    count = 0
    written = []
    for piece in text.split():
        if piece.isascii() and piece.isalnum():
            words, form = 1, _class(piece[0])
        else:
            words, form = _piece_shape(piece)
        count += words
        written.append(form)
    return count, " ".join(written)


@lru_cache(maxsize=10_000)
def _piece_shape(piece: str) -> tuple[int, str]:
    found = _edges().fullmatch(piece)
    if found is None:
        return 0, piece
    inside = [token for token in tokens(found[2]) if is_word(token)]
    unspaced = [token for token in inside if is_unspaced(token)]
    if not unspaced:
        return 1, f"{found[1]}{_class(found[2][0])}{found[3]}"
    runs = [_script(token) for token in inside]
    kept = [run for at, run in enumerate(runs) if at == 0 or run != runs[at - 1]]
    return len(unspaced) + (len(unspaced) < len(inside)), f"{found[1]}{''.join(kept)}{found[3]}"


def _script(token: str) -> str:
    if not is_unspaced(token):
        return _class(token[0])
    return f"<{unicodedata.name(token[0], '?').partition(' ')[0].lower()}>"


def _class(character: str) -> str:
    if character.isdigit():
        return "0"
    if character.isupper() or character.istitle():
        return "A"
    return "a" if character.islower() else "x"


@cache
def _marks() -> str:
    marks = [code for code in range(0x300, min(0x20000, sys.maxunicode)) if unicodedata.category(chr(code))[0] == "M"]
    runs: list[list[int]] = []
    for code in marks:
        if runs and runs[-1][1] == code - 1:
            runs[-1][1] = code
        else:
            runs.append([code, code])
    return "".join(f"{re.escape(chr(low))}-{re.escape(chr(high))}" for low, high in runs)


@cache
def _pieces() -> re.Pattern[str]:
    marks = _marks()
    return re.compile(rf"[{_UNSPACED}]|(?:(?![{_UNSPACED}])[\w{marks}])+|\s+|[^\w\s]")


@cache
def _edges() -> re.Pattern[str]:
    word = rf"[\w{_marks()}]"
    return re.compile(rf"((?:(?!{word}).)*)({word}.*?)((?:(?!{word}).)*)")


@cache
def _unspaced() -> re.Pattern[str]:
    return re.compile(f"[{_UNSPACED}]")
