"""What a name looks like in a collection: how many words, how each begins, which signs stand at their edges."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from askance.data.fields.tokens import shape

LEAST_SHARE = 0.005
LEAST_TIMES = 2  # in a collection of at least `FEW` names
FEW = 20


@dataclass(frozen=True)
class Names:
    """The shapes that names have, each in at least one of 200 documents; None: not learned yet, all pass."""

    shapes: frozenset[str] | None = None

    def plausible(self, name: str) -> bool:
        """Whether this may be a name."""
        if not name or name != name.strip():
            return False
        return self.shapes is None or written_shape(name) in self.shapes


def learn_names(names: Iterable[str]) -> Names:
    """The shapes that are frequent enough."""
    counted = Counter(written_shape(name) for name in names)
    total = sum(counted.values())
    least = max(LEAST_SHARE * total, LEAST_TIMES if total >= FEW else 1)
    return Names(frozenset(form for form, times in counted.items() if times >= least))


def written_shape(name: str) -> str:
    """The shape of a name as one string: "2 A A"."""
    words, form = shape(name)
    return f"{words} {form}"
