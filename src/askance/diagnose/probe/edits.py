"""Edits of texts: one class of words at a time, drawn by seed, each checked to change that class and nothing else."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field
from typing import Literal

from askance.diagnose.probe.pool import Pool
from askance.diagnose.probe.reading import NUMBERS, Piece, TokenReader
from askance.text.numbers import numbers

HowMany = Literal["all", "one"]

NO_WORD = "no word of the class"
NO_OTHER = "nothing else of the class occurs there"
UNSURE = "reads otherwise after the edit"
_TRIES = 6


@dataclass(frozen=True, slots=True)
class Edit:
    """An edited text. `source`: position of the text it was made from; `changed`: share of its words that differ."""

    source: int
    text: str
    changed: float


@dataclass
class Edits:
    """The edits of one class; `dropped`: texts of which none was made, reason → count."""

    made: list[Edit] = field(default_factory=list)
    dropped: Counter[str] = field(default_factory=Counter)


Make = Callable[[str, random.Random], tuple[str, float] | str]
"""From a text to its edit and the share of words changed, or to the reason why there is none."""


def edits_of(name: str, texts: Sequence[str], make: Make, seed: int, draws: int = 1) -> Edits:
    """`draws` edits of each text; equal seeds give equal edits, whatever else is edited. Equal edits count once."""
    found = Edits()
    for at, text in enumerate(texts):
        draw = random.Random(f"probe:{seed}:{name}:{text}")
        said: dict[str, float] = {}
        why = ""
        for _ in range(draws):
            edited = make(text, draw)
            if isinstance(edited, str):
                why = edited
            else:
                said[edited[0]] = edited[1]
        found.made += [Edit(at, edited, share) for edited, share in said.items()]
        if not said:
            found.dropped[why] += 1
    return found


def swapping(reader: TokenReader, pool: Pool, groups: Collection[str], how_many: HowMany = "all") -> Make:
    """Puts other members of its class for the words of these classes: all of them, or one.

    Equal words get equal replacements. Checked by reading the edited text again: every word outside is the same and in
    the same class, those inside are what they were meant to be; numbers have another value.
    """

    def make(text: str, draw: random.Random) -> tuple[str, float] | str:
        cut = reader.segments(text)
        pieces = [(segment, at) for segment in cut for at in range(len(segment)) if segment[at].group in groups]
        if not pieces:
            return NO_WORD
        choices = [(segment[at], found) for segment, at in pieces if (found := pool.candidates(segment, at))]
        if not choices:
            return NO_OTHER
        whole = [piece for segment in cut for piece in segment]
        for _ in range(_TRIES):
            chosen = [draw.choice(choices)] if how_many == "one" else choices
            instead: dict[str, str] = {}
            for piece, candidates in chosen:
                fresh = [term for term in candidates if term not in instead.values()]
                instead.setdefault(piece.term, draw.choice(fresh or candidates))
            places = {piece.start: instead[piece.term] for piece, _ in chosen}
            edited = _replaced(text, whole, places, pool)
            if _as_meant(reader, edited, whole, places) and (NUMBERS not in groups or _other_numbers(text, edited)):
                return edited, len(places) / len(whole)
        return UNSURE

    return make


def _replaced(text: str, pieces: Sequence[Piece], places: dict[int, str], pool: Pool) -> str:
    out: list[str] = []
    end = 0
    for piece in pieces:
        if piece.start in places:
            out += text[end : piece.start], pool.spelled(places[piece.start], text[piece.start : piece.end])
            end = piece.end
    return "".join((*out, text[end:]))


def _as_meant(reader: TokenReader, edited: str, pieces: Sequence[Piece], places: dict[int, str]) -> bool:
    meant = [(places.get(piece.start, piece.term), piece.group) for piece in pieces]
    return [(piece.term, piece.group) for piece in reader.pieces(edited)] == meant


def _other_numbers(text: str, edited: str) -> bool:
    return Counter(numbers(text)) != Counter(numbers(edited))
