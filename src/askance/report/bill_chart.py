"""Which words speak for gold, and which against it? Points around one half, a group per domain, a row per class."""

from __future__ import annotations

from collections.abc import Sequence

from askance.measure.bill import Bill, BillEntry, Verdict
from askance.report.charts.dots import DotAxis, DotGroup, DotRow, draw_dots
from askance.report.charts.drawing import Drawing
from askance.report.domain_view import tokens_label
from askance.report.numbers import DASH, probability, probability_interval
from askance.report.readings import SIGNS, Reading
from askance.report.texts import isolated, one_line, shorten
from askance.study.records import estimate_record

_AXIS = DotAxis(0, 1, 0.5, ((0, "0"), (0.5, "½"), (1, "1")), ("← enemy: abstract it", "friend: anchor on it →"))
_LONGEST = 60

VERDICT_READINGS: dict[Verdict, Reading] = {
    "friend": SIGNS["positive"],
    "enemy": SIGNS["negative"],
    "undecided": SIGNS["undecided"],
}
"""What a verdict of the bill is called, with the mark that says it without colour."""


def draw_bill(bills: Sequence[tuple[str, Bill]], width: float) -> Drawing | None:
    """One chart for several domains; None where no bill has a class. `bills`: a domain's title, and its bill."""
    groups = [
        DotGroup(
            f"{bill_title(title, bill)}, against {_named(bill.decoys_label)}", [_row(each) for each in bill.entries]
        )
        for title, bill in bills
        if bill.entries
    ]
    return draw_dots(groups, _AXIS, width, "How often gold agrees more with its query than a decoy, by class of words")


def bill_title(title: str, bill: Bill) -> str:
    """What a domain is called above its bill: its title, else the collection's name."""
    return _named(title) or _named(bill.collection) or "unnamed domain"


def entry_label(entry: BillEntry) -> str:
    """A class in the reader's words; one that a collection taught is called by its members."""
    return _named(entry.description) if entry.learned else tokens_label(entry.tokens)


def _named(text: str) -> str:
    return isolated(shorten(one_line(text), _LONGEST))


def _row(entry: BillEntry) -> DotRow:
    text = probability(entry.estimate.value)
    return DotRow(
        label=entry_label(entry),
        value=None if text == DASH else entry.estimate.value,
        low=entry.estimate.low,
        high=entry.estimate.high,
        text=text,
        note=_note(entry, text),
        interval=probability_interval(estimate_record(entry.estimate)),
        css="ink",
        hollow=entry.verdict == "undecided",
    )


def _note(entry: BillEntry, text: str) -> str:
    if text == DASH:
        return "undefined"
    return "no query has one" if entry.read == 0 else entry.verdict
