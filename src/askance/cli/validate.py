"""askance validate FILE…"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer

from askance.cli.options import Form, Json


def validate(
    files: Annotated[
        list[Path] | None,
        typer.Argument(
            metavar="FILE…", help="Runs, judgments, documents, queries: files of any form, or BEIR folders."
        ),
    ] = None,
    qrels: Annotated[Path | None, typer.Option("--qrels", help="Judgments that the runs are held against.")] = None,
    corpus: Annotated[Path | None, typer.Option("--corpus", help="Texts that all documents must be among.")] = None,
    queries: Annotated[Path | None, typer.Option("--queries", help="Texts that all queries must be among.")] = None,
    kind: Annotated[
        Literal["run", "qrels"] | None,
        typer.Option("--kind", help="What the files are; their content tells otherwise."),
    ] = None,
    json: Json = False,
    form: Form = "table",
) -> None:
    """Say all that is wrong or odd about files, without evaluating: exit code 2 where there is an error."""
    from askance.app.validate import validate
    from askance.cli.show import show_grid, show_json, show_lines
    from askance.cli.watch import watching
    from askance.report.validate_tables import files_grid, problem_lines, problems_grid

    with watching() as progress:
        found = validate(files or [], qrels=qrels, corpus=corpus, queries=queries, kind=kind, progress=progress)
    if json:
        show_json(found.record())
    elif form != "table":
        show_grid(problems_grid(found), form)
    else:
        show_grid(files_grid(found), form)
        show_lines(problem_lines(found))
    raise typer.Exit(found.exit_code)
