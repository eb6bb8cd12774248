"""What a perfect reranker of the first few could win at rank 1."""

from __future__ import annotations

from dataclasses import dataclass

from askance.report.domain_view import DomainView
from askance.report.numbers import in_words, percent, percent_with_interval
from askance.report.rules.sentence import Sentence, clauses, names, only, sizes
from askance.study.results import EstimateIn


@dataclass(frozen=True)
class _Room:
    """Between gold at rank 1 and gold within the first `first`, of one system."""

    first: int
    system: str
    now: EstimateIn
    ceiling: EstimateIn
    gap: float


def headroom(view: DomainView) -> list[Sentence]:
    """How many points lie between, and for whom none do."""
    rooms = [room for room in (_room(view, system) for system in view.systems) if room]
    sentences = []
    for first in dict.fromkeys(room.first for room in rooms):
        some = [room for room in rooms if room.first == first and room.gap > 0]
        none = [room for room in rooms if room.first == first and room.gap <= 0]
        if some:
            sentences.append(_some(view, first, some))
        if none:
            sentences.append(_none(view, first, none))
    return sentences


def _some(view: DomainView, first: int, rooms: list[_Room]) -> Sentence:
    gaps = sorted(room.gap for room in rooms)
    low, high = percent(gaps[0]), percent(gaps[-1])
    points = low if low == high else f"{low} to {high}"
    told = [
        f"for {percent_with_interval(room.ceiling)} and at rank 1 for {percent_with_interval(room.now)} "
        f"with {room.system}"
        for room in rooms
    ]
    rest = f"Gold is among them {clauses(told)}; {sizes(room.ceiling for room in rooms)}."
    strong = f"A perfect reranker of the first {in_words(first)} could win {points} points at rank 1."
    return Sentence(view.domain.name, "headroom", strong, rest, only([room.system for room in rooms]))


def _none(view: DomainView, first: int, rooms: list[_Room]) -> Sentence:
    labels = [room.system for room in rooms]
    told = [f"for {percent_with_interval(room.now)} with {room.system}" for room in rooms]
    rest = f"Gold is at rank 1 {clauses(told)}, and for no more queries among them; {sizes(r.now for r in rooms)}."
    strong = f"A reranker of the first {in_words(first)} has nothing to win over {names(labels)}."
    return Sentence(view.domain.name, "headroom", strong, rest, only(labels))


def _room(view: DomainView, system: str) -> _Room | None:
    control = next((c for c in view.controls if c.system == system), None)
    curve = next((c for c in view.curves if c.system == system), None)
    if control:
        first, now, ceiling = control.first, control.before, control.ceiling
    elif curve and len(curve.hits) > 1:
        first = min(10, len(curve.hits))
        now, ceiling = curve.hits[0], curve.hits[first - 1]
    else:
        return None
    if now.value is None or ceiling.value is None:
        return None
    return _Room(first, view.system(system), now, ceiling, ceiling.value - now.value)
