"""A text's view: open words replaced by their slots, by lookup, by parts, and by what stands beside them."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest

from askance.views.classes import Context, SlotClass, SlotSettings
from askance.views.joining import Known
from askance.views.rules import Rule, is_new_name, written
from askance.views.words import Word, segments

_SPACE = re.compile(r"\s+")
_SEEN_OFTEN = 3
_MOSTLY = 0.6
_OFTEN = 20
_HARDLY_EVER = 0.02


@dataclass(frozen=True)
class Viewed:
    """A view. `slots`: slot → the words it stands for, as the text spells them, in order."""

    text: str
    slots: Mapping[str, tuple[str, ...]]


@dataclass(slots=True)
class _Piece:
    """A word, or a run that is one: as written, the known term it is taken for, where it stands, its class.

    `sure`: it needs no neighbours to tell.
    """

    term: str
    known: str
    start: int
    end: int
    found: SlotClass | None
    sure: bool


class Viewer:
    """Makes views; built from what `Slots` holds."""

    def __init__(
        self,
        classes: Sequence[SlotClass],
        structure: Sequence[str],
        contexts: Sequence[Context],
        settings: SlotSettings,
    ) -> None:
        self._settings = settings
        self._named = {each.name: each for each in classes}
        self._rules: dict[Rule, SlotClass] = {each.rule: each for each in classes if each.rule}
        of_term = {term: each for each in classes for term in each.members}
        self._known: Known[SlotClass | None] = Known({**dict.fromkeys(structure), **of_term})
        self._contexts = {(each.left, each.right): each.counts for each in contexts}
        self._sides = _sides(contexts)

    def view(self, text: str) -> Viewed:
        """The view of a text: words in lower case, its own marks between them, white space as single spaces.

        What stands before the first word and after the last one is left out, so that a full stop tells no two apart.
        """
        cut = segments(text)
        said: set[tuple[str, ...]] = set()
        slots: defaultdict[str, list[str]] = defaultdict(list)
        out: list[str] = []
        for segment, after in zip_longest(cut, cut[1:]):
            spelled = list(self._spelled(self._pieces(text, segment)))
            for slot, piece in spelled:
                if slot:
                    slots[slot].append(text[piece.start : piece.end])
            words = tuple(slot or piece.term for slot, piece in spelled)
            if self._settings.once and words in said:
                continue
            said.add(words)
            for at, word in enumerate(words):
                end = spelled[at + 1][1].start if at + 1 < len(words) else after[0].start if after else len(text)
                out += word, _SPACE.sub(" ", text[spelled[at][1].end : end])
        return Viewed("".join(out[:-1]), {slot: tuple(words) for slot, words in slots.items()})

    def words_of(self, text: str) -> dict[str, tuple[str, ...]]:
        """Class name → the terms of the text in that class, open or not."""
        found: defaultdict[str, list[str]] = defaultdict(list)
        for segment in segments(text):
            for piece in self._pieces(text, segment):
                if piece.found is not None:
                    found[piece.found.name].append(piece.known)
        return {name: tuple(terms) for name, terms in found.items()}

    def labels(self, text: str, segment: Sequence[Word]) -> list[tuple[str, str]]:
        """(class name or "", slot or term) of the pieces of a segment, by lookup alone."""
        return [(piece.found.name if piece.found else "", _label(piece)) for piece in self._looked_up(text, segment)]

    def _pieces(self, text: str, segment: Sequence[Word]) -> list[_Piece]:
        pieces = self._looked_up(text, segment)
        self._by_parts(pieces)
        self._by_neighbours(pieces)
        return pieces

    def _looked_up(self, text: str, segment: Sequence[Word]) -> list[_Piece]:
        """Runs and words that the collection has, and words that are open by rule; the rest has no class."""
        pieces = []
        at = 0
        while at < len(segment):
            length, term = self._known.longest([word.term for word in segment[at : at + 3]])
            first, last = segment[at], segment[at + length - 1]
            found, sure = (self._known[term], True) if term in self._known else (self._ruled(text, first), False)
            pieces.append(_Piece(term, term, first.start, last.end, found, sure or found is not None))
            at += length
        return pieces

    def _ruled(self, text: str, word: Word) -> SlotClass | None:
        rule = written(word.term)
        if rule is None and "name" in self._rules and is_new_name(text, word):
            rule = "name"
        return self._rules.get(rule) if rule else None

    def _by_parts(self, pieces: Sequence[_Piece]) -> None:
        """New words that share a part with known ones join their class.

        So do new words right behind them ("coffee maker", of which coffeemachine is known), where what follows is what
        follows that class.
        """
        for begin, end in _runs(pieces):
            right = _label(pieces[end]) if end < len(pieces) else ""
            last: SlotClass | None = None
            for piece in pieces[begin:end]:
                near = self._known.nearest(piece.term)
                if near is not None:
                    last = piece.found = self._known[near]
                    piece.known, piece.sure = near, True
                elif last is not None and not self._never(last.slot, self._sides.get((">", right), {}), often=1):
                    piece.found, piece.sure = last, True

    def _by_neighbours(self, pieces: Sequence[_Piece]) -> None:
        """Other new words join what mostly stands between their neighbours; known words leave where they never do.

        They leave for the class that mostly stands there, if that is open, else they stay as they are.
        """
        for at, piece in enumerate(pieces):
            left = _label(pieces[at - 1]) if at else ""
            right = _label(pieces[at + 1]) if at + 1 < len(pieces) else ""
            if not piece.sure:
                name = self._mostly(left, right)
                piece.found = self._named.get(name) if name else None
            elif piece.found is not None and piece.found.rule is None and not self._beside_slot(pieces, at):
                sides = self._sides.get(("<", left), {}), self._sides.get((">", right), {})
                if all(self._never(piece.found.slot, counts) for counts in sides):
                    usual = self._named.get(self._mostly(left, right))
                    piece.found = usual if usual is not None and usual.open else None

    def _beside_slot(self, pieces: Sequence[_Piece], at: int) -> bool:
        beside = (*pieces[max(at - 1, 0) : at], *pieces[at + 1 : at + 2])
        return any(piece.found is not None and piece.found.open for piece in beside)

    def _mostly(self, left: str, right: str) -> str:
        counts = self._contexts.get((left, right), {})
        if sum(counts.values()) >= _SEEN_OFTEN:
            return _leading(counts)
        both = [_leading(self._sides.get((side, word), {})) for side, word in (("<", left), (">", right))]
        return both[0] if both[0] == both[1] else ""

    def _never(self, slot: str, counts: Mapping[str, int], often: int = _OFTEN) -> bool:
        """Whether a slot hardly ever stands beside a neighbour that is seen so often at least."""
        total = sum(counts.values())
        same = sum(count for name, count in counts.items() if name and self._named[name].slot == slot)
        return total >= often and same <= _HARDLY_EVER * total

    def _spelled(self, pieces: Sequence[_Piece]) -> Iterator[tuple[str, _Piece]]:
        """(slot or "", piece), slots side by side as one piece where that is asked for: under the last learned one."""
        held: list[_Piece] = []
        for piece in pieces:
            if piece.found is not None and piece.found.open:
                held.append(piece)
                if self._settings.joined:
                    continue
            if held:
                yield _joined(held)
                held = []
            if piece.found is None or not piece.found.open:
                yield "", piece
        if held:
            yield _joined(held)


def _label(piece: _Piece) -> str:
    return piece.found.slot if piece.found is not None else piece.term


def _joined(held: Sequence[_Piece]) -> tuple[str, _Piece]:
    learned = [piece for piece in held if piece.found is not None and piece.found.rule is None] or held
    found = learned[-1].found
    assert found is not None
    return found.slot, _Piece(found.slot, found.slot, held[0].start, held[-1].end, found, sure=True)


def _runs(pieces: Sequence[_Piece]) -> list[tuple[int, int]]:
    """Where neighbouring pieces that are not known begin and end."""
    runs: list[tuple[int, int]] = []
    for at, piece in enumerate(pieces):
        if piece.sure:
            continue
        if runs and runs[-1][1] == at:
            runs[-1] = runs[-1][0], at + 1
        else:
            runs.append((at, at + 1))
    return runs


def _sides(contexts: Sequence[Context]) -> dict[tuple[str, str], dict[str, int]]:
    """What stands right of a left neighbour, and left of a right one."""
    sides: defaultdict[tuple[str, str], dict[str, int]] = defaultdict(dict)
    for each in contexts:
        for key in (("<", each.left), (">", each.right)):
            for name, count in each.counts.items():
                sides[key][name] = sides[key].get(name, 0) + count
    return dict(sides)


def _leading(counts: Mapping[str, int]) -> str:
    total = sum(counts.values())
    best = max(sorted(counts), key=lambda name: counts[name], default="")
    return best if total >= _SEEN_OFTEN and counts[best] >= _MOSTLY * total else ""
