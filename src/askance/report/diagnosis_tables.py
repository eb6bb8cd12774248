"""A diagnosis as tables: the waterfall, for the terminal and the page, and plain rows for the other forms."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from askance.diagnose.causes import CAUSES, OUTRANKED
from askance.diagnose.diagnosis import Diagnosis
from askance.diagnose.waterfall import Step, Waterfall
from askance.report.diagnosis_sentences import conclusions, step_label
from askance.report.grid import Column, Grid, as_table
from askance.report.numbers import DASH, count, percent, percent_interval
from askance.report.tables import Cell, Row, Table
from askance.report.texts import clean, shorten
from askance.study.records import estimate_record

if TYPE_CHECKING:
    from rich.console import Console

_SIDE_BY_SIDE = 3  # systems in one table
_LONGEST = 100  # letters of a system's name, which takes several lines


def waterfall_tables(found: Diagnosis) -> list[Table]:
    """Causes by systems, each system's own lists first; every column adds up to all queries."""
    falls = list(found.waterfalls)
    reranked = {system.name for system in found.case.systems if system.before is not None}
    own = [fall for fall in falls if fall.system not in reranked]
    then = [fall for fall in falls if fall.system in reranked]
    blocks = [*_blocks(own), *_blocks(then)]
    return [_table(found, block, at) for at, block in enumerate(blocks)]


def waterfall_grid(found: Sequence[Diagnosis]) -> Grid:
    """One row a domain, system and cause."""
    columns = (
        *(Column(name) for name in ("domain", "system", "cause", "what it means")),
        *(Column(name, True) for name in ("queries", "share", "low", "high", "n")),
    )
    rows = [
        [
            one.case.name,
            fall.system,
            step.cause,
            step.label,
            str(step.queries),
            *(f"{value:.6g}" for value in (step.share.value, step.share.low, step.share.high) if value is not None),
            str(step.share.n),
        ]
        for one in found
        for fall in one.waterfalls
        for step in fall.steps
    ]
    return Grid("Where queries are lost", columns, rows)


def print_diagnosis(found: Sequence[Diagnosis], console: Console) -> None:
    """The waterfalls, then every conclusion in a sentence."""
    from rich.text import Text

    for one in found:
        for table in waterfall_tables(one):
            console.print(as_table(_grid(table)))
        for conclusion in conclusions(one):
            said = Text(clean(conclusion.strong), style="bold")
            said.append(clean(f" {conclusion.rest} {conclusion.remedy}".rstrip()), style="not bold")
            console.print(said)
        for note in one.case.notes:
            console.print(Text(clean(note), style="yellow"))
        console.print()


def _blocks(falls: Sequence[Waterfall]) -> Iterator[Sequence[Waterfall]]:
    for start in range(0, len(falls), _SIDE_BY_SIDE):
        yield falls[start : start + _SIDE_BY_SIDE]


def _table(found: Diagnosis, falls: Sequence[Waterfall], at: int) -> Table:
    steps: dict[str, Step] = {}
    for fall in falls:
        steps |= {step.cause: step for step in fall.steps if step.cause not in steps}
    order = [*(cause for cause in CAUSES if cause != OUTRANKED)]
    order += [f"{OUTRANKED} by {role.name}" for role in found.case.roles]
    rows = [Row(step_label(steps[cause]), [_cell(fall, cause) for fall in falls]) for cause in order if cause in steps]
    rows.append(Row("all", [Cell(count(fall.n)) for fall in falls], quiet=True))
    title = f"{shorten(found.case.title, 50)}: where {found.case.subset} end" + (" (go on)" if at else "")
    return Table(title, [shorten(fall.label, _LONGEST) for fall in falls], rows, head="cause")


def _cell(fall: Waterfall, cause: str) -> Cell:
    step = next((step for step in fall.steps if step.cause == cause), None)
    if step is None:
        return Cell(DASH)
    share = estimate_record(step.share)
    return Cell(f"{count(step.queries)} · {percent(share.value)} %", percent_interval(share))


def _grid(table: Table) -> Grid:
    columns = [Column(table.head), *(Column(name, True) for name in table.columns)]
    rows = [[row.label, *(f"{cell.value} {cell.interval}".rstrip() for cell in row.cells)] for row in table.rows]
    return Grid(table.title, columns, rows)
