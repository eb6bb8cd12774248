"""Labels of texts, and how sure they are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Label:
    """What a text is about. `slots`: slot → the names it may mean, none where the text has no such slot.

    `rule`: what said so; `also`: further rules that fit and say something else. The first one was taken.
    """

    type: str
    slots: Mapping[str, tuple[str, ...]]
    rule: str
    also: tuple[str, ...] = ()

    def same(self, other: Label) -> bool:
        return self.type == other.type and dict(self.slots) == dict(other.slots)

    def shares(self, other: Label, slot: str) -> bool:
        """Whether both have the slot, and one name in common there. What is not named is taken to differ."""
        return not set(self.slots.get(slot, ())).isdisjoint(other.slots.get(slot, ()))


@dataclass(frozen=True, slots=True)
class Ambiguity:
    """Of one side (goals or queries): how many distinct texts, which fit no rule, which fit several that disagree."""

    side: str
    texts: int
    none: Sequence[str] = ()
    several: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    @classmethod
    def of(cls, side: str, labels: Mapping[str, Label | None]) -> Ambiguity:
        """From text → label."""
        return cls(
            side,
            len(labels),
            tuple(text for text, label in labels.items() if label is None),
            {text: (label.rule, *label.also) for text, label in labels.items() if label is not None and label.also},
        )

    def record(self) -> dict[str, object]:
        several = {text: list(rules) for text, rules in self.several.items()}
        return {"side": self.side, "texts": self.texts, "fit no rule": list(self.none), "fit several": several}
