"""askance compare RUN RUN… --qrels F"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from askance.cli.options import USUAL_MEASURES, Form, Json, Measures, Qrels, Ties


def compare(
    runs: Annotated[list[Path], typer.Argument(metavar="RUN RUN…", help="Run files: TREC, JSON lines, CSV, Parquet.")],
    qrels: Qrels,
    measures: Measures = USUAL_MEASURES,
    baseline: Annotated[
        str | None, typer.Option("--baseline", help="Hold every other run against this one, not each against each.")
    ] = None,
    ties: Ties = "expected",
    groups: Annotated[
        Path | None, typer.Option("--groups", help="Columns query and group: queries that vary together.")
    ] = None,
    slices: Annotated[
        Path | None, typer.Option("--slices", help="A column query, and one for each slice of the queries.")
    ] = None,
    wish: Annotated[
        float | None, typer.Option("--wish", help="A difference: how many queries would it take to find it?")
    ] = None,
    per_query: Annotated[bool, typer.Option("--per-query", help="Every query that changed, by name.")] = False,
    seed: Annotated[int, typer.Option("--seed", min=0, help="Where drawn tests begin.")] = 0,
    json: Json = False,
    form: Form = "table",
) -> None:
    """Paired differences with intervals, tests with their corrections, and which queries changed."""
    from askance.app.compare import compare
    from askance.cli.show import show_grid, show_json, show_lines
    from askance.report.compare_tables import (
        compare_changes_grid,
        compare_figures_grid,
        compare_grids,
        compare_sentences,
    )

    found = compare(
        runs,
        qrels,
        measures=measures,
        baseline=baseline,
        ties=ties,
        groups=groups,
        slices=slices,
        wish=wish,
        seed=seed,
    )
    if json:
        show_json(found.record(per_query=per_query))
    elif form != "table":
        show_grid(compare_changes_grid(found) if per_query else compare_figures_grid(found), form)
    else:
        for grid in compare_grids(found, per_query=per_query):
            show_grid(grid, form)
        show_lines(compare_sentences(found))
