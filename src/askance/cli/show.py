"""Putting results on stdout: a table, or one JSON document."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from askance.measure.evaluation import Evaluation
    from askance.report.grid import Format, Grid


def show_grid(grid: Grid, form: Format) -> None:
    """One table in the form asked for."""
    from askance.report.grid import as_table, as_text

    if form == "table":
        from rich.console import Console

        Console().print(as_table(grid))
    else:
        print(as_text(grid, form), end="")


def show_lines(lines: Iterable[str]) -> None:
    """Sentences, folded at the width of the terminal."""
    from rich.console import Console

    from askance.report.texts import clean

    for line in lines:
        Console().print(clean(line), markup=False, highlight=False)


def show_json(document: Mapping[str, object]) -> None:
    """One JSON document."""
    print(json.dumps(document, ensure_ascii=False, indent=1, allow_nan=False))


def show_evaluation(found: Evaluation, form: Format, *, per_query: bool) -> None:
    """The evaluation of runs; `per_query`: a row a query, in the plain forms and after the table."""
    from askance.report.evaluate_tables import evaluation_grid, per_query_grid

    if form != "table":
        show_grid(per_query_grid(found) if per_query else evaluation_grid(found), form)
        return
    from rich.console import Console

    from askance.report.evaluate_tables import print_evaluation

    print_evaluation(found, Console())
    if per_query:
        show_grid(per_query_grid(found), form)
