"""What was lost on the way: documents cut by a model's window, places decided by ties, queries without gold."""

from __future__ import annotations

from collections.abc import Mapping

from askance.report.domain_view import DomainView
from askance.report.numbers import count, counted, percent
from askance.report.rules.sentence import Sentence, clauses, names, only
from askance.study.results import ModelRecord, SystemCard

# From this share of tied places on, who stands first is decided by position often enough to be said.
_MANY_TIES = 0.05


def cut(view: DomainView, models: Mapping[str, ModelRecord]) -> list[Sentence]:
    """One sentence for all systems that lost the ends of the same number of documents at the same window."""
    found: dict[tuple[int, int | None], list[SystemCard]] = {}
    for card in view.domain.systems:
        if card.cut:
            model = models.get(card.model or "")
            found.setdefault((card.cut, model.max_tokens if model else None), []).append(card)
    return [_cut(view, number, window, cards) for (number, window), cards in found.items()]


def _cut(view: DomainView, number: int, window: int | None, cards: list[SystemCard]) -> Sentence:
    labels = [view.system(card.name) for card in cards]
    documents = view.domain.documents
    were = "was" if number == 1 else "were"
    where = f"at {count(window)} tokens" if window is not None else "at the end of its window"
    of = f"{count(number)} of {counted(documents, 'document', 'documents')}"
    strong = f"{of} {were} cut {where} before {names(labels)} read {'it' if number == 1 else 'them'}."
    rest = (
        f"{percent(number / documents)} % of the documents; what came after the cut was not read." if documents else ""
    )
    return Sentence(view.domain.name, "cut", strong, rest, only(labels))


def ties(view: DomainView) -> list[Sentence]:
    """Systems whose first ten are often tied."""
    tied = [card for card in view.domain.systems if card.tied_first_ten >= _MANY_TIES]
    if not tied:
        return []
    told = [f"{percent(card.tied_first_ten)} % for {view.system(card.name)}" for card in tied]
    strong = "Ties decide some ranks."
    rest = f"Places among the first ten with the score of a neighbour, ordered by the collection: {clauses(told)}."
    return [Sentence(view.domain.name, "ties", strong, rest, only([view.system(card.name) for card in tied]))]


def without_gold(view: DomainView) -> list[Sentence]:
    """Queries that no figure of a tier counts."""
    missing = [tier for tier in view.domain.tiers if tier.without_gold]
    if not missing:
        return []
    told = [
        f"{count(tier.without_gold)} of {counted(tier.queries + tier.without_gold, 'query', 'queries')} "
        f"under “{view.tier(tier.name)}”"
        for tier in missing
    ]
    return [
        Sentence(
            view.domain.name, "without gold", "Some queries have no gold and are not counted.", clauses(told) + "."
        )
    ]
