"""What a study found, in plain sentences: chosen by rules, each only where the figures carry it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from askance.report.domain_view import DomainView
from askance.report.rules.across import across
from askance.report.rules.chance import chance
from askance.report.rules.classes import classes
from askance.report.rules.headroom import headroom
from askance.report.rules.ladder import ladder
from askance.report.rules.losses import cut, ties, without_gold
from askance.report.rules.sentence import Rule, Sentence
from askance.report.rules.winners import winners
from askance.report.rules.wording import wording
from askance.study.results import ModelRecord, Results

__all__ = ["MOST_LEADS", "Sentence", "conclusions", "leads"]

MOST_LEADS = 6


def conclusions(results: Results) -> list[Sentence]:
    """All of them, in the order of the page: what holds across domains, then domain by domain, strongest first."""
    views = [DomainView(domain) for domain in results.domains]
    models = {model.name: model for model in results.models}
    found = across(views)
    for view in views:
        for rule in _rules(models):
            found += rule(view)
    return _with_leads(found)


def leads(results: Results) -> list[Sentence]:
    """The few that open the page."""
    return [sentence for sentence in conclusions(results) if sentence.lead]


def _rules(models: dict[str, ModelRecord]) -> list[Rule]:
    """Strongest first: the order in which sentences of one domain stand, and come to the top of the page."""
    return [ladder, wording, classes, winners, chance, lambda view: cut(view, models), headroom, ties, without_gold]


def _with_leads(found: Sequence[Sentence]) -> list[Sentence]:
    """Marks the first across domains, then the strongest of each domain in turn (decided ones first), up to six.

    What is said of wording across domains is not said again for each of them.
    """
    told = any(sentence.rule == "across" for sentence in found)
    may_lead = [place for place, sentence in enumerate(found) if not (told and sentence.rule == "wording")]
    seen: dict[str | None, int] = {}
    order: list[tuple[int, int]] = []
    for place in sorted(may_lead, key=lambda place: (not found[place].decided, place)):
        domain = found[place].domain
        order.append((-1 if domain is None else seen.get(domain, 0), place))
        seen[domain] = seen.get(domain, 0) + 1
    chosen = {place for _, place in sorted(order)[:MOST_LEADS]}
    return [replace(sentence, lead=place in chosen) for place, sentence in enumerate(found)]
