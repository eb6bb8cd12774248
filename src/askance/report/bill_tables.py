"""The bill per class of words for a terminal, one table for machines, and what it prescribes."""

from __future__ import annotations

from collections.abc import Sequence

from askance.measure.bill import Bill, BillEntry
from askance.report.bill_chart import VERDICT_READINGS, bill_title, entry_label
from askance.report.figures import number
from askance.report.grid import Column, Grid
from askance.report.numbers import DASH, count, listed, probability, probability_interval, reason
from askance.report.tables import Cell, Row, Table, left_out
from askance.report.texts import one_line
from askance.study.records import estimate_record


def bill_grid(bill: Bill, title: str = "") -> Grid:
    """One bill: what each class is worth, and what to do with it."""
    columns = (
        Column("words"),
        Column("agrees", True, True),
        Column("interval", True, True),
        Column("n", True, True),
        Column("asked", True, True),
        Column("verdict", whole=True),
        Column("so", whole=True),
    )
    missing = "".join(f"; {what}" for what in _left_out(bill))
    said = (
        f"{bill_title(title, bill)}: gold is “{bill.tier_label}”, against “{bill.decoys_label}”; "
        f"agrees: how often gold agrees more, ½ is neither; asked: queries that hold one{missing}"
    )
    return Grid(said, columns, [_row(entry) for entry in bill.entries])


def bill_lines(bill: Bill) -> list[str]:
    """What the bill comes to, in sentences."""
    anchors = [_in_a_sentence(entry) for entry in bill.prescribed("anchor")]
    enemies = [_in_a_sentence(entry) for entry in bill.prescribed("abstract")]
    against = f"“{bill.decoys_label}”"
    lines = []
    if anchors:
        lines.append(f"Anchor on {listed(anchors)}: there gold agrees more with its query than {against}.")
    if enemies:
        lines.append(f"Abstract {listed(enemies)}: there gold agrees less with its query than {against}.")
    if not lines:
        lines.append(f"No class tells gold from {against}: nothing to anchor on, nothing to abstract.")
    return lines


def bill_figures_grid(bills: Sequence[Bill]) -> Grid:
    """The same as one table for machines: a class a row, fractions, interval and n in columns of their own."""
    columns = (
        Column("collection"),
        Column("tier"),
        Column("against"),
        Column("words"),
        Column("value", True),
        Column("low", True),
        Column("high", True),
        Column("n", True),
        Column("asked", True),
        Column("verdict"),
        Column("prescription"),
    )
    return Grid(
        "The bill per class of words", columns, [_figures(bill, entry) for bill in bills for entry in bill.entries]
    )


def bill_table(bills: Sequence[Bill]) -> Table:
    """For a page: every class of every bill of one domain, a tier a block."""
    rows = [Row(one_line(bill.tier_label), _page_cells(bill, entry)) for bill in bills for entry in bill.entries]
    columns = ["gold against", "words", "queries that hold one", "n", "gold agrees more", "so"]
    return Table("The bill per class of words", columns, rows, "gold", 2)


def _page_cells(bill: Bill, entry: BillEntry) -> list[Cell]:
    estimate, reading = estimate_record(entry.estimate), VERDICT_READINGS[entry.verdict]
    value = probability(estimate.value)
    meaning = f"{reading.word}: {entry.prescription}"
    figure = (
        Cell(DASH, meaning=f"undefined: {reason(estimate)}")
        if value == DASH
        else Cell(value, probability_interval(estimate), reading.mark, meaning, entry.verdict)
    )
    return [
        Cell(bill.decoys_label),
        Cell(entry_label(entry)),
        Cell(count(entry.read)),
        Cell(count(estimate.n)),
        figure,
        Cell(entry.prescription),
    ]


def _row(entry: BillEntry) -> list[str]:
    estimate, reading = entry.estimate, VERDICT_READINGS[entry.verdict]
    return [
        entry_label(entry),
        probability(estimate.value),
        probability_interval(estimate_record(estimate)),
        count(estimate.n),
        count(entry.read),
        f"{reading.mark} {reading.word}",
        entry.prescription,
    ]


def _figures(bill: Bill, entry: BillEntry) -> list[str]:
    estimate = entry.estimate
    figures = [number(estimate.value), number(estimate.low), number(estimate.high), str(estimate.n), str(entry.read)]
    return [bill.collection, bill.tier, bill.decoys, entry.tokens, *figures, entry.verdict, entry.prescription]


def _in_a_sentence(entry: BillEntry) -> str:
    """A class that is called by its members would run into its neighbours."""
    return f"“{entry_label(entry)}”" if entry.learned else entry_label(entry)


def _left_out(bill: Bill) -> list[str]:
    """Which queries no class has a figure for; the same ones for all."""
    return left_out(estimate_record(bill.entries[0].estimate)) if bill.entries else []
