"""Texts as the probe reads them: every word in one class, the classes taken from the collection's slots."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from askance.text.classes import FUNCTION_WORDS, is_content
from askance.text.numbers import is_number
from askance.views.classes import SlotClass
from askance.views.rules import is_new_name, written
from askance.views.slots import Slots
from askance.views.words import Word, segments

NUMBERS, NAMES, IDENTIFIERS, STRUCTURE, FUNCTION = "numbers", "names", "identifiers", "structure", "function"
_SHOWN = 4


@dataclass(frozen=True, slots=True)
class Piece:
    """A word, or a run that is one. `group`: its class; `among`: the narrower class it is exchanged in, "" for none.

    `start`, `end`: where it stands (code points, end exclusive).
    """

    term: str
    start: int
    end: int
    group: str
    among: str


class TokenReader:
    """Puts every word of a text into one class.

    Open classes of the slots keep their names; beside them are numbers, names, identifiers (by rule), function words
    (an English list) and structure: all other words, verbs above all. A closed class of templated texts is told as one
    ("a" and "two" stand for each other, so both are structure).
    """

    def __init__(self, slots: Slots) -> None:
        self._places: dict[str, tuple[str, str]] = {}
        self.open: dict[str, SlotClass] = {}
        self.templated = templated = slots.method == "templates"
        for term in slots.structure:
            self._places[term] = (_by_list(term), "")
        for each in slots.classes:
            if each.rule is None and each.open:
                self.open[each.name] = each
            self._places |= {term: _place(each, term, templated) for term in each.members}
        self._longest = max((term.count(" ") + 1 for term in self._places), default=1)

    def pieces(self, text: str) -> list[Piece]:
        """The words of the text, in order."""
        return [piece for segment in segments(text) for piece in self._read(text, segment)]

    def segments(self, text: str) -> list[list[Piece]]:
        """The same, by stretches between punctuation marks."""
        return [self._read(text, segment) for segment in segments(text)]

    def groups(self) -> list[str]:
        """All classes: the open ones, the most frequent first, then the others."""
        ordered = sorted(self.open.values(), key=lambda each: (-each.count, each.name))
        return [*(each.name for each in ordered), NUMBERS, NAMES, IDENTIFIERS, STRUCTURE, FUNCTION]

    def label(self, group: str) -> str:
        """A class in the reader's words."""
        if group in self.open:
            members = self.open[group].members
            return f"words like {', '.join(members[:_SHOWN])}" + (" …" if len(members) > _SHOWN else "")
        return _LABELS.get(group, group)

    def is_surface(self, group: str) -> bool:
        """Whether it is what a text is about, rather than what is done: open classes, names, identifiers."""
        return group in self.open or group in (NAMES, IDENTIFIERS)

    def _read(self, text: str, segment: Sequence[Word]) -> list[Piece]:
        found = []
        at = 0
        while at < len(segment):
            length = min(self._longest, len(segment) - at)
            while length > 1 and _joined(segment, at, length) not in self._places:
                length -= 1
            term = _joined(segment, at, length)
            group, among = self._places.get(term) or _by_rule(text, segment[at])
            found.append(Piece(term, segment[at].start, segment[at + length - 1].end, group, among))
            at += length
        return found


_LABELS: Mapping[str, str] = {
    NUMBERS: "numbers",
    NAMES: "names",
    IDENTIFIERS: "identifiers",
    STRUCTURE: "verbs and other structure words",
    FUNCTION: "function words",
}


def _place(each: SlotClass, term: str, templated: bool) -> tuple[str, str]:
    """The class and the narrower class of a word of a slot class."""
    if each.rule == "name":
        return NAMES, NAMES
    if templated and each.open:
        return each.name, each.name
    if templated:
        told = any(_by_list(member) != FUNCTION for member in each.members)
        return (STRUCTURE if told else FUNCTION), each.name
    group = _by_list(term)
    if group == STRUCTURE and each.open:
        return each.name, each.name
    return group, each.name if group != NUMBERS else ""


def _joined(segment: Sequence[Word], at: int, length: int) -> str:
    return " ".join(word.term for word in segment[at : at + length])


def _by_rule(text: str, word: Word) -> tuple[str, str]:
    """Of a word that no class holds."""
    rule = written(word.term)
    if rule is not None:
        return (NUMBERS if rule == "number" else IDENTIFIERS), ""
    if is_new_name(text, word) and word.term not in FUNCTION_WORDS:
        return NAMES, NAMES
    return _by_list(word.term), ""


def _by_list(term: str) -> str:
    if is_number(term):
        return NUMBERS
    return STRUCTURE if is_content(term) else FUNCTION
