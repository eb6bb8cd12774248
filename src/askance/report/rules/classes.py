"""Classes of words that speak against the rest: numbers for gold where all words together speak against it."""

from __future__ import annotations

from askance.report.domain_view import DomainView, tokens_label
from askance.report.numbers import listed, probability_with_interval
from askance.report.rules.sentence import Sentence, clauses, names, sizes
from askance.study.results import Preference


def classes(view: DomainView) -> list[Sentence]:
    """One sentence for all sets of decoys against which the same classes are decided to the other side."""
    found: dict[tuple[str, ...], list[tuple[Preference, list[Preference]]]] = {}
    for overall in view.overall_preferences:
        against = [p for p in view.preferences if p.decoys == overall.decoys and _opposed(p, overall)]
        if against:
            key = (overall.reading, *(preference.tokens for preference in against))
            found.setdefault(key, []).append((overall, against))
    return [_sentence(view, pairs) for pairs in found.values()]


def _opposed(one: Preference, other: Preference) -> bool:
    known = one.estimate.value is not None and other.estimate.value is not None
    return known and {one.reading, other.reading} == {"incidental", "adversarial"}


def _sentence(view: DomainView, pairs: list[tuple[Preference, list[Preference]]]) -> Sentence:
    overall, against = pairs[0]
    who = names([tokens_label(preference.tokens) for preference in against])
    side, other = ("for", "against") if overall.reading == "adversarial" else ("against", "for")
    strong = f"{who[:1].upper()}{who[1:]} speak {side} gold, {tokens_label(overall.tokens)} together {other} it."
    told = [
        f"“{view.decoys(whole.decoys)}”: {listed([_figure(p) for p in (*parts, whole)])}, {sizes([whole.estimate])}"
        for whole, parts in pairs
    ]
    return Sentence(
        view.domain.name,
        "classes",
        strong,
        f"How often gold agrees more with its query than a decoy does. {clauses(told)}.",
    )


def _figure(preference: Preference) -> str:
    return f"{tokens_label(preference.tokens)} {probability_with_interval(preference.estimate)}"
