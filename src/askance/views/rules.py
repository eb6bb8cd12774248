"""Words that are open by rule, whatever the collection: numbers, identifiers, names.

They are told by how they are written, not by lists of a language: figures with what is joined to them ("12", "3.5",
"5kg", "3rd") are numbers; other words that mix letters with digits or underscores ("x86", "mug_3") are identifiers;
words that the collection writes with a capital letter inside sentences, and never without, are names. Number words
("two") are left to what the collection says of them.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Literal

from askance.views.words import Word, is_capital, opens_sentence

Rule = Literal["number", "identifier", "name"]
RULES: tuple[Rule, ...] = ("number", "identifier", "name")

_NUMBER = re.compile(r"\d+(?:[.,':;]\d+)*[^\W\d_]{0,3}")
_MOST_CAPITALS = 0.2  # of the words inside sentences: beyond it capitals mark something else than names


def written(term: str) -> Rule | None:
    """What the word is by its characters alone: a number, an identifier, or neither."""
    if _NUMBER.fullmatch(term):
        return "number"
    if "_" in term.strip("_") or (any(map(str.isdigit, term)) and any(map(str.isalpha, term))):
        return "identifier"
    return None


def names_in(texts: Iterable[tuple[str, Sequence[Sequence[Word]]]]) -> frozenset[str]:
    """Terms that stand inside sentences, always with a capital letter, and nowhere without one.

    `texts`: each with its segments. None at all where more than a fifth of the words inside sentences have capitals, as
    in German or in headlines.
    """
    large: Counter[str] = Counter()
    small: set[str] = set()
    inside = 0
    for text, cut in texts:
        for segment in cut:
            for word in segment:
                if not is_capital(text, word):
                    inside += 1
                    small.add(word.term)
                elif not opens_sentence(text, word):
                    inside += 1
                    large[word.term] += 1
    if large.total() > _MOST_CAPITALS * inside:
        return frozenset()
    return frozenset(term for term in large if term not in small and written(term) is None)


def is_new_name(text: str, word: Word) -> bool:
    """Whether a word that the collection does not have is written like a name here."""
    return is_capital(text, word) and not opens_sentence(text, word)
