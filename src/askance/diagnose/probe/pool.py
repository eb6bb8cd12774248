"""What the collection offers in place of a word: other members of its class that occur, and where they stand."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence

from askance.diagnose.probe.reading import IDENTIFIERS, NUMBERS, Piece, TokenReader
from askance.text.numbers import numbers

_DIGITS = re.compile(r"\d+")
_TIMES = frozenset(["twice", "thrice", "double", "triple", "quadruple"])


class Pool:
    """The words of some texts, by class; built once from the documents, so that a replacement can be answered."""

    def __init__(self, reader: TokenReader, texts: Iterable[str]) -> None:
        self._spelled: defaultdict[str, Counter[str]] = defaultdict(Counter)
        members: defaultdict[tuple[str, str], set[str]] = defaultdict(set)
        sides: defaultdict[tuple[str, str, str], set[str]] = defaultdict(set)
        for text in texts:
            for segment in reader.segments(text):
                labels = ["", *(_label(reader, piece) for piece in segment), ""]
                for at, piece in enumerate(segment, 1):
                    members[piece.group, _kind(piece)].add(piece.term)
                    self._spelled[piece.term][text[piece.start : piece.end]] += 1
                    sides["<", piece.group, labels[at - 1]].add(piece.term)
                    sides[">", piece.group, labels[at + 1]].add(piece.term)
        self._members = {key: sorted(terms) for key, terms in members.items()}
        self._sides = dict(sides)
        self._reader = reader

    def candidates(self, segment: Sequence[Piece], at: int) -> list[str]:
        """Terms that may stand for the word at `at`: those of its narrower class, else those with like neighbours."""
        piece = segment[at]
        found = self._members.get((piece.group, _kind(piece)), [])
        if not piece.among and piece.group not in (NUMBERS, IDENTIFIERS):
            found = self._between(segment, at)
        return [term for term in found if not _alike(term, piece.term)]

    def spelled(self, term: str, instead_of: str) -> str:
        """The term as the texts write it, with a capital where the word that it stands for has one."""
        said = self._spelled[term]
        text = min(said, key=lambda one: (-said[one], one)) if said else term
        return text[:1].upper() + text[1:] if instead_of[:1].isupper() else text

    def _between(self, segment: Sequence[Piece], at: int) -> list[str]:
        left = _label(self._reader, segment[at - 1]) if at else ""
        right = _label(self._reader, segment[at + 1]) if at + 1 < len(segment) else ""
        before = self._sides.get(("<", segment[at].group, left), set())
        behind = self._sides.get((">", segment[at].group, right), set())
        own = {segment[at].term}
        both = (before & behind) - own
        if both or segment[at].term not in self._spelled:  # of a word that no document has, one side tells too little
            return sorted(both)
        return sorted((before | behind) - own)


def _label(reader: TokenReader, piece: Piece) -> str:
    return f"<{piece.group}>" if reader.is_surface(piece.group) or piece.group == NUMBERS else piece.term


def _kind(piece: Piece) -> str:
    """Numbers and identifiers stand for those that are written alike: 12 for 5, "seven" for "two", 4.5 for 2.0."""
    if piece.group in (NUMBERS, IDENTIFIERS):
        shape = _DIGITS.sub("0", piece.term)
        return shape if shape != piece.term else _in_words(piece.term)
    return piece.among


def _in_words(term: str) -> str:
    if term in _TIMES:
        return "times"
    return "cardinal" if all(value.isdigit() for value in numbers(term)) else "part"


def _alike(one: str, other: str) -> bool:
    """Whether two terms are likely one thing: "soap bar" and soapbar, mug and mugs."""
    first, second = (term.replace(" ", "") for term in (one, other))
    return first == second or first.rstrip("s") == second.rstrip("s")
