"""The bills of results.json as the report reads them: labels for names, and which classes are shown."""

from __future__ import annotations

from collections.abc import Iterator

from askance.core.estimate import Estimate
from askance.measure.bill import Bill, BillEntry
from askance.report.domain_view import DomainView
from askance.study.results import BillClass, BillRecord, EstimateIn

FEWEST_READ = 8
"""Queries that hold a word of a class, below which a chart leaves it out (and says so)."""


def main_bills(view: DomainView) -> list[Bill]:
    """Those of the main tier, one a set of decoys."""
    return [found for found in all_bills(view) if found.tier == view.main_tier]


def all_bills(view: DomainView) -> list[Bill]:
    """Every bill of the domain, in the order of results.json."""
    return [
        read_bill(view.domain.collection, one, view.tier(one.tier), view.decoys(one.decoys))
        for one in view.domain.bills or ()
    ]


def read_bill(collection: str, record: BillRecord, tier: str, decoys: str) -> Bill:
    """The record as what it was made from; `tier`, `decoys`: their labels."""
    entries = tuple(_entry(one) for one in record.classes)
    return Bill(collection, record.tier, tier, record.decoys, decoys, record.queries, entries)


def shown(bill: Bill) -> list[BillEntry]:
    """The classes that enough queries hold and that have a figure, from the strongest friend to the strongest enemy."""
    kept = [entry for entry in bill.entries if entry.read >= FEWEST_READ and entry.estimate.defined]
    return sorted(kept, key=lambda entry: -(entry.estimate.value or 0.0))


def not_shown(bill: Bill) -> Iterator[BillEntry]:
    """The others, in the order of the bill."""
    kept = {entry.tokens for entry in shown(bill)}
    return (entry for entry in bill.entries if entry.tokens not in kept)


def _entry(one: BillClass) -> BillEntry:
    return BillEntry(
        one.tokens, one.description, _estimate(one.estimate), one.read, one.verdict, one.prescription, one.learned
    )


def _estimate(one: EstimateIn) -> Estimate:
    return Estimate(one.value, one.low, one.high, one.n, one.method, dict(one.left_out))
