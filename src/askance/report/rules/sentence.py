"""A conclusion in plain words, and how its parts are joined."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from askance.report.domain_view import DomainView
from askance.report.numbers import listed, span_of_n
from askance.study.results import EstimateIn

MOST_NAMED = 3


@dataclass(frozen=True)
class Sentence:
    """`strong`: what was found; `rest`: the figures that carry it, each with its interval and n.

    `domain`: name of the domain it speaks of, None: of all. `rule`: which rule said it. `system`: label of the one
    system it is about, if it is one. `decided`: False where the finding is that the figures do not tell. `lead`: among
    the few that open a page.
    """

    domain: str | None
    rule: str
    strong: str
    rest: str
    system: str | None = None
    decided: bool = True
    lead: bool = False

    @property
    def text(self) -> str:
        return f"{self.strong} {self.rest}".strip()


Rule = Callable[[DomainView], list[Sentence]]


def clauses(parts: Sequence[str], mark: str = "; ") -> str:
    """The first few of many, and how many more there are."""
    more = len(parts) - MOST_NAMED
    return mark.join([*parts[:MOST_NAMED], *([f"{more} more in the tables"] if more > 0 else [])])


def names(labels: Sequence[str]) -> str:
    """ "A", "A and B", "A, B and C", "A, B, C and 7 more"; a label with a comma of its own in quotes."""
    told = [f"“{label}”" if "," in label or " and " in label else label for label in labels[:MOST_NAMED]]
    more = len(labels) - MOST_NAMED
    return listed([*told, f"{more} more"] if more > 0 else told)


def few(things: Iterable[str]) -> str:
    """The same thing once; else the first few, in the order of the systems they belong to."""
    told = list(things)
    if len(set(told)) == 1:
        return told[0]
    return listed([*told[:MOST_NAMED], *(["others"] if len(told) > MOST_NAMED else [])])


def sizes(estimates: Iterable[EstimateIn]) -> str:
    """ "n = 118", "n = 96 to 118"."""
    return span_of_n(estimate.n for estimate in estimates)


def verb(labels: Sequence[str], one: str, many: str) -> str:
    return one if len(labels) == 1 else many


def only(labels: Sequence[str]) -> str | None:
    """The one system a sentence is about."""
    return labels[0] if len(labels) == 1 else None
