"""The tables of a study for a terminal of 80 to 100 columns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from rich import box
from rich.cells import cell_len
from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.table import Table as RichTable
from rich.text import Text

from askance.report.readings import VERDICTS
from askance.report.tables import Cell, Table, main_table, preference_table
from askance.report.texts import clean, shorten

if TYPE_CHECKING:
    from askance.report.domain_view import DomainView
    from askance.report.sentences import Sentence
    from askance.study.results import Results

# Green: for the system or for wording; red: against; yellow: undecided. The marks and words say the same.
_COLOURS = {
    "above": "green",
    "below": "red",
    "at": "yellow",
    "positive": "green",
    "negative": "red",
    "incidental": "green",
    "adversarial": "red",
    "undecided": "yellow",
    "no room": "dim",
}
_LONGEST_LABEL, _LONGEST_COLUMN, _NARROWEST_LABEL = 80, 12, 14


def tables(results: Results) -> list[RenderableType]:
    """What became of the gates, one table a domain, the lexical preferences, and the sentences that open the page."""
    # whoever prints another table than a study's does without these
    from askance.report.domain_view import DomainView
    from askance.report.gate_lines import gate_lines
    from askance.report.sentences import conclusions

    views = [DomainView(domain) for domain in results.domains]
    gates = [Text(clean(line.text), style="bold red" if line.failed else "dim") for line in gate_lines(results)]
    found: list[RenderableType] = [Group(*gates)] if gates else []
    found += [_domain(view) for view in views]
    preferences = preference_table(views, name_domains=True)
    if preferences.rows:
        found.append(_preferences(preferences))
    leads = [sentence for sentence in conclusions(results) if sentence.lead]
    if leads:
        found.append(_sentences(leads, {view.domain.name: view.title for view in views}))
    return found


def print_results(results: Results, console: Console) -> None:
    """All tables, a blank line after each."""
    for part in tables(results):
        console.print(part)
        console.print()


def _domain(view: DomainView) -> RenderableType:
    table = main_table(view)
    heading = Text.assemble((shorten(view.title, 60), "bold"), "  ", (table.title, "dim"))
    source = Text(f"{view.domain.documents:,} documents: {shorten(clean(view.domain.origin), 200)}", style="dim")
    if not table.rows:
        return Group(heading, source, Text("nothing was measured here", style="dim"))
    key = Text("in percent, 95 % interval beneath; ", style="dim")
    for place, (name, reading) in enumerate(VERDICTS.items()):
        key.append(", " if place else "")
        key.append(reading.mark, style=_COLOURS[name])
        key.append(f" {reading.meaning}")
    if "gap closed" in table.columns:
        key.append("; gap: ▲ wording a friend, ○ undecided, ▼ an enemy")
    if "cut" in table.columns:
        key.append("; cut: documents the model did not read to the end")
    notes = [Text(clean(note), style="dim") for note in table.notes]
    return Group(heading, source, FittedTable(table), key, *notes)


class FittedTable:
    """A table of figures in as many parts as the width asks for, so that no column is cut off."""

    def __init__(self, table: Table) -> None:
        self.table = table

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        widths = [_width(self.table, at) for at in range(len(self.table.columns))]
        start = 0
        while start < len(widths):
            end = start + 1
            while end < len(widths) and _NARROWEST_LABEL + sum(widths[start : end + 1]) <= options.max_width:
                end += 1
            yield _figures(_part(self.table, slice(start, end)))
            start = end


def _width(table: Table, column: int) -> int:
    """What a column needs, the space before it included."""
    cells = [row.cells[column] for row in table.rows]
    texts = [
        shorten(table.columns[column], _LONGEST_COLUMN),
        *(c.interval for c in cells),
        *(f"{c.value} ○" for c in cells),
    ]
    return max(map(cell_len, texts)) + 2


def _part(table: Table, columns: slice) -> Table:
    """Some of the columns; rows that hold nothing there are left out."""
    rows = [replace(row, cells=row.cells[columns]) for row in table.rows]
    filled = [row for row in rows if any(cell.value for cell in row.cells)]
    return replace(table, columns=table.columns[columns], rows=filled)


def _figures(table: Table) -> RichTable:
    rich = _plain()
    rich.add_column("", overflow="fold", min_width=_NARROWEST_LABEL)
    for column in table.columns:
        rich.add_column(Text(shorten(column, _LONGEST_COLUMN)), justify="right", no_wrap=True)
    for row in table.rows:
        label = Text("  " * row.level + shorten(row.label, _LONGEST_LABEL), style="dim" if row.quiet else "")
        rich.add_row(label, *(_cell(cell, "\n") for cell in row.cells))
    return rich


def _preferences(table: Table) -> RenderableType:
    """Domain and decoys are named where they change."""
    rich = _plain()
    rich.add_column("gold against", overflow="fold", min_width=16)
    rich.add_column("words", overflow="fold")
    rich.add_column("n", justify="right", no_wrap=True)
    rich.add_column("gold reads closer", no_wrap=True)
    rich.add_column("wording is", no_wrap=True)
    before = ""
    for row in table.rows:
        decoys, words, n, closer, reading = row.cells
        label = f"{shorten(row.label, _LONGEST_LABEL)}: {shorten(decoys.value, _LONGEST_LABEL)}"
        shown = Text(label if label != before else "")
        style = _COLOURS.get(reading.verdict, "")
        rich.add_row(
            shown, Text(clean(words.value)), Text(n.value), _cell(closer, " "), Text(reading.value, style=style)
        )
        before = label
    heading = Text.assemble(
        ("Is wording a friend or an enemy?", "bold"), "  ", ("lexical preference, ½ is neither", "dim")
    )
    return Group(heading, rich)


def _sentences(leads: Sequence[Sentence], titles: dict[str, str]) -> RenderableType:
    grid = RichTable.grid(padding=(0, 1, 0, 0))
    grid.add_column(no_wrap=True)
    grid.add_column()
    for sentence in leads:
        where = titles.get(sentence.domain or "")
        text = Text.assemble(
            (f"{shorten(where, _LONGEST_LABEL)}: " if where else "", "dim"),
            (clean(sentence.strong), "bold"),
            " ",
            clean(sentence.rest),
        )
        grid.add_row("•", text)
    return Group(Text("What was found", style="bold"), grid)


def _plain() -> RichTable:
    """Rules between head and rows only."""
    style = "dim"
    return RichTable(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False, collapse_padding=True, header_style=style)


def _cell(cell: Cell, between: str) -> Text:
    """Value and mark, the interval dim beneath or beside; the place of the mark is kept where there is none."""
    text = Text(clean(cell.value))
    if cell.value:
        text.append(f" {cell.mark or ' '}", style=_COLOURS.get(cell.verdict, "dim"))
    if cell.interval:
        text.append(f"{between}{cell.interval}", style="dim")
    return text
