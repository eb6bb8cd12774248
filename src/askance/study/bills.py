"""The bill of a domain, per class of words: for every tier, against each set of decoys, as records of results.json."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import lru_cache

from askance.data.collection import Collection, Decoys, Tier
from askance.measure.bill import BILL_CLASSES, Bill, BillEntry, bill
from askance.measure.bill_slots import slot_classes
from askance.measure.judged import Mask
from askance.study.records import estimate_record
from askance.study.results import BillClass, BillRecord
from askance.text.classes import TokenClass
from askance.views.rules import written
from askance.views.slots import Slots
from askance.views.templates import linked_share
from askance.views.words import segments

_KEPT = 20_000  # texts whose words are kept, per class: a bill for each tier and decoys reads the same ones
_TEMPLATED = 0.5  # share of segments that differ from another in one place; below, slots are not learned


def bills(
    collection: Collection,
    tiers: Sequence[Tier],
    decoys: Sequence[Decoys],
    fields: tuple[str, str],
    subset: tuple[str, Mask],
    seed: int,
) -> list[BillRecord]:
    """A bill for each of `tiers` against each of `decoys`, among the queries of `subset` (its name, its mask).

    `fields`: of queries and of documents, what is compared. Behind the classes that every bill lists come those that
    the documents' texts teach, where the texts are templated (see `learned_classes`). None where there are no decoys.
    """
    if not tiers or not decoys:
        return []  # nothing to hold gold against: no slots are learned for it
    learned = [_remembered(each) for each in learned_classes(collection.documents.field(fields[1]))]
    classes = [_remembered(each) for each in BILL_CLASSES]
    found = []
    for tier in tiers:
        for against in decoys:
            one = bill(
                collection,
                tier,
                against,
                classes=classes,
                learned=learned,
                query_field=fields[0],
                document_field=fields[1],
                mask=subset[1],
                seed=seed,
            )
            found.append(_record(one, subset[0], bool(learned)))
    return found


def learned_classes(texts: Sequence[str]) -> list[TokenClass]:
    """The classes of words that stand for each other in templated texts, and the words outside the open ones.

    None where people worded the texts: classes by neighbours are a guess until signs or a look confirm them. None of
    those by rule either but identifiers: numbers and names are on every bill.
    """
    distinct = sorted(set(texts))
    if linked_share(_lines(distinct)) < _TEMPLATED:
        return []
    slots = Slots.learn(distinct)
    if slots.method != "templates":
        return []
    by_rule = {each.name for each in slots.classes if each.rule in ("number", "name")}
    return [each for each in slot_classes(slots) if each.name not in by_rule]


def _lines(texts: Sequence[str]) -> Iterator[tuple[str, ...]]:
    """Their segments of two words and more; numbers and identifiers count as one word each, as for slots."""
    for text in texts:
        for segment in segments(text):
            if len(segment) > 1:
                yield tuple(written(word.term) or word.term for word in segment)


def _remembered(each: TokenClass) -> TokenClass:
    return replace(each, read=lru_cache(maxsize=_KEPT)(each.read))


def _record(found: Bill, subset: str, learned: bool) -> BillRecord:
    return BillRecord(
        tier=found.tier,
        subset=subset,
        decoys=found.decoys,
        queries=found.queries,
        slots="templates" if learned else "none",
        classes=[_class(entry) for entry in found.entries],
    )


def _class(entry: BillEntry) -> BillClass:
    return BillClass(
        tokens=entry.tokens,
        description=entry.description,
        learned=entry.learned,
        estimate=estimate_record(entry.estimate),
        read=entry.read,
        verdict=entry.verdict,
        prescription=entry.prescription,
    )
