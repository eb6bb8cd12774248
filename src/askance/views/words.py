"""Texts as the views read them: words with their places, cut into segments at punctuation."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from askance.text.analyzer import Analyzer

# Between two words: what ends a segment. An arrow does, as in logs ("State: … -> Action: …").
_ENDS = re.compile(r"[.,;:!?\n\r|>。，；：！？、]")
_CLOSERS = frozenset("\"'”’)]}»」』")
_ANALYZER = Analyzer()


class Word(NamedTuple):
    """A word in lower case, and where it stands in the text (code points, end exclusive)."""

    term: str
    start: int
    end: int


def segments(text: str) -> list[list[Word]]:
    """The words of each stretch between punctuation marks or line ends, in order; stretches without words are left out.

    Words are those of Lucene's standard analyzer, so that a lexical index sees the same ones.
    """
    found: list[list[Word]] = []
    end = 0
    for token in _ANALYZER.tokens(text):
        if not found or _ENDS.search(text, end, token.start):
            found.append([])
        found[-1].append(Word(token.term, token.start, token.end))
        end = token.end
    return found


def terms(words: Sequence[Word]) -> tuple[str, ...]:
    """The words alone."""
    return tuple(word.term for word in words)


def is_capital(text: str, word: Word) -> bool:
    """Whether the word is written with a capital first letter."""
    return text[word.start].isupper()


def opens_sentence(text: str, word: Word) -> bool:
    """Whether nothing but marks that open or close stands between the word and a line end, a full stop or the start.

    A capital letter says nothing there.
    """
    at = word.start - 1
    while at >= 0 and (text[at] in _CLOSERS or text[at] in "(\"'“‘[{«「 \t"):
        at -= 1
    return at < 0 or text[at] in ".!?:;\n\r>。！？：-*•"
