"""Failures as the page reads them out: what was asked, what stands first, where gold stands."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from askance.report.domain_view import DomainView
from askance.report.numbers import count, counted, decimal, ordinal
from askance.report.texts import Piece, clean, cut_at, pieces, shorten
from askance.study.results import Failure, Shown

# How many failures of a system stand open, and how many more are folded away; the others are only counted.
OPEN, FOLDED = 4, 40
_LONGEST_TEXT, _LONGEST_ID = 700, 60


@dataclass(frozen=True)
class ShownDocument:
    """`where`: "first", "gold, 7th". `more`: how much of the text is not shown. `facts`: role, score, likeness."""

    where: str
    pieces: Sequence[Piece]
    more: str
    facts: Sequence[str]


@dataclass(frozen=True)
class ShownFailure:
    asked: str
    asked_more: str
    winner: ShownDocument
    gold: ShownDocument


@dataclass(frozen=True)
class FailureGroup:
    """All failures of one system; `shown` says how many there are, `omitted` how many are not on the page."""

    system: str
    shown: str
    first: Sequence[ShownFailure]
    rest: Sequence[ShownFailure]
    rest_label: str
    omitted: str


def failure_groups(view: DomainView) -> list[FailureGroup]:
    """One for each system that has any, in the order of systems."""
    named = dict.fromkeys([*view.systems, *(failure.system for failure in view.domain.failures)])
    return [_group(view, system, found) for system in named if (found := view.failures(system))]


def _group(view: DomainView, system: str, found: list[Failure]) -> FailureGroup:
    shown = [_failure(view, failure) for failure in found[: OPEN + FOLDED]]
    misses = next((t.misses for t in view.taxonomies if t.system == system), None)
    of = f" of {counted(misses, 'miss', 'misses')}" if misses is not None else ""
    omitted = len(found) - len(shown)
    return FailureGroup(
        system=view.system(system),
        shown=f"{count(len(found))}{of}",
        first=shown[:OPEN],
        rest=shown[OPEN:],
        rest_label=f"{count(len(shown) - OPEN)} more",
        omitted=f"{count(omitted)} more are in results.json." if omitted else "",
    )


def _failure(view: DomainView, failure: Failure) -> ShownFailure:
    asked, asked_more = cut_at(failure.query_text, _LONGEST_TEXT)
    winner, gold = failure.winner, failure.gold
    return ShownFailure(
        asked=asked,
        asked_more=asked_more,
        winner=_document(view, "first", winner, failure.query_text, gold.text),
        gold=_document(view, _where(gold), gold, failure.query_text, None),
    )


def _where(gold: Shown) -> str:
    return "gold, not found" if gold.rank is None else f"gold, {ordinal(gold.rank)}"


def _document(view: DomainView, where: str, shown: Shown, query: str, other: str | None) -> ShownDocument:
    text, more = cut_at(shown.text, _LONGEST_TEXT)
    facts = [shorten(shown.id, _LONGEST_ID)]
    if shown.role is not None:
        facts.insert(0, view.role(shown.role))
    if shown.score is not None:
        facts.append(f"score {decimal(shown.score, 3)}")
    facts.append(f"likeness {decimal(shown.likeness, 2)}")
    found = pieces(text, clean(query), clean(other) if other is not None else None)
    return ShownDocument(where, found or [Piece("(no text)")], more, facts)
