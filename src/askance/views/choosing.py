"""Which classes to abstract, by judged queries: friends are kept, enemies are hidden, the rest stays as learned."""

from __future__ import annotations

from collections.abc import Iterator

from askance.views.agreement import Agreement, Read
from askance.views.classes import SlotClass, parted
from askance.views.judged import Judged
from askance.views.slots import Slots


def choose(slots: Slots, judged: Judged) -> Slots:
    """The same words, opened and closed by their sign; see `agreement`.

    A friend among the open classes is looked at word by word: single words that are friends become a class of their own
    and are kept; the others stay open unless they are friends without these, too. Few judged queries leave most classes
    as they were learned from the texts alone: what is not shown is not changed.
    """
    read = Read.of(slots, judged)
    return slots.with_classes(
        part.model_copy(update={"why": f"{part.why}. {judged.note.rstrip('.')}"}) if judged.note and new else part
        for each in slots.classes
        for part, new in _parts(each, read)
    )


def _parts(found: SlotClass, read: Read) -> Iterator[tuple[SlotClass, bool]]:
    """The class as it is decided, whole or in parts, each with whether its sign decided it."""
    agreement = read.agreement(found.name)
    if agreement.reading == "enemy":
        yield found.model_copy(update={"open": True, "why": f"an enemy: {_told(agreement)}"}), True
        return
    if agreement.reading == "neither":
        yield found, False
        return
    friends = [word for word in read.asked(found.name) if read.agreement(found.name, {word}).reading == "friend"]
    others = frozenset(found.members) - frozenset(friends)
    rest = read.agreement(found.name, others)
    if not found.open or found.rule or not friends or not others or rest.reading == "friend":
        yield found.model_copy(update={"open": False, "why": f"a friend: {_told(agreement)}"}), True
        return
    for part in parted(found, friends, f"friends in an open class: {_told(agreement)}"):
        yield part, not part.open


def changes(learned: Slots, chosen: Slots) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """What was chosen, as `keep` and `hide` of Slots.adjusted: (classes and words, classes)."""
    before = {each.name: each.open for each in learned.classes}
    keep: list[str] = []
    hide = []
    for each in chosen.classes:
        if each.name not in before:
            keep += each.members
        elif before[each.name] and not each.open:
            keep.append(each.name)
        elif each.open and not before[each.name]:
            hide.append(each.name)
    return tuple(keep), tuple(hide)


def _told(agreement: Agreement) -> str:
    return (
        f"gold agrees more with its query than a decoy in {agreement.value:.3f} [{agreement.low:.3f}, "
        f"{agreement.high:.3f}] of the pairs, {agreement.n} judged queries"
    )
