"""What was found: findings, the questions foretold to fail, and the two together."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

Kind = Literal[
    "item in item",
    "item in name",
    "other relation",
    "ambiguous item",
    "across a boundary",
    "template words",
    "outside the schema",
    "no item",
    "wordless item",
    "not in the text",
    "near-duplicate items",
    "near-duplicate documents",
    "long item",
]
Harm = Literal["hidden", "unfindable", "outranked", "none"]

KINDS: Mapping[Kind, str] = {
    "item in item": "a longer item holds the phrase",
    "item in name": "somebody is called that",
    "other relation": "the item is there, in another relation than the one asked for",
    "ambiguous item": "another item has the same words",
    "across a boundary": "the phrase runs from one item into the next",
    "template words": "the words between the items are the phrase",
    "outside the schema": "a document that the schema does not split holds the phrase",
    "no item": "nothing that the question asks for is an item of any document",
    "wordless item": "the item has no words, so no phrase finds it",
    "not in the text": "a document holds the item, and its text does not say so",
    "near-duplicate items": "two items that differ in spelling only",
    "near-duplicate documents": "documents with the same items or the same words",
    "long item": "longer than what engines keep as one value",
}
"""The kinds, and what each means."""

HARMS: tuple[Harm, ...] = ("hidden", "unfindable", "outranked", "none")
"""From worst to none."""


@dataclass(frozen=True)
class Asked:
    """What a question asks for: an item as the question writes it, and the relation where the question names one.

    `query` None: nobody asks, the item is one of the dictionary. `text` "": nothing was found to ask for.
    """

    query: str | None
    text: str
    relation: str | None = None


@dataclass(frozen=True)
class Foretold:
    """A question whose phrase search will not put all its answers first.

    `answers`: documents that hold the item. `first`, `last`: places (from 1) of the first and last answer among all
    documents that hold the phrase; None where there is none.
    """

    query: str | None
    text: str
    answers: int
    first: int | None
    last: int | None
    harm: Harm


@dataclass(frozen=True)
class Finding:
    """One cause. `text`: the item asked for; `inside`: what holds its words besides, as written; "" for nothing.

    `queries`: the questions foretold to fail because of it. `documents`: how many hold it; `before`: how many of them
    stand before the last answer; `example`: the first of these, by identifier. `last`: at which place the last answer
    stands. `harm`: "hidden": beyond the places that are looked at; "outranked": behind other documents; "unfindable":
    nowhere; "none": nothing is displaced. `why`: more, for kinds that need it.
    """

    kind: Kind
    text: str
    inside: str = ""
    queries: tuple[str, ...] = ()
    documents: int = 0
    before: int = 0
    example: str = ""
    last: int | None = None
    harm: Harm = "none"
    why: str = ""

    def record(self) -> dict[str, object]:
        """As JSON."""
        return {
            "kind": self.kind,
            "text": self.text,
            "inside": self.inside,
            "queries": list(self.queries),
            "harm": self.harm,
            "documents": self.documents,
            "before": self.before,
            "example": self.example,
            "last": self.last,
            "why": self.why,
        }


@dataclass(frozen=True)
class LintFound:
    """All findings, harmful ones first, and the questions that fail.

    `asked`: how many questions (or items, where nobody asks) were looked at; `by_item`: whether it was items.
    `questions`: worst first; a question that asks for several items may stand there several times. `cut`: how many
    places are looked at. `outside`: documents that the schema does not split, by reason.
    """

    name: str
    documents: int
    items: int
    asked: int
    by_item: bool
    cut: int
    findings: tuple[Finding, ...]
    questions: tuple[Foretold, ...]
    outside: Mapping[str, int] = field(default_factory=dict)

    @property
    def harmful(self) -> tuple[Finding, ...]:
        """The findings that displace an answer."""
        return tuple(finding for finding in self.findings if finding.harm != "none")

    def failing(self, harm: Harm | None = None) -> int:
        """How many questions (or items) fail, each once, with its worst harm; `harm`: of these those with this one."""
        worst: dict[str, Harm] = {}
        for one in self.questions:  # worst first
            worst.setdefault(one.text if one.query is None else one.query, one.harm)
        return sum(harm is None or each == harm for each in worst.values())

    def record(self, *, every: bool = False) -> dict[str, object]:
        """As JSON; `every`: harmless findings as well, which are counted otherwise."""
        shown = self.findings if every else self.harmful
        return {
            "schema": "askance/lint/1",
            "collection": self.name,
            "documents": self.documents,
            "items": self.items,
            "asked": self.asked,
            "asked_are": "items" if self.by_item else "queries",
            "cut": self.cut,
            "failing": self.failing(),
            "findings": [finding.record() for finding in shown],
            "harmless": len(self.findings) - len(self.harmful),
            "questions": [
                {
                    "query": one.query,
                    "text": one.text,
                    "answers": one.answers,
                    "first": one.first,
                    "last": one.last,
                    "harm": one.harm,
                }
                for one in self.questions
            ],
            "outside": dict(self.outside),
        }
