"""Printed figures beside ours as tables: of a long reproduction first how many rows of which part have which status."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import get_args

from askance.report.figures import number
from askance.report.grid import Column, Grid
from askance.study.reproduce import Reproduction, Row, Status

STATUSES: Sequence[Status] = get_args(Status)

SHOWN = (Column("row", whole=True), Column("printed", True), Column("ours", True), Column("n", True), Column("status"))

FIGURES = (
    Column("row"),
    Column("part"),
    Column("figure"),
    Column("printed", True),
    Column("printed low", True),
    Column("printed high", True),
    Column("ours", True),
    Column("low", True),
    Column("high", True),
    Column("n", True),
    Column("tolerance", True),
    Column("status"),
    Column("why"),
)

ONE_TABLE = 60  # rows up to which a reproduction is one table


def reproduction_grids(found: Reproduction, *, every: bool) -> Iterator[Grid]:
    """Tables for a terminal: one where the rows are few.

    Else the counts first, then, part by part, `every` row or those that need a look: rows that fail, intervals that are
    bounded, and what is said beside the printed figures.
    """
    if len(found.rows) <= ONE_TABLE:
        passed = sum(row.status == "pass" for row in found.rows)
        caption = f"{found.name}: {passed} of {len(found.rows)} printed figures reproduced"
        yield Grid(caption, SHOWN, [_shown(row) for row in found.rows])
        return
    yield _counts(found, every=every)
    for part in dict.fromkeys(row.group for row in found.rows):
        rows = [row for row in found.rows if row.group == part and (every or _needs_a_look(row))]
        if rows:
            yield Grid(part, SHOWN, [_shown(row) for row in rows])


def reproduction_notes(found: Reproduction) -> Iterator[str]:
    """What rows that pass are made of, where there is more to say than their figure."""
    for row in found.rows:
        if row.status == "pass" and row.why and len(found.rows) <= ONE_TABLE:
            yield f"{row.id}: {row.why}"


def reproduction_figures(found: Reproduction) -> Grid:
    """Every row in one table, each number in a column of its own: CSV, Markdown, LaTeX."""
    return Grid(found.name, FIGURES, [_figures(row) for row in found.rows])


def _counts(found: Reproduction, *, every: bool) -> Grid:
    columns = (Column("part"), *(Column(status, True) for status in STATUSES), Column("rows", True))
    parts = dict.fromkeys(row.group for row in found.rows)
    rows = [[part, *_counted([row for row in found.rows if row.group == part])] for part in parts]
    below = "" if every else "; below those that need a look, all of them with --all"
    return Grid(f"{found.name}: {len(found.rows)} rows{below}", columns, [*rows, ["together", *_counted(found.rows)]])


def _counted(rows: Sequence[Row]) -> list[str]:
    counts = Counter(row.status for row in rows)
    return [*(str(counts[status]) if counts[status] else "" for status in STATUSES), str(len(rows))]


def _needs_a_look(row: Row) -> bool:
    bounded = row.status == "bounded" and row.published_low is not None
    return row.status == "fail" or bounded or row.published is None or row.id.startswith(f"{row.group}.")


def _shown(row: Row) -> list[str]:
    """Intervals stand beneath their figures."""
    printed = _with_interval(row.published, row.published_low, row.published_high)
    said = f"{row.status}: {row.why}" if row.why and row.status != "pass" else row.status
    if row.ours is None:
        return [row.id, printed, "", "", said]
    ours = _with_interval(row.ours.value, row.ours.low, row.ours.high)
    return [row.id, printed, ours, str(row.ours.n), said]


def _with_interval(value: float | None, low: float | None, high: float | None) -> str:
    if low is None or high is None:
        return number(value)
    between = "–" if low >= 0 else " to "  # a dash before a minus sign cannot be read
    interval = "exact" if low == high == value else f"{number(low)}{between}{number(high)}"
    return interval if value is None else f"{number(value)}\n{interval}"


def _figures(row: Row) -> list[str]:
    ours = row.ours
    found = ["", "", "", ""] if ours is None else [*map(number, (ours.value, ours.low, ours.high)), str(ours.n)]
    printed = map(number, (row.published, row.published_low, row.published_high))
    return [row.id, row.group, row.figure, *printed, *found, f"{row.tolerance:.2g}", row.status, row.why]
