"""The classes that a collection's texts taught, put on a bill; and what the bill says of them, for slots to take."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import TYPE_CHECKING

from askance.measure.bill import Bill, BillEntry
from askance.text.classes import TokenClass, words

if TYPE_CHECKING:
    from askance.views.classes import SlotClass
    from askance.views.slots import Slots

OUTSIDE = "outside"
"""The class of all words for which a view puts no slot."""

_SHOWN = 4


def slot_classes(slots: Slots) -> list[TokenClass]:
    """Each learned class, open or not, under its own name; then the words outside the open ones."""
    # every class asks for the same texts, and one reading finds the words of all
    words_of = cache(slots.words_of)

    def reader(name: str) -> Callable[[str], frozenset[str]]:
        return lambda text: frozenset(words_of(text).get(name, ()))

    def outside(text: str) -> frozenset[str]:
        seen = slots.view(text)
        return frozenset(words(seen.text)).difference(seen.slots)

    learned = [TokenClass(each.name, _described(each), reader(each.name)) for each in slots.classes]
    return [*learned, TokenClass(OUTSIDE, "words outside the open classes", outside)]


def decided(found: Bill, slots: Slots) -> dict[str, tuple[bool, str]]:
    """What `Slots.with_open` takes: enemies are opened, friends are closed, each with the reason; the rest stays."""
    names = {each.name for each in slots.classes}
    return {
        entry.tokens: (entry.verdict == "enemy", _reason(entry, found))
        for entry in found.entries
        if entry.learned and entry.tokens in names and entry.verdict != "undecided"
    }


def _described(each: SlotClass) -> str:
    shown: Sequence[str] = each.members[:_SHOWN]
    more = " …" if len(each.members) > len(shown) else ""
    return f"{', '.join(shown)}{more}" if shown else f"by rule: {each.rule or 'none seen'}"


def _reason(entry: BillEntry, found: Bill) -> str:
    value, low, high = entry.estimate.value, entry.estimate.low, entry.estimate.high
    return (
        f"{entry.verdict}: gold agrees more with its query than {found.decoys_label} "
        f"with the probability {value:.3f} [{low:.3f}, {high:.3f}], n = {entry.estimate.n}"
    )
