"""askance lint COLLECTION"""

from __future__ import annotations

from typing import Annotated

import typer

from askance.cli.options import Form, Json


def lint(
    collection: Annotated[
        str, typer.Argument(metavar="COLLECTION", help="A BEIR folder, a public name, STUDY.toml#domain, or an index.")
    ],
    schema: Annotated[
        str,
        typer.Option(
            "--schema",
            metavar="learned|FILE|MODULE:FUNCTION",
            help="How documents split into name, relation and items: learned from them, or as told.",
        ),
    ] = "learned",
    items: Annotated[
        bool, typer.Option("--items", help="Ask for every item of the documents, not for what the queries ask for.")
    ] = False,
    queries: Annotated[
        str | None, typer.Option("--queries", metavar="FILE", help="For an index: JSON lines with _id and text.")
    ] = None,
    cut: Annotated[int, typer.Option("--cut", min=1, help="How many places of a ranked list are looked at.")] = 100,
    every: Annotated[bool, typer.Option("--all", help="Show what displaces no answer as well.")] = False,
    json: Json = False,
    form: Form = "table",
) -> None:
    """Failures of phrase search foretold before any run: item in item, item in name, template words, duplicates.

    Judgments are not read. Exit code 0: no question is foretold to fail; 1: some are; 2: bad input.
    """
    from askance.app.lint import lint
    from askance.cli.show import show_grid, show_json, show_lines
    from askance.cli.watch import watching
    from askance.report.lint_tables import lint_figures_grid, lint_grids, lint_lines

    with watching() as progress:
        found = lint(collection, schema=schema, items=items, queries=queries, cut=cut, progress=progress)
    if json:
        show_json(found.record(every=every))
    elif form != "table":
        show_grid(lint_figures_grid(found, every=every), form)
    else:
        for grid in lint_grids(found, every=every):
            show_grid(grid, form)
        show_lines(lint_lines(found, every=every))
    if found.questions:
        raise typer.Exit(1)
