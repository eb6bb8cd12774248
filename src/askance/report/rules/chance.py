"""Below, at or above chance under the main tier, for systems of which the ladder says nothing about chance."""

from __future__ import annotations

from askance.report.domain_view import DomainView
from askance.report.numbers import p_value, percent, percent_with_interval, reason
from askance.report.rules.ladder import spoken_for
from askance.report.rules.sentence import Sentence, clauses, few, names, only, sizes, verb
from askance.study.results import Figure


def chance(view: DomainView) -> list[Sentence]:
    """One sentence a verdict; where chance cannot be computed, the reason."""
    told = spoken_for(view)
    verdicts: dict[str, list[tuple[str, Figure]]] = {}
    for system in view.systems:
        figure = view.figure(system, view.first_measure)
        if figure is None or figure.estimate.value is None:
            continue
        if figure.chance.expected is None:
            verdicts.setdefault("unknown", []).append((view.system(system), figure))
        elif figure.chance.verdict and view.system(system) not in told:
            verdicts.setdefault(figure.chance.verdict, []).append((view.system(system), figure))
    return [_sentence(view, kind, verdicts[kind]) for kind in ("below", "at", "above", "unknown") if kind in verdicts]


def _sentence(view: DomainView, kind: str, found: list[tuple[str, Figure]]) -> Sentence:
    labels = [label for label, _ in found]
    who, tier = names(labels), view.tier(view.main_tier)
    strong = {
        "below": f"{who} {verb(labels, 'is', 'are')} below chance.",
        "at": f"{who} cannot be told from chance.",
        "above": f"{who} {verb(labels, 'is', 'are')} above chance.",
        "unknown": "Chance is not known here.",
    }[kind]
    if kind == "unknown":
        return Sentence(view.domain.name, "chance", strong, f"{_upper(reason(found[0][1].chance))}.", decided=False)
    figures = [figure for _, figure in found]
    told = [f"{percent_with_interval(figure.estimate)} for {label}" for label, figure in found]
    rest = (
        f"{view.first_measure} under “{tier}” is {clauses(told)}, where chance gives "
        f"{few(percent(figure.chance.expected) for figure in figures)} % "
        f"({few(p_value(figure.chance.p) for figure in figures)}); {sizes(figure.estimate for figure in figures)}."
    )
    return Sentence(view.domain.name, "chance", strong, rest, only(labels), decided=kind != "at")


def _upper(text: str) -> str:
    return text[:1].upper() + text[1:]
