"""What a name looks like in a collection: how many words, how each begins, which signs stand at their edges."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from askance.data.fields.tokens import shape

LEAST_SHARE = 0.005
LEAST_TIMES = 2  # in a collection of at least `FEW` names
FEW = 20
LONGEST = 200  # characters
MOST_WORDS = 12
RULED = 0.5  # of the names of a shape that begin, or end, with the same word: it belongs to a sentence


@dataclass(frozen=True)
class Names:
    """The shapes that names have, each in at least one of 200 documents; None: not learned yet, all pass."""

    shapes: frozenset[str] | None = None

    def plausible(self, name: str) -> bool:
        """Whether this may be a name."""
        if not name or len(name) > LONGEST or name != name.strip():
            return False
        if self.shapes is None:
            return len(name.split()) <= MOST_WORDS
        return written_shape(name) in self.shapes


def learn_names(names: Iterable[str]) -> Names:
    """The shapes that are frequent enough, save those where one word rules the start or the end."""
    counted: Counter[str] = Counter()
    starts: dict[str, Counter[str]] = {}
    ends: dict[str, Counter[str]] = {}
    for name in names:
        form, parts = written_shape(name), name.split()
        counted[form] += 1
        if len(parts) > 1:
            starts.setdefault(form, Counter())[parts[0]] += 1
            ends.setdefault(form, Counter())[parts[-1]] += 1
    total = sum(counted.values())
    least = max(LEAST_SHARE * total, LEAST_TIMES if total >= FEW else 1)
    frequent = {form for form, times in counted.items() if times >= least}
    ruled = {
        form
        for side in (starts, ends)
        for form, words in side.items()
        if counted[form] >= FEW / 2 and max(words.values()) >= RULED * counted[form] and counted[form] < 0.5 * total
    }
    return Names(frozenset(frequent - ruled))


def written_shape(name: str) -> str:
    """The shape of a name as one string: "2 A A"."""
    words, form = shape(name)
    return f"{words} {form}"
