"""Words that a language writes in one with what is asked for: l'Honey, Honey'den, Honey:sta, Honey을."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Sequence

from askance.text.analyzer import Analyzer, Token

JOINTS = "'\u2019\uff07\u02bc\u2018:"
"""Signs that word breaks leave inside a word, and that part an article or an ending from it."""

_MOST_PIECES = 12


def unglued(question: str, analyzer: Analyzer, known: Callable[[str], bool]) -> list[Token]:
    """The tokens of `question`; one that is not `known` is cut at its joints, and where its script changes.

    Of its pieces the longest run that is known stays whole: of l'Levi's it is levi's. Offsets point into `question`.
    """
    tokens = analyzer.tokens(question)
    if all(token.term.isascii() and token.term.isalnum() for token in tokens):
        return tokens
    return [part for token in tokens for part in _parts(question, token, analyzer, known)]


def pieces(text: str) -> list[tuple[int, int]]:
    """Where the pieces of a word begin and end; one piece where there is nothing to cut at."""
    if text.isascii() and text.isalnum():
        return [(0, len(text))]
    found: list[tuple[int, int]] = []
    begin, script = 0, ""
    for at, letter in enumerate(text):
        if letter in JOINTS:
            found.append((begin, at))
            begin, script = at + 1, ""
        elif letter.isalpha() or (letter.isascii() and letter.isdigit()):
            here = _script(letter)
            if script and here != script:
                found.append((begin, at))
                begin = at
            script = here
    found.append((begin, len(text)))
    return [(first, last) for first, last in found if first < last]


def _parts(question: str, token: Token, analyzer: Analyzer, known: Callable[[str], bool]) -> Sequence[Token]:
    cuts = pieces(question[token.start : token.end])
    if len(cuts) < 2 or known(token.term):
        return [token]
    runs = _whole_runs(question, token.start, cuts, analyzer, known)
    return [_moved(part, first) for first, last in runs for part in analyzer.tokens(question[first:last])]


def _whole_runs(
    question: str, start: int, cuts: Sequence[tuple[int, int]], analyzer: Analyzer, known: Callable[[str], bool]
) -> list[tuple[int, int]]:
    """The pieces, as offsets of the question; those of the longest known run are one."""
    places = [(start + first, start + last) for first, last in cuts]
    if len(places) > _MOST_PIECES:
        return places
    for length in range(len(places) - 1, 1, -1):
        for at in range(len(places) - length + 1):
            first, last = places[at][0], places[at + length - 1][1]
            terms = analyzer.terms(question[first:last])
            if len(terms) == 1 and known(terms[0]):
                return [*places[:at], (first, last), *places[at + length :]]
    return places


def _moved(token: Token, by: int) -> Token:
    return token._replace(start=token.start + by, end=token.end + by)


def _script(letter: str) -> str:
    """The first word of a letter's name: LATIN, CYRILLIC, HANGUL. Forms of width are no script of their own.

    Plain digits go with Latin: 40을, ה3D.
    """
    if letter.isascii():
        return "LATIN"
    words = unicodedata.name(letter, "").replace("-", " ").split(" ")
    return words[1] if words[0] in ("FULLWIDTH", "HALFWIDTH") and len(words) > 1 else words[0]
