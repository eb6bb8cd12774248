"""How a word that a collection does not have joins one that it has: written together or apart, by ending, by parts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Generic, TypeVar

T = TypeVar("T")

_ENDING = 2  # letters
_SHORTEST = 3  # letters of a part
_SHARED = 5  # letters of a part that two words share, where neither is the other's part


class Known(Generic[T]):
    """Terms of a collection, runs among them (words with a space between), and what is known of each."""

    def __init__(self, of_term: Mapping[str, T]) -> None:
        self._of_term = dict(of_term)
        self._together = {term.replace(" ", ""): term for term in reversed(list(of_term))}
        self._words = [term for term in of_term if " " not in term]
        self._near: dict[str, str | None] = {}

    def __contains__(self, term: str) -> bool:
        return term in self._of_term

    def __getitem__(self, term: str) -> T:
        return self._of_term[term]

    def longest(self, words: Sequence[str]) -> tuple[int, str]:
        """How many of the words, from the first on, are one known term, and which: as they stand or written together.

        An ending of up to two letters may be missing or added ("soap bars" – soapbar). One, and the first word itself,
        where none is known.
        """
        for length in range(len(words), 1, -1):
            joined = "".join(words[:length])
            term = self._together.get(joined) or self._without_ending(joined, len(words[length - 1]))
            if term is not None:
                return length, term
        word = words[0]
        if word in self._of_term:
            return 1, word
        apart = self._together.get(word)
        return 1, word if apart is None else apart

    def _without_ending(self, joined: str, last: int) -> str | None:
        """`last`: length of the last word, of which three letters must be left."""
        for cut in range(1, min(_ENDING, last - _SHORTEST) + 1):
            term = self._together.get(joined[:-cut])
            if term is not None:
                return term
        return None

    def nearest(self, word: str) -> str | None:
        """The known word that shares most of its letters with this one: one begins or ends the other, or both begin or
        end alike in five letters or more and half of each. None where there is none; the more frequent one of equals.
        """
        if word not in self._near:
            self._near[word] = self._closest(word)
        return self._near[word]

    def _closest(self, word: str) -> str | None:
        best, closest = 0.0, None
        if len(word) < _SHORTEST:
            return None
        for term in self._words:
            shared = _shared_part(word, term)
            if shared and shared / max(len(word), len(term)) > best:
                best, closest = shared / max(len(word), len(term)), term
        return closest


def _shared_part(one: str, other: str) -> int:
    """Length of the beginning or ending that two words share, 0 where it is too short to mean something."""
    short, long = sorted((one, other), key=len)
    if len(short) >= _SHORTEST and (long.startswith(short) or long.endswith(short)):
        return len(short) if 3 * len(short) >= len(long) else 0
    if one[0] != other[0] and one[-1] != other[-1]:
        return 0
    shared = max(_same(one, other), _same(one[::-1], other[::-1]))
    return shared if shared >= _SHARED and 2 * shared >= len(long) else 0


def _same(one: str, other: str) -> int:
    length = 0
    for a, b in zip(one, other, strict=False):
        if a != b:
            break
        length += 1
    return length
