"""The bill per class of words on a page: one chart for all domains, and what it says of each in sentences."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from askance.measure.bill import Bill
from askance.report.bill_chart import bill_title, draw_bill, entry_label
from askance.report.bill_view import FEWEST_READ, not_shown
from askance.report.numbers import count, in_words, listed
from askance.report.parts import ChartPart, Said, drawn_twice
from askance.report.rules.bill import bill_sentences


@dataclass(frozen=True)
class BillPart:
    """The bill per class of words: one chart for all domains, and what it says of each."""

    chart: ChartPart
    sentences: Sequence[Said]


def bill_part(bills: Sequence[tuple[str, str, Sequence[Bill]]]) -> BillPart | None:
    """The chart of these bills and a sentence a verdict; None where there is none. A domain's name, title, bills."""
    drawn_bills = [(title, bill) for _, title, found in bills for bill in found]
    drawn = drawn_twice(lambda width: draw_bill(drawn_bills, width))
    if drawn is None:
        return None
    caption = (
        "How often gold agrees more with its query than a decoy does, one class of words at a time: left of ½ an "
        "enemy, right of it a friend, hollow undecided. Bars are 95 % intervals, not corrected for how many classes."
    )
    titles = {name: title for name, title, _ in bills}
    sentences = [one for name, _, found in bills if found for one in bill_sentences(name, found)]
    said = [Said(titles[one.domain or ""], "", one.strong, one.rest) for one in sentences]
    return BillPart(ChartPart("The bill per class of words", caption, drawn, list(_left_out(drawn_bills))), said)


def _left_out(bills: Sequence[tuple[str, Bill]]) -> Iterator[str]:
    """The classes that the chart does not draw, a line a domain and reason."""
    few: dict[str, dict[str, None]] = {}
    for title, bill in bills:
        for entry in not_shown(bill):
            held = entry.read < FEWEST_READ
            why = f"fewer than {in_words(FEWEST_READ)} queries hold one" if held else "no figure"
            label = f"{entry_label(entry)} ({count(entry.read)})" if held else entry_label(entry)
            few.setdefault(f"{bill_title(title, bill)}: not drawn, {why}", {})[label] = None
    for said, labels in few.items():
        yield f"{said}: {listed(list(labels))}."
