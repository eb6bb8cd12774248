"""When two written forms are the same but for their spelling."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

_DASHES = re.compile(r"[-_\u00ad\u2010-\u2015\u2212\ufe58\ufe63\uff0d]+")
_APOSTROPHES = re.compile("['`\u00b4\u02bc\u2018\u2019\u201b\u2032\uff07]")
_AT_THE_END = ".,;:!?'\" )]}"
_SHORTEST = 3  # letters of a word whose ending is looked at


def composed(text: str) -> str:
    """NFKC, blanks as one blank."""
    return " ".join(unicodedata.normalize("NFKC", text).split())


def folded(text: str) -> str:
    """Composed, case folded, dashes as blanks, apostrophes alike, without the punctuation of a sentence's end."""
    plain = _APOSTROPHES.sub("'", _DASHES.sub(" ", composed(text).casefold()))
    return " ".join(plain.split()).rstrip(_AT_THE_END)


def bare(text: str) -> str:
    """Folded, without apostrophes, accents and blanks."""
    letters = unicodedata.normalize("NFD", folded(text))
    return "".join(each for each in letters if not unicodedata.combining(each) and each not in "' ")


def difference(one: str, other: str) -> str:
    """What two forms of one bare form differ in: the mildest that explains it."""
    if composed(one) == composed(other):
        return "Unicode form"
    if composed(one).casefold() == composed(other).casefold():
        return "case"
    if folded(one) == folded(other):
        return "apostrophe, hyphen or closing mark"
    return "accent, blank or apostrophe"


def shorter_endings(text: str) -> Iterator[str]:
    """Folded forms in which one word has lost its last letter, "es", or "ies" for "y": singulars, mostly."""
    words = folded(text).split()
    for at, word in enumerate(words):
        stems = [word[:-1]]
        if word.endswith("es"):
            stems.append(word[:-2])
        if word.endswith("ies"):
            stems.append(f"{word[:-3]}y")
        for stem in stems:
            if len(stem) >= _SHORTEST:
                yield " ".join([*words[:at], stem, *words[at + 1 :]])
