"""What `askance evaluate` found: a table for the terminal, and plain rows for the other forms."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from askance.core.estimate import Estimate
from askance.measure.chance import Chance
from askance.measure.evaluation import EvaluatedRun, Evaluation
from askance.report.grid import Column, Grid
from askance.report.numbers import DASH, decimal
from askance.report.readings import VERDICTS
from askance.report.tables import Cell, Row, Table

if TYPE_CHECKING:
    from rich.console import Console

_COLUMNS = (
    Column("run"),
    Column("measure"),
    Column("value", True),
    Column("low", True),
    Column("high", True),
    Column("n", True),
    Column("chance", True),
    Column("p", True),
    Column("verdict"),
    Column("missing", True),
    Column("unjudged", True),
    Column("excluded", True),
)


def evaluation_grid(found: Evaluation) -> Grid:
    """One row a run and measure."""
    rows = [
        [run.name, name, *_figures(estimate), *_chance(run.chance[name]), *_counts(run)]
        for run in found.runs
        for name, estimate in run.measures.items()
    ]
    return Grid(f"ties: {found.ties}", _COLUMNS, rows)


def per_query_grid(found: Evaluation) -> Grid:
    """One row a run, query and measure."""
    columns = (Column("run"), Column("query"), Column("measure"), Column("value", True))
    rows = [
        [run.name, query, measure, repr(value)]
        for run in found.runs
        for measure, values in run.per_query().items()
        for query, value in values.items()
    ]
    return Grid(f"ties: {found.ties}", columns, rows)


def print_evaluation(found: Evaluation, console: Console) -> None:
    """The table: a row a run, a column a measure, intervals beneath; then what was odd."""
    from rich.text import Text

    from askance.report.terminal import FittedTable

    console.print(FittedTable(_table(found)))
    for line in _notes(found):
        console.print(Text(line, style="dim"))
    for said in _problems(found):
        console.print(Text(said, style="yellow"))


def _table(found: Evaluation) -> Table:
    rows = [
        Row(run.name, [_cell(run.measures[name], run.chance[name]) for name in found.measures]) for run in found.runs
    ]
    chances = [_one_chance(found, name) for name in found.measures]
    if any(chances):
        rows.append(Row("chance", [Cell(value) for value in chances], quiet=True))
    return Table("evaluate", list(found.measures), rows)


def _cell(estimate: Estimate, chance: Chance) -> Cell:
    if estimate.value is None:
        return Cell(DASH)
    interval = f"{decimal(estimate.low, 3)}–{decimal(estimate.high, 3)}"
    reading = VERDICTS[chance.verdict] if chance.verdict else None
    return Cell(
        decimal(estimate.value, 4),
        interval,
        reading.mark if reading else "",
        reading.meaning if reading else "",
        chance.verdict or "",
    )


def _one_chance(found: Evaluation, name: str) -> str:
    """Chance of a measure, where it is the same for all runs to the digits shown."""
    said = {_small(run.chance[name].expected) for run in found.runs}
    return said.pop() if len(said) == 1 else ""


def _small(expected: float | None) -> str:
    if expected is None:
        return ""
    return "<0.0001" if 0 < expected < 0.00005 else decimal(expected, 4)


def _notes(found: Evaluation) -> Iterator[str]:
    sizes = {estimate.n for run in found.runs for estimate in run.measures.values()}
    n = f"n = {min(sizes):,}" if len(sizes) == 1 else f"n = {min(sizes):,} to {max(sizes):,}"
    key = "; ▲ above, ○ at, ▼ below chance" if found.corpus_size else ""
    yield f"{n}; 95 % interval beneath; ties: {found.ties}{key}"
    if not found.corpus_size:
        yield "no chance: the number of documents is not known (--corpus FILE or --corpus-size N)"
    for run in found.runs:
        counts = run.counts
        if counts.missing or counts.unjudged or counts.excluded:
            yield (
                f"{run.name}: {counts.missing:,} judged queries not in the run count 0; left out: {counts.unjudged:,} "
                f"queries without judgments, {counts.excluded:,} without gold"
            )
        for name, apart in run.spread.items():
            yield f"{run.name}: the order of ties could move {name} by {decimal(apart, 4)}"
        if run.tied > _MANY_TIES:
            yield f"{run.name}: {100 * run.tied:.0f} % of the first ten places are tied with a neighbour"


_MANY_TIES = 0.05


def _problems(found: Evaluation) -> Iterator[str]:
    for problem in found.problems:
        yield f"judgments: {problem.text}. {problem.remedy}"
    for run in found.runs:
        for problem in run.problems:
            yield f"{run.name}: {problem.text}. {problem.remedy}"


def _figures(estimate: Estimate) -> list[str]:
    return [_number(estimate.value), _number(estimate.low), _number(estimate.high), str(estimate.n)]


def _chance(chance: Chance) -> list[str]:
    return [_number(chance.expected), _number(chance.p), chance.verdict or ""]


def _counts(run: EvaluatedRun) -> list[str]:
    return [str(run.counts.missing), str(run.counts.unjudged), str(run.counts.excluded)]


def _number(value: float | None) -> str:
    return "" if value is None else f"{value:.6g}"
