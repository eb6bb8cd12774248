"""The numbers that an English text names, as values: "three", "3" and "3.0" are one and the same.

Values, not spellings, because a paraphrase may write a number out and stays the same problem, while another value makes
another problem however alike it looks. Read are: numerals with thousands commas and decimals (1,000.5), fractions
(3/4, 2 1/2, ¾), percentages (50 % is one half), numerals with letters behind (3rd, 5kg), and number words with their
compounds (twenty-one, three hundred and five, 2 million, two thirds, two and a half, two dozen). A third, a quarter and
the ordinals from fourth to tenth count as parts of one. A word that mixes digits and letters otherwise (x86, 4x4) is
kept as it is written. Not read, because they mean other things as often: once, second, single, pair, couple. Signs are
not read: a hyphen before a numeral is a range as often as a minus.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from fractions import Fraction
from functools import lru_cache


def _counted(words: str, first: int, step: int = 1) -> dict[str, int]:
    return {word: first + step * at for at, word in enumerate(words.split())}


_UNITS = _counted("zero one two three four five six seven eight nine", 0)
_TEENS = _counted("ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen", 10)
_TENS = _counted("twenty thirty forty fifty sixty seventy eighty ninety", 20, 10)
_SCALE = {"thousand": 10**3, "million": 10**6, "billion": 10**9, "trillion": 10**12}
_SCALES = _SCALE | {f"{word}s": value for word, value in _SCALE.items()}
_HUNDRED = {"hundred": 100, "hundreds": 100}
_DOZEN = {"dozen": 12, "dozens": 12}
_PART = {"half": 2, "fourth": 4} | _counted("third quarter fifth sixth seventh eighth ninth tenth", 3)
_PARTS = {"halves" if word == "half" else f"{word}s": value for word, value in _PART.items()}
_TIMES = {"twice": 2, "double": 2, "thrice": 3, "triple": 3, "quadruple": 4}

_BELOW_HUNDRED = _UNITS | _TEENS | _TENS
WORDS = (
    frozenset(_BELOW_HUNDRED)
    | _HUNDRED.keys()
    | _SCALES.keys()
    | _DOZEN.keys()
    | _PART.keys()
    | _PARTS.keys()
    | _TIMES.keys()
)
"""All number words, lower case."""

_KEPT = 50_000  # words whose reading is kept: a corpus has few that occur often
_LONGEST = 60  # digits of a numeral that is read as a value; longer ones are identifiers


def _any(words: Iterable[str]) -> str:
    return f"(?:{'|'.join(sorted(words, key=len, reverse=True))})\\b"


def _too_large_after(scale: str) -> list[str]:
    return [*_HUNDRED, *(word for word, value in _SCALES.items() if value >= _SCALE[scale])]


_GAP = r"[\s-]{1,3}"
_AND = r"\s{1,3}(?:and\s{1,3})?"
_SMALL = f"(?>{_any(_TENS)}(?:{_GAP}{_any(_UNITS)})?|{_any(_TEENS)}|{_any(_UNITS)})"
_BELOW_THOUSAND = f"(?>(?:{_SMALL}{_GAP})?{_any(_HUNDRED)}(?:{_AND}{_SMALL}(?!{_GAP}{_any(_HUNDRED)}))?|{_SMALL})"
# "two million, three thousand" is one number, "two thousand, three thousand" are two: scales fall.
_SCALED = "|".join(
    f"{_GAP}{_any([scale, scale + 's'])}(?:,?{_AND}{_BELOW_THOUSAND}(?!{_GAP}{_any(_too_large_after(scale))}))?"
    for scale in _SCALE
)
_NUMERAL = r"(?:(?:\d{1,3}(?:,\d{3})+(?!\d)|\d+)(?:\.\d+)?|\.\d+)"
_FIGURES = rf"(?:\d+\s\d+/\d+|\d+/\d+|{_NUMERAL})(?!\w)"

_NUMBER = re.compile(
    rf"""(?<!\w) (?:
           (?:one|1){_GAP} (?P<one_part> {_any(_PART)} )
         | (?: (?P<figures> {_FIGURES} ) | (?P<words> {_BELOW_THOUSAND} | {_any(_SCALES)} | {_any(_DOZEN)} ) )
           (?P<scales> (?: {_GAP}{_any(_HUNDRED)} )? (?: {_SCALED} )* )
           (?: {_GAP} (?P<dozen> {_any(_DOZEN)} )
             | {_GAP} (?P<part> {_any(_PARTS)} )
             | \s{{1,3}}and\s{{1,3}}(?:a|one)\s{{1,3}} (?P<and_part> {_any(_PART)} )
             | (?P<percent> \s?% | \s{{1,3}}percent\b ) )?
         | (?P<measured> {_NUMERAL} ) [^\W\d]+ (?!\w)
         )
       | \w+""",
    re.VERBOSE,
)
_VULGAR = re.compile("[¼-¾⅐-⅞]")


def numbers(text: str) -> list[str]:
    """The numbers of a text in order, each as its value: "3", "7/2"; what has no value as it is written."""
    spelled = _VULGAR.sub(lambda found: " " + unicodedata.normalize("NFKC", found[0]).replace("⁄", "/"), text.lower())
    return [said for found in _NUMBER.finditer(spelled) if (said := _read(found)) is not None]


@lru_cache(maxsize=_KEPT)
def is_number(word: str) -> bool:
    """Whether a lower-case word (a match of `\\w+`) belongs to a number: a number word, or one with a digit."""
    return word in WORDS or any(letter.isnumeric() and not letter.isalpha() for letter in word)


def _read(found: re.Match[str]) -> str | None:
    """What a match says; None where it is a word that belongs to no number."""
    if found.lastgroup is None:
        return _word(found[0])
    if found["measured"]:
        return _said(_figures(found["measured"]), found["measured"])
    if found["figures"]:
        return _said(_whole(found, _figures(found["figures"])), found[0])
    if found["words"]:
        return _said(_whole(found, Fraction(0)), found[0])
    return _word(found["one_part"])


@lru_cache(maxsize=_KEPT)
def _word(word: str) -> str | None:
    """What a word by itself says: a part, a multiple, or what is kept as it is written; None of any other word."""
    if word in _PART or word in _PARTS:
        return f"1/{(_PART | _PARTS)[word]}"
    return str(_TIMES[word]) if word in _TIMES else word if is_number(word) else None


def _said(value: Fraction | None, written: str) -> str:
    return written if value is None else str(value)


@lru_cache(maxsize=_KEPT)
def _figures(written: str) -> Fraction | None:
    """The value of a numeral, a fraction or a mixed number; None where it has none, or is too long to be a number."""
    if len(written) > _LONGEST:
        return None
    whole, _, part = written.replace(",", "").rpartition(" ")
    try:
        return Fraction(whole or 0) + Fraction(part)
    except ZeroDivisionError:
        return None


def _whole(found: re.Match[str], begun: Fraction | None) -> Fraction | None:
    """The value of a number with all that was joined to it; `begun`: of its figures."""
    if begun is None or found["figures"] == found[0]:
        return begun
    total, current = Fraction(0), begun
    for word in re.findall("[a-z]+", (found["words"] or "") + found["scales"]):
        if word in _BELOW_HUNDRED:
            current += _BELOW_HUNDRED[word]
        elif word in _HUNDRED or word in _DOZEN:
            current = (current or Fraction(1)) * (_HUNDRED | _DOZEN)[word]
        elif word in _SCALES:
            total, current = total + (current or Fraction(1)) * _SCALES[word], Fraction(0)
    total += current
    if found["dozen"]:
        return total * 12
    if found["part"]:
        return total / _PARTS[found["part"]]
    if found["and_part"]:
        return total + Fraction(1, _PART[found["and_part"]])
    return total / 100 if found["percent"] is not None else total
