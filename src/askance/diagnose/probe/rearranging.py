"""Edits that keep the words: their order, another wording that the collection has, a neutral sentence more or less."""

from __future__ import annotations

import random
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence

from askance.diagnose.probe.edits import UNSURE, Make
from askance.diagnose.probe.reading import FUNCTION, IDENTIFIERS, NAMES, NUMBERS, Piece, TokenReader
from askance.text.classes import FUNCTION_WORDS

TOO_SHORT = "too few words"
NO_WORDING = "the collection words it in no other way"
NO_SENTENCE = "the collection has no neutral sentence"

_SENTENCE = re.compile(r"(?<=[.!?])\s+")
_LONGEST = 40  # words of a text whose wording is looked up
_OFTEN = 2  # texts that a neutral sentence stands in, at least
_MOST_SENTENCES = 200

Skeleton = tuple[str, ...]
_Meaning = tuple[Skeleton, Skeleton]


def shuffling(reader: TokenReader) -> Make:
    """The same words in random order, without punctuation."""

    def make(text: str, draw: random.Random) -> tuple[str, float] | str:
        pieces = reader.pieces(text)
        if len({piece.term for piece in pieces}) < 3:
            return TOO_SHORT
        order = list(range(len(pieces)))
        while all(pieces[at].term == piece.term for at, piece in zip(order, pieces, strict=True)):
            draw.shuffle(order)
        words = [text[pieces[at].start : pieces[at].end] for at in order]
        moved = sum(pieces[at].term != piece.term for at, piece in zip(order, pieces, strict=True))
        return " ".join(words), moved / len(pieces)

    return make


class Wordings:
    """How the collection words things: skeletons of short texts, by what they say.

    Two skeletons say the same where they hold the same open classes and the same content words and numbers, so that
    they differ in function words and order alone.
    """

    def __init__(self, reader: TokenReader, texts: Iterable[str]) -> None:
        self._reader = reader
        found: defaultdict[_Meaning, Counter[Skeleton]] = defaultdict(Counter)
        for text in texts:
            pieces = reader.pieces(text)
            if len(pieces) <= _LONGEST:
                skeleton = self._skeleton(pieces)
                found[self._meaning(pieces)][skeleton] += 1
        self._found = {meaning: sorted(skeletons) for meaning, skeletons in found.items()}

    def rewording(self) -> Make:
        """Another wording that the collection has; where there is none, its sentences in another order.

        Questions keep their place among the sentences. Checked: content words, numbers and open words are the same.
        """

        def make(text: str, draw: random.Random) -> tuple[str, float] | str:
            pieces = self._reader.pieces(text)
            own = self._skeleton(pieces)
            others = [one for one in self._found.get(self._meaning(pieces), []) if one != own]
            edited = self._filled(draw.choice(others), text, pieces) if others else _reordered(text, draw)
            if edited is None:
                return NO_WORDING
            again = self._reader.pieces(edited)
            if _said(pieces) != _said(again):
                return UNSURE
            return edited, _differ([piece.term for piece in pieces], [piece.term for piece in again])

        return make

    def _skeleton(self, pieces: Sequence[Piece]) -> Skeleton:
        return tuple(f"<{piece.group}>" if self._filler(piece) else piece.term for piece in pieces)

    def _meaning(self, pieces: Sequence[Piece]) -> _Meaning:
        fillers = tuple(sorted(piece.group for piece in pieces if self._filler(piece)))
        rest = (piece.term for piece in pieces if not self._filler(piece))
        return fillers, tuple(sorted(term for term in rest if term not in FUNCTION_WORDS))

    def _filler(self, piece: Piece) -> bool:
        return self._reader.is_surface(piece.group) or piece.group == NUMBERS

    def _filled(self, skeleton: Skeleton, text: str, pieces: Sequence[Piece]) -> str:
        held: defaultdict[str, list[str]] = defaultdict(list)
        for piece in pieces:
            if self._filler(piece):
                held[f"<{piece.group}>"].append(text[piece.start : piece.end])
        words = [held[word].pop(0) if word in held and held[word] else word for word in skeleton]
        said = " ".join(words)
        return said[:1].upper() + said[1:] if text[:1].isupper() else said


class Neutral:
    """Sentences that say nothing of what a text is about: several texts of the collection have them.

    They hold no number or name and ask nothing. In templated texts they hold no open word either; in worded ones, where
    most nouns are open, one that is added shares no open word with the text, and one that is left out has none.
    """

    def __init__(self, reader: TokenReader, texts: Iterable[str]) -> None:
        self._reader = reader
        counted = Counter(said for text in texts for said in {*_sentences(text)})
        usual = sorted((said for said in counted if counted[said] >= _OFTEN), key=lambda said: (-counted[said], said))
        held = {said: self._open_words(said) for said in usual if self._says_little(said)}
        kept = [said for said in held if not (reader.templated and held[said])][:_MOST_SENTENCES]
        self._known = {said: held[said] for said in kept}

    def resizing(self) -> Make:
        """A neutral sentence left out where the text has one and another sentence, else one added at its end."""

        def make(text: str, draw: random.Random) -> tuple[str, float] | str:
            said = _sentences(text)
            words = max(len(self._reader.pieces(text)), 1)
            idle = [at for at, one in enumerate(said) if one in self._known and not self._known[one]]
            if idle and len(said) > len(idle):
                out = draw.choice(idle)
                return " ".join(said[:out] + said[out + 1 :]), len(self._reader.pieces(said[out])) / words
            about = self._open_words(text)
            others = [one for one, held in self._known.items() if one not in said and not held & about]
            if not others:
                return NO_SENTENCE
            added = draw.choice(others)
            ended = text.rstrip() if text.rstrip()[-1:] in tuple(".!?") else f"{text.rstrip()}."
            return f"{ended} {added}", len(self._reader.pieces(added)) / words

        return make

    def _says_little(self, sentence: str) -> bool:
        pieces = self._reader.pieces(sentence)
        told = any(piece.group in (NUMBERS, NAMES, IDENTIFIERS) for piece in pieces)
        return len(pieces) > 1 and not sentence.endswith("?") and not told

    def _open_words(self, text: str) -> frozenset[str]:
        return frozenset(piece.term for piece in self._reader.pieces(text) if piece.group in self._reader.open)


def _sentences(text: str) -> list[str]:
    return [one for one in _SENTENCE.split(text.strip()) if one]


def _reordered(text: str, draw: random.Random) -> str | None:
    said = _sentences(text)
    movable = [at for at, one in enumerate(said) if not one.endswith("?")]
    if len({said[at] for at in movable}) < 2:
        return None
    order = list(movable)
    while [said[at] for at in order] == [said[at] for at in movable]:
        draw.shuffle(order)
    instead = dict(zip(movable, order, strict=True))
    return " ".join(said[instead.get(at, at)] for at in range(len(said)))


def _said(pieces: Sequence[Piece]) -> Counter[str]:
    return Counter(piece.term for piece in pieces if piece.group != FUNCTION and piece.term not in FUNCTION_WORDS)


def _differ(first: Sequence[str], second: Sequence[str]) -> float:
    """Share of the places, of the longer one, where two lists of words differ."""
    same = sum(one == other for one, other in zip(first, second, strict=False))
    return 1 - same / max(len(first), len(second), 1)
