"""The bill: which classes of words speak for gold in a collection, which against it, and what to do with each.

Per class, how often gold agrees more with its query than a decoy of a named role does: the lexical preference of
measure.sign, one class at a time. A friend is a class to anchor on (a signature that has to agree), an enemy one to
abstract away (its words replaced by the name of their slot), what is undecided is left as it is. One collection may
have both: where a near miss keeps every word but a number, the words are enemies and the numbers are friends.

Every class is decided at its own 95 % interval, not corrected for how many classes there are.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from askance.core.errors import DataProblem
from askance.core.estimate import Estimate
from askance.data.collection import Collection, Decoys, Tier
from askance.measure.closeness import Compared
from askance.measure.judged import Mask
from askance.measure.sign import MOST_DECOYS, Reading, preference
from askance.text.classes import CLASSES, TokenClass
from askance.text.likeness import Overlap
from askance.text.signature_classes import SIGNATURE_CLASSES

Verdict = Literal["friend", "enemy", "undecided"]
Prescription = Literal["anchor", "abstract", "leave"]

BILL_CLASSES: Sequence[TokenClass] = (
    *(SIGNATURE_CLASSES[name] for name in ("numbers", "negations", "quantifiers", "relations", "units", "names")),
    *(CLASSES[name] for name in ("function", "content", "verbs")),
)
"""What a bill lists unless told; the open classes that a collection has are its own, and come behind these."""

_VERDICTS: dict[Reading, Verdict] = {"incidental": "friend", "adversarial": "enemy", "undecided": "undecided"}
_PRESCRIPTIONS: dict[Verdict, Prescription] = {"friend": "anchor", "enemy": "abstract", "undecided": "leave"}


@dataclass(frozen=True, slots=True)
class BillEntry:
    """One class on the bill.

    `estimate`: the probability that gold agrees more with its query in this class than a decoy does, a tie counting ½;
    `read`: how many of the queries hold a word of the class. `verdict`: "friend" where the interval lies above ½,
    "enemy" below; `prescription`: what follows from it. `learned`: the class is the collection's own.
    """

    tokens: str
    description: str
    estimate: Estimate
    read: int
    verdict: Verdict
    prescription: Prescription
    learned: bool = False

    @property
    def distance(self) -> float:
        """How far the figure lies from ½, 0 to ½; 0 where there is none."""
        return 0.0 if self.estimate.value is None else abs(self.estimate.value - 0.5)

    def record(self) -> dict[str, object]:
        """The machine form."""
        return {
            "tokens": self.tokens,
            "description": self.description,
            "estimate": self.estimate.record(),
            "read": self.read,
            "verdict": self.verdict,
            "prescription": self.prescription,
            "learned": self.learned,
        }


@dataclass(frozen=True, slots=True)
class Bill:
    """What each class of words is worth in a collection, under one gold, against one set of decoys.

    `queries`: how many were looked at, with or without gold.
    """

    collection: str
    tier: str
    tier_label: str
    decoys: str
    decoys_label: str
    queries: int
    entries: tuple[BillEntry, ...]

    def prescribed(self, prescription: Prescription) -> tuple[BillEntry, ...]:
        """The classes with this prescription, the farthest from ½ first; equals in the order of the bill."""
        found = [entry for entry in self.entries if entry.prescription == prescription]
        return tuple(sorted(found, key=lambda entry: -entry.distance))

    @property
    def anchors(self) -> tuple[str, ...]:
        """Friends by name, the strongest first."""
        return tuple(entry.tokens for entry in self.prescribed("anchor"))

    @property
    def abstracted(self) -> tuple[str, ...]:
        """Enemies by name, the strongest first."""
        return tuple(entry.tokens for entry in self.prescribed("abstract"))

    def record(self) -> dict[str, object]:
        """The machine form."""
        return {
            "collection": self.collection,
            "tier": self.tier,
            "decoys": self.decoys,
            "queries": self.queries,
            "classes": [entry.record() for entry in self.entries],
        }


def bill(
    collection: Collection,
    tier: Tier,
    decoys: Decoys,
    *,
    classes: Sequence[TokenClass] = BILL_CLASSES,
    learned: Sequence[TokenClass] = (),
    query_field: str = "text",
    document_field: str | None = None,
    mask: Mask | None = None,
    seed: int = 0,
    most_decoys: int = MOST_DECOYS,
) -> Bill:
    """The bill of a tier's gold against `decoys`, among the queries of `mask` [queries] (None: all).

    `classes`: what to list, in order; `learned`: behind them, classes that the collection taught (see
    measure.bill_slots). DataProblem where two have one name. `document_field`: what is held against the query, the
    collection's own choice unless told. UnknownName on a field or role that is not there. For `seed` and `most_decoys`
    see measure.sign.preference: where the decoys are everything else, that many are drawn.
    """
    listed = (*classes, *learned)
    names = [each.name for each in listed]
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise DataProblem(f"two classes of a bill are called {twice[0]!r}", remedy="Give each its own name.")
    asked = collection.queries.field(query_field)
    texts = (asked, collection.documents.field(document_field or collection.compared))
    looked_at = [text for at, text in enumerate(asked) if mask is None or mask[at]]

    def entry(each: TokenClass, own: bool) -> BillEntry:
        compared = Compared(Overlap(each.read), *texts)
        found = preference(
            tier,
            collection.roles,
            compared,
            decoys,
            seed,
            excluded=collection.excluded,
            mask=mask,
            most_decoys=most_decoys,
        )
        verdict = _VERDICTS[found.reading]
        read = sum(bool(each.read(text)) for text in looked_at)
        prescription = _PRESCRIPTIONS[verdict]
        return BillEntry(each.name, each.description, found.estimate, read, verdict, prescription, own)

    return Bill(
        collection=collection.name,
        tier=tier.name,
        tier_label=tier.label or tier.name,
        decoys=decoys.name,
        decoys_label=decoys.label or decoys.name,
        queries=len(looked_at),
        entries=tuple(entry(each, at >= len(classes)) for at, each in enumerate(listed)),
    )
