"""Two ways to look past how a word is written: its letters and digits alone, and the stem it may share."""

from __future__ import annotations

from collections.abc import Sequence

_LEAST_STEM = 3
_MOST_MORE = 2


def bare(text: str) -> str:
    """Letters, digits and marks of `text`, symbols too; no blanks, punctuation or apostrophes: levi's → levis."""
    if text.isascii():
        return "".join(filter(str.isalnum, text))
    return "".join(letter for letter in text if not _is_mark_of_writing(letter))


def _is_mark_of_writing(letter: str) -> bool:
    import unicodedata

    return unicodedata.category(letter)[0] in "PZC" or letter in "`^~+=<>|$"


def close(one: str, other: str) -> bool:
    """Whether two words may be forms of one: the same, or alike but for a short ending that one has more of.

    tree, trees; city, cities; Kind, Kinder; but not cars, carp. At least three letters are shared, the shorter word
    ends in at most one other, and the longer one has one or two letters more.
    """
    if one == other:
        return True
    shorter, longer = sorted((one, other), key=len)
    if not 1 <= len(longer) - len(shorter) <= _MOST_MORE:
        return False
    shared = _shared(shorter, longer)
    return shared >= _LEAST_STEM and len(shorter) - shared <= 1


def all_close(one: Sequence[str], other: Sequence[str]) -> bool:
    """`close` word by word."""
    return len(one) == len(other) and all(map(close, one, other))


def _shared(one: str, other: str) -> int:
    """How many letters two words begin with alike."""
    count = 0
    for a, b in zip(one, other, strict=False):
        if a != b:
            break
        count += 1
    return count
