"""Types and slots without rules: texts that are one wording with other words in its open places.

The type of a text is its view, with slots for open words; two wordings of one task are two types. Where a view has one
slot several times, each place is a slot of its own: A1, A2.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping

from askance.build.trajectories.labels import Label
from askance.views.slots import Slots

INDUCED = "view"
"""What stands as the rule of a label that no rule gave."""


def induced(slots: Slots, text: str) -> Label:
    """What the view of a text says of it."""
    viewed = slots.view(text)
    return Label(viewed.text, dict(_places(viewed.slots)), INDUCED)


def order_of(labels: Iterable[Label]) -> tuple[str, ...]:
    """The slots that occur, those first that most texts have, among them those with the most different words."""
    texts: Counter[str] = Counter()
    words: defaultdict[str, set[str]] = defaultdict(set)
    for label in labels:
        for name, names in label.slots.items():
            texts[name] += 1
            words[name].update(names)
    return tuple(sorted(texts, key=lambda name: (-texts[name], -len(words[name]), name)))


def _places(slots: Mapping[str, tuple[str, ...]]) -> Iterable[tuple[str, tuple[str, ...]]]:
    for name, words in slots.items():
        for at, word in enumerate(words, start=1):
            yield (name if len(words) == 1 else f"{name}{at}", (" ".join(word.lower().split()),))
