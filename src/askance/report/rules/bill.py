"""Which classes of words to anchor on, which to abstract away, which to leave: a sentence each, with the figures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from askance.measure.bill import Bill, BillEntry, Verdict
from askance.report.bill_chart import entry_label
from askance.report.bill_view import shown
from askance.report.numbers import probability_with_interval, span_of_n
from askance.report.rules.sentence import MOST_NAMED, Sentence, clauses, names
from askance.study.records import estimate_record

_STRONG: Mapping[Verdict, tuple[str, str]] = {
    "friend": ("Friends, to anchor on", "Friends against some decoys only, to anchor on there"),
    "enemy": ("Enemies, to abstract away", "Enemies against some decoys only, to abstract away there"),
    "undecided": ("Undecided, to leave as they are", "Undecided against some decoys only"),
}


def bill_sentences(domain: str, bills: Sequence[Bill]) -> list[Sentence]:
    """Up to three sentences on the bills of one domain under one gold; classes that few queries hold are left out."""
    return [found for verdict in _STRONG if (found := _sentence(domain, bills, verdict)) is not None]


def _sentence(domain: str, bills: Sequence[Bill], verdict: Verdict) -> Sentence | None:
    mine = {bill.decoys: [entry for entry in shown(bill) if entry.verdict == verdict] for bill in bills}
    parts = [_told(bill, mine[bill.decoys], verdict) for bill in bills if mine[bill.decoys]]
    if not parts:
        return None
    always = set.intersection(*({entry.tokens for entry in found} for found in mine.values()))
    everywhere, sometimes = _STRONG[verdict]
    first = [entry for entry in _strongest(mine[bills[0].decoys], verdict) if entry.tokens in always]
    strong = f"{everywhere}: {names([entry_label(entry) for entry in first])}." if first else f"{sometimes}."
    rest = clauses(parts)
    return Sentence(domain, "bill", strong, f"{rest[:1].upper()}{rest[1:]}.", decided=verdict != "undecided")


def _strongest(entries: Sequence[BillEntry], verdict: Verdict) -> list[BillEntry]:
    """The farthest from ½ first; of what is undecided, the order of the chart."""
    return list(entries) if verdict == "undecided" else sorted(entries, key=lambda entry: -entry.distance)


def _told(bill: Bill, entries: Sequence[BillEntry], verdict: Verdict) -> str:
    told = [
        f"{names([entry_label(entry)])} {probability_with_interval(estimate_record(entry.estimate))}"
        for entry in _strongest(entries, verdict)[:MOST_NAMED]
    ]
    more = len(entries) - MOST_NAMED
    said = ", ".join([*told, *([f"{more} more in the chart"] if more > 0 else [])])
    return f"against “{bill.decoys_label}” ({span_of_n(entry.estimate.n for entry in entries)}): {said}"
