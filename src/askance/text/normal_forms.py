"""Unicode normal forms, and where each character of the normal text came from."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from typing import Literal

Form = Literal["nfc", "nfkc"]

_COMPOSED: dict[Form, Literal["NFC", "NFKC"]] = {"nfc": "NFC", "nfkc": "NFKC"}
_DECOMPOSED: dict[Form, Literal["NFD", "NFKD"]] = {"nfc": "NFD", "nfkc": "NFKD"}


def normal(form: Form, text: str) -> str:
    """The text in this normal form."""
    return unicodedata.normalize(_COMPOSED[form], text)


def placed(form: Form, text: str) -> tuple[list[int], list[int]]:
    """For each character of the normal text, begin and end (exclusive) in `text` of what it was made from."""
    begins, ends = [], []
    for start, end in _pieces(form, text):
        length = len(normal(form, text[start:end]))
        begins += [start] * length
        ends += [end] * length
    return begins, ends


def _pieces(form: Form, text: str) -> Iterator[tuple[int, int]]:
    """The shortest stretches of `text` that can be brought to the form one by one, and be joined."""
    start = 0
    for at in range(1, len(text)):
        if _stands_apart(form, text[start:at], text[at]):
            yield start, at
            start = at
    if text:
        yield start, len(text)


def _stands_apart(form: Form, before: str, letter: str) -> bool:
    """Whether a letter and all that comes behind it leave what stands before it alone."""
    if letter.isascii():
        return True
    first = unicodedata.normalize(_DECOMPOSED[form], letter)[0]
    if unicodedata.combining(first):
        return False
    return normal(form, before + letter) == normal(form, before) + normal(form, letter)
