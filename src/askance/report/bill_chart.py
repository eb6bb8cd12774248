"""Which words speak for gold, and which against it? Points around one half, a group per domain, a row per class."""

from __future__ import annotations

from collections.abc import Sequence

from askance.measure.bill import Bill, BillEntry, Verdict
from askance.report.bill_view import shown
from askance.report.charts.dots import DotAxis, DotGroup, DotRow, draw_dots
from askance.report.charts.drawing import Drawing
from askance.report.domain_view import tokens_label
from askance.report.numbers import DASH, probability, probability_interval, span_of_n
from askance.report.readings import SIGNS, Reading
from askance.report.texts import isolated, one_line, shorten
from askance.study.records import estimate_record

_AXIS = DotAxis(0, 1, 0.5, ((0, "0"), (0.5, "½"), (1, "1")), ("← enemy: abstract it", "friend: anchor on it →"))
_LONGEST = 60
_LONGEST_MEMBERS = 26  # letters of the members of a class, where it is called by them

VERDICT_READINGS: dict[Verdict, Reading] = {
    "friend": SIGNS["positive"],
    "enemy": SIGNS["negative"],
    "undecided": SIGNS["undecided"],
}
"""What a verdict of the bill is called, with the mark that says it without colour."""


def draw_bill(bills: Sequence[tuple[str, Bill]], width: float) -> Drawing | None:
    """One chart for several domains; None where no bill has a class to show. `bills`: a domain's title, and its bill.

    A group has its classes from the strongest friend to the strongest enemy; those that few queries hold are left out.
    """
    groups = [
        DotGroup(_heading(title, bill, entries), [_row(each) for each in entries])
        for title, bill in bills
        if (entries := shown(bill))
    ]
    return draw_dots(groups, _AXIS, width, "How often gold agrees more with its query than a decoy, by class of words")


def bill_title(title: str, bill: Bill) -> str:
    """What a domain is called above its bill: its title, else the collection's name."""
    return _named(title) or _named(bill.collection) or "unnamed domain"


def entry_label(entry: BillEntry) -> str:
    """A class in the reader's words; one that a collection taught is called by its first members."""
    return _members(entry.description) if entry.learned else tokens_label(entry.tokens)


def _members(description: str) -> str:
    """As many of the members that a description lists as a label has room for, not one of them cut."""
    named = _named(description)
    members = named.removesuffix(" …").split(", ")
    shown = [member for at, member in enumerate(members) if len(", ".join(members[: at + 1])) <= _LONGEST_MEMBERS]
    if len(members) == 1 or not shown:
        return named
    return ", ".join(shown) + (" …" if len(shown) < len(members) or named.endswith(" …") else "")


def _heading(title: str, bill: Bill, entries: Sequence[BillEntry]) -> str:
    n = span_of_n(entry.estimate.n for entry in entries)
    return f"{bill_title(title, bill)}, against {_named(bill.decoys_label)}; {n}"


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
        note=entry.verdict if text != DASH else "undefined",
        interval=f"{probability_interval(estimate_record(entry.estimate))}, n = {entry.estimate.n}",
        css="ink",
        hollow=entry.verdict == "undecided",
    )
