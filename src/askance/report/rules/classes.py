"""Classes of words that speak against the rest: numbers for gold where all words together speak against it."""

from __future__ import annotations

from askance.report.domain_view import DomainView, tokens_label
from askance.report.numbers import probability_with_interval
from askance.report.rules.sentence import Sentence, clauses, names, sizes
from askance.study.results import Preference


def classes(view: DomainView) -> list[Sentence]:
    """One sentence a set of decoys, where a class is decided to the other side than all words are."""
    sentences = []
    for overall in view.overall_preferences:
        against = [p for p in view.preferences if p.decoys == overall.decoys and _opposed(p, overall)]
        if against:
            sentences.append(_sentence(view, overall, against))
    return sentences


def _opposed(one: Preference, other: Preference) -> bool:
    return {one.reading, other.reading} == {"incidental", "adversarial"}


def _sentence(view: DomainView, overall: Preference, against: list[Preference]) -> Sentence:
    who = names([tokens_label(preference.tokens) for preference in against])
    side, other = ("for", "against") if overall.reading == "adversarial" else ("against", "for")
    strong = f"{who[:1].upper()}{who[1:]} speak {side} gold, {tokens_label(overall.tokens)} together {other} it."
    told = [f"{tokens_label(p.tokens)} {probability_with_interval(p.estimate)}" for p in against]
    rest = (
        f"How often gold agrees more with its query than “{view.decoys(overall.decoys)}”: {clauses(told)}; "
        f"{tokens_label(overall.tokens)} {probability_with_interval(overall.estimate)}; {sizes([overall.estimate])}."
    )
    return Sentence(view.domain.name, "classes", strong, rest)
