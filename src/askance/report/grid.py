"""A plain table, and the forms it can be printed in: terminal, CSV, Markdown, LaTeX."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from askance.report.texts import clean

if TYPE_CHECKING:
    from rich.console import Group

Format = Literal["table", "csv", "markdown", "latex"]


@dataclass(frozen=True)
class Column:
    """A column's heading, and whether it holds figures (then it is set to the right) or names that are never folded."""

    heading: str
    figures: bool = False
    whole: bool = False


@dataclass(frozen=True)
class Grid:
    """Columns, rows of cells as text, and a caption."""

    caption: str
    columns: Sequence[Column]
    rows: Sequence[Sequence[str]]


def as_text(grid: Grid, form: Literal["csv", "markdown", "latex"]) -> str:
    """The table as CSV, Markdown or LaTeX, ending in a newline. No cell holds what a terminal would obey."""
    return {"csv": _csv, "markdown": _markdown, "latex": _latex}[form](_cleaned(grid))


def as_table(grid: Grid) -> Group:
    """The table for a terminal: rules between rows only, long text folded."""
    from rich import box
    from rich.console import Group
    from rich.table import Table
    from rich.text import Text

    grid = _cleaned(grid)
    caption = Text(grid.caption, style="bold")
    if not grid.rows:
        return Group(caption)
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for column in grid.columns:
        justify: Literal["left", "right"] = "right" if column.figures else "left"
        table.add_column(Text(column.heading), justify=justify, overflow="fold", no_wrap=column.whole)
    for row in grid.rows:
        table.add_row(*(Text(cell) for cell in row))
    return Group(caption, table)


def _cleaned(grid: Grid) -> Grid:
    return Grid(clean(grid.caption), grid.columns, [[clean(cell) for cell in row] for row in grid.rows])


def _csv(grid: Grid) -> str:
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow([column.heading for column in grid.columns])
    writer.writerows(grid.rows)
    return out.getvalue()


def _markdown(grid: Grid) -> str:
    def line(cells: Sequence[str]) -> str:
        # A renderer takes what stands between < and > for HTML.
        plain = (cell.replace("&", "&amp;").replace("<", "&lt;") for cell in cells)
        inside = (cell.replace("\\", "\\\\").replace("|", "\\|").replace("\n", " ") for cell in plain)
        return f"| {' | '.join(inside)} |"

    rule = "|" + "|".join("--:" if column.figures else "---" for column in grid.columns) + "|"
    lines = [line([column.heading for column in grid.columns]), rule, *(line(row) for row in grid.rows)]
    return "\n".join(lines) + "\n"


_LATEX = str.maketrans(
    {
        "\\": r"\textbackslash{}",
        "&": r"\&",
        "%": r"\%",
        "$": r"\$",
        "#": r"\#",
        "_": r"\_",
        "{": r"\{",
        "}": r"\}",
        "~": r"\textasciitilde{}",
        "^": r"\textasciicircum{}",
        "–": "--",
        "\n": " ",
    }
)


def _latex(grid: Grid) -> str:
    def line(cells: Sequence[str]) -> str:
        return " & ".join(cell.translate(_LATEX) for cell in cells) + r" \\"

    shape = "".join("r" if column.figures else "l" for column in grid.columns)
    head = line([column.heading for column in grid.columns])
    body = [line(row) for row in grid.rows]
    return "\n".join([rf"\begin{{tabular}}{{{shape}}}", head, r"\hline", *body, r"\end{tabular}"]) + "\n"
