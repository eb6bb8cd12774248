"""The inner parts of lists as a background: what starts and ends an item anyway is no template."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cached_property

from askance.data.fields.tokens import is_word, tokens

MOST = 20_000  # parts looked at
LIFT = 5.0  # how much more often than in the background something must occur to be template


class Background:
    """Inner parts with their counts, read forwards, or backwards piece by piece."""

    def __init__(self, counts: Mapping[str, int], *, backwards: bool = False) -> None:
        self.counts = counts
        self.backwards = backwards
        some = sorted(counts.items(), key=lambda entry: (-entry[1], entry[0]))[:MOST]
        self._some = [(self._read(part), times) for part, times in some]
        self.total = sum(times for _, times in self._some)
        repeated = sum(times for _, times in some if times > 1)
        self.thin = repeated < 0.3 * self.total  # most parts occur once: whether one is known says nothing

    def reversed(self) -> Background:
        return Background(self.counts, backwards=not self.backwards)

    def knows(self, pieces: Sequence[str]) -> bool:
        """Whether these pieces, as they are read, are an inner part that occurs more than once."""
        return self.counts.get(self.written(pieces), 0) > 1

    def written(self, pieces: Sequence[str]) -> str:
        return "".join(reversed(pieces) if self.backwards else pieces).strip()

    def starts(self, pieces: Sequence[str]) -> float:
        """The share of parts that begin with these pieces."""
        size = len(pieces)
        wanted = list(pieces)
        hits = sum(times for part, times in self._some if part[:size] == wanted)
        return hits / self.total if self.total else 0.0

    def holds(self, piece: str) -> float:
        """The share of parts that hold this piece."""
        return self._holders[piece] / self.total if self.total else 0.0

    @cached_property
    def _holders(self) -> Counter[str]:
        holders: Counter[str] = Counter()
        for part, times in self._some:
            for piece in set(part):
                holders[piece] += times
        return holders

    def _read(self, part: str) -> list[str]:
        pieces = tokens(part)
        return pieces[::-1] if self.backwards else pieces


def lengths(sides: Sequence[Sequence[str]]) -> Mapping[int, float]:
    """How many words, as shares."""
    counted = Counter(sum(map(is_word, side)) for side in sides)
    return {words: times / len(sides) for words, times in counted.items()} if sides else {}


def distance(one: Mapping[int, float], other: Mapping[int, float], moved: int = 0) -> float:
    """Half the sum of differences of two distributions of lengths, 0 to 1, the first moved down by `moved`."""
    shifted = {words - moved: share for words, share in one.items()}
    return sum(abs(shifted.get(words, 0) - other.get(words, 0)) for words in {*shifted, *other}) / 2
