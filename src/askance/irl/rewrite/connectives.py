"""Words that join what a question asks for: or, and, not, in a few languages.

They are looked for between two items only, never inside one: "Salt and Vinegar" is an item where the collection has it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal, NamedTuple

Join = Literal["or", "and", "not"]


class _Words(NamedTuple):
    """The words of a language. `further`: other words that say "and" between two things ("as well as", "but")."""

    either: tuple[str, ...]
    both: tuple[str, ...]
    further: tuple[str, ...]
    neither: tuple[str, ...]
    without: tuple[str, ...]


_LANGUAGES = (
    _Words(  # English
        ("or",),
        ("and",),
        ("also", "both", "plus", "with", "besides", "together", "along", "alongside", "well", "addition", "too", "but"),
        ("neither", "nor"),
        (
            *("not", "no", "without", "except", "excepting", "excluding", "exception", "minus", "never", "unless"),
            *("barring", "lack", "lacks", "lacking", "dislike", "dislikes", "hate", "hates", "avoid", "avoids"),
        ),
    ),
    _Words(  # German
        ("oder",),
        ("und",),
        ("auch", "sowie", "mit", "sondern"),
        ("weder", "noch"),
        ("ohne", "nicht", "kein", "außer"),
    ),
    _Words(  # French
        ("ou",), ("et",), ("aussi", "avec", "ainsi", "mais"), ("ni",), ("sans", "sauf", "hormis", "pas")
    ),
    _Words(  # Spanish
        ("o", "u"), ("y", "e"), ("también", "además", "con", "pero"), ("ni",), ("no", "sin", "excepto", "salvo")
    ),
    _Words(  # Italian
        ("o",), ("e",), ("anche", "con", "ma"), ("né",), ("non", "senza", "tranne", "eccetto")
    ),
    _Words(  # Portuguese
        ("ou",), ("e",), ("também", "com", "mas"), ("nem",), ("não", "sem", "exceto")
    ),
    _Words(  # Dutch; its word for "or" is English for something else
        (), ("en",), ("ook", "met"), ("noch",), ("niet", "zonder", "behalve")
    ),
    _Words(  # Russian
        ("или",), ("и",), ("также", "а", "но"), ("ни",), ("не", "без", "кроме")
    ),
)


def _all(column: str) -> Iterator[str]:
    return (word for words in _LANGUAGES for word in getattr(words, column))


_OR = frozenset(_all("either"))
_AND = frozenset((*_all("both"), *_all("further")))
_NOT = frozenset((*_all("neither"), *_all("without")))
_BEFORE_THE_FIRST = frozenset((*_all("neither"), "without", "except", "ohne", "außer", "sans", "sauf", "sin", "senza"))
_NOT_IN_ROWS = (
    *(("other", "than"), ("rather", "than"), ("instead", "of"), ("apart", "from"), ("aside", "from"), ("save", "for")),
)
_ANY_OF = (("one", "of"), ("any", "of"))
_ALL_OF = (("all", "of"), ("both",), ("both", "of"))
_NOT_AFTER = (("none", "of"), ("anything", "but"), ("everything", "but"), ("anyone", "but"), ("everyone", "but"))
_GOES_ON = frozenset((*_all("either"), *_all("both"), *_all("neither")))


def joined_by(terms: Sequence[str], text: str, excluded: bool) -> Join | None:
    """What the words between two items say; None where they say nothing, as a comma does.

    `terms`: the words; `text`: what they are cut from, in which & and + are no words. `excluded`: whether the item
    before them is excluded: "but not A or B" excludes both.
    """
    if any(term in _NOT or _ends_in_not(term) for term in terms) or any(_has(terms, row) for row in _NOT_IN_ROWS):
        return "not"
    if excluded and all(term in _GOES_ON for term in terms):
        return "not"
    if any(term in _OR for term in terms):
        return "or"
    if any(term in _AND for term in terms) or "&" in text or "+" in text:
        return "and"
    return None


def excludes(terms: Sequence[str]) -> bool:
    """Whether the words before the first item exclude it: "neither A nor B", "all without A"."""
    return any(term in _BEFORE_THE_FIRST for term in terms[-2:]) or tuple(terms[-2:]) in _NOT_AFTER


def is_connective(term: str) -> bool:
    """Whether the word joins, or leaves out, what stands beside it."""
    return term in _OR or term in _AND or term in _NOT or _ends_in_not(term)


def begins_alternatives(terms: Sequence[str]) -> bool:
    """Whether the words before an item say that it and those after it are alternatives: "A and either B or C"."""
    return "either" in terms


def said_of_all(terms: Sequence[str]) -> Join | None:
    """What the words before the first item say of a whole list: "one of A, B and C", "all of A, B, C"."""
    if any(tuple(terms[-2:]) == row for row in _ANY_OF):
        return "or"
    return "and" if any(tuple(terms[-len(row) :]) == row for row in _ALL_OF) else None


def _has(terms: Sequence[str], row: tuple[str, ...]) -> bool:
    return any(tuple(terms[at : at + len(row)]) == row for at in range(len(terms) - len(row) + 1))


def _ends_in_not(term: str) -> bool:
    return term.endswith(("n't", "n’t"))
