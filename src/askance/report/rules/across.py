"""What holds of all domains together: whether wording is on the same side in each."""

from __future__ import annotations

from collections.abc import Sequence

from askance.report.domain_view import DomainView
from askance.report.numbers import listed, probability_with_interval
from askance.report.rules.sentence import Sentence, clauses, names, sizes
from askance.report.rules.wording import BOTH, ENEMY, FRIEND, OPEN, verdict

_SAID = {
    FRIEND: "a friend in {}",
    ENEMY: "an enemy in {}",
    BOTH: "both in {}, a friend in one reading and an enemy in another",
    OPEN: "undecided in {}",
}


def across(views: Sequence[DomainView]) -> list[Sentence]:
    """Only where there are several domains, and at least one of them is decided."""
    by_side: dict[str, list[DomainView]] = {}
    for view in views:
        side = verdict(view)
        if side is not None:
            by_side.setdefault(side, []).append(view)
    read = [view for found in by_side.values() for view in found]
    if len(read) < 2 or set(by_side) <= {OPEN}:
        return []
    said = [_SAID[side].format(names([view.title for view in by_side[side]])) for side in _SAID if side in by_side]
    depends = {FRIEND, ENEMY} <= set(by_side)
    strong = f"Wording is {listed(said)}." if not depends else f"It depends on the domain: wording is {listed(said)}."
    return [Sentence(None, "across", strong, _figures(read))]


def _figures(views: Sequence[DomainView]) -> str:
    told = [
        f"{probability_with_interval(preference.estimate)} in {view.title} (“{view.decoys(preference.decoys)}”, "
        f"{sizes([preference.estimate])})"
        for view in views
        for preference in view.overall_preferences[:1]
    ]
    return f"How often gold reads closer to its query than a decoy does: {clauses(told)}." if told else ""
