"""Is lexical signal friend or enemy? Said from two readings: the control's share, and lexical preference."""

from __future__ import annotations

from askance.report.domain_view import DomainView
from askance.report.numbers import (
    count,
    in_words,
    p_value,
    percent_with_interval,
    probability_with_interval,
)
from askance.report.rules.sentence import Sentence, clauses, sizes
from askance.study.results import Control, Preference

FRIEND, ENEMY, BOTH, OPEN = "friend", "enemy", "both", "open"
_SAYS = {"positive": FRIEND, "negative": ENEMY, "incidental": FRIEND, "adversarial": ENEMY}


def sides(view: DomainView) -> set[str]:
    """Which sides any decided reading is on; empty where none is decided."""
    readings: list[str] = [p.reading for p in view.overall_preferences if p.estimate.value is not None]
    readings += [control.sign for control in view.lexical_controls if control.share_held.value is not None]
    return {_SAYS[reading] for reading in readings if reading in _SAYS}


def verdict(view: DomainView) -> str | None:
    """Friend, enemy, both (readings differ) or open (none is decided); None where neither reading was made."""
    if not view.overall_preferences and not view.lexical_controls:
        return None
    found = sides(view)
    return OPEN if not found else BOTH if len(found) > 1 else next(iter(found))


def wording(view: DomainView) -> list[Sentence]:
    found = verdict(view)
    if found is None:
        return []
    strong = {
        FRIEND: "Wording is a friend here.",
        ENEMY: "Wording is an enemy here.",
        BOTH: "Wording is a friend in one reading and an enemy in another.",
        OPEN: "Undecided whether wording is a friend or an enemy.",
    }[found]
    rest = " ".join(part for part in (_preferences(view), _closed(view), _no_room(view)) if part)
    return [Sentence(view.domain.name, "wording", strong, rest, decided=found != OPEN)]


def _preferences(view: DomainView) -> str:
    found = view.overall_preferences
    if not found:
        return ""
    told = [f"than “{view.decoys(p.decoys)}” with probability {_probability(p)}" for p in found]
    return f"Gold reads closer to its query {clauses(told)}."


def _probability(preference: Preference) -> str:
    undecided = ", undecided" if preference.reading == "undecided" and preference.estimate.value is not None else ""
    return f"{probability_with_interval(preference.estimate)}, {sizes([preference.estimate])}{undecided}"


def _closed(view: DomainView) -> str:
    found = [control for control in view.lexical_controls if control.sign != "no room"]
    if not found:
        return ""
    told = [
        f"{percent_with_interval(c.share_held, signed=True)} of the gap for {view.system(c.system)} "
        f"({count(c.gained)} gained, {count(c.lost)} lost, {p_value(c.p)}"
        f"{', undecided' if c.sign == 'undecided' else ''})"
        for c in found
    ]
    return f"Reranking {_first(found)} by wording closes {clauses(told)}; {sizes(c.before for c in found)}."


def _no_room(view: DomainView) -> str:
    found = [control for control in view.lexical_controls if control.sign == "no room"]
    if not found:
        return ""
    told = [
        f"{view.system(c.system)} (gold at rank 1 for {percent_with_interval(c.before)}, among them for "
        f"{percent_with_interval(c.ceiling)})"
        for c in found
    ]
    n = sizes(control.before for control in found)
    return f"Reranking {_first(found)} by wording has no room to tell with {clauses(told)}; {n}."


def _first(controls: list[Control]) -> str:
    firsts = {control.first for control in controls}
    return f"the first {in_words(firsts.pop())}" if len(firsts) == 1 else "the first few"
