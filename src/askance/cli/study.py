"""askance study init | run | reproduce"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from askance.cli.options import Form, Json

app = typer.Typer(help="Begin a study, run it, reproduce published figures.", no_args_is_help=True)


@app.command()
def init(
    collections: Annotated[list[str], typer.Argument(metavar="COLLECTION…", help="BEIR folders or public names.")],
    into: Annotated[Path | None, typer.Option("--into", help="Write it here instead of to stdout.")] = None,
) -> None:
    """Write a commented study file for your own collections."""
    from askance.app.study import init

    text = init(collections, into)
    typer.echo(f"wrote {into}; run it: askance study run {into}" if into else text, err=into is not None, nl=bool(into))


@app.command()
def run(
    study: Annotated[Path, typer.Argument(metavar="STUDY.toml")],
    out: Annotated[Path | None, typer.Option("--out", help="Result folder; out/STUDY-NAME unless told.")] = None,
    resume: Annotated[bool, typer.Option("--resume", help="Insist that the folder holds work to go on with.")] = False,
    past_gate: Annotated[
        str | None, typer.Option("--past-gate", metavar="REASON", help="Go on where a gate fails; the report says why.")
    ] = None,
    json: Json = False,
    form: Form = "table",
) -> None:
    """Run everything a study file names; writes results.json, runs/, ledger.sqlite, manifest.json, report.html.

    Running it again goes on where it stopped: what is recorded is not done again. Where the study file has gates they
    are checked first; exit code 1 where one fails, and then nothing else is computed.
    """
    from askance.app.study import run
    from askance.cli.watch import watching

    with watching() as progress:
        found = run(study, out, resume=resume, past_gate=past_gate, progress=progress)
    if json:
        typer.echo(found.results.dump(), nl=False)
    elif form != "table":
        from askance.cli.show import show_grid
        from askance.report.figures import figures_grid

        show_grid(figures_grid(found.results), form)
    else:
        from rich.console import Console

        from askance.report.terminal import print_results

        print_results(found.results, Console())
    typer.echo(f"report: {found.report}", err=True)


@app.command()
def reproduce(
    name: Annotated[
        str,
        typer.Argument(metavar="NAME", help="gsm-plus, limit, limit-plus, limit-small, structural or trajectories."),
    ],
    data: Annotated[
        Path | None, typer.Option("--data", help="Folder of real data, if it is not found by itself.")
    ] = None,
    every: Annotated[
        bool, typer.Option("--all", help="Print every row, of a long table too; --json and --format do anyway.")
    ] = False,
    json: Json = False,
    form: Form = "table",
) -> None:
    """Published figures beside ours; exit code 1 where a row fails, or where there was nothing to hold them against."""
    from askance.app.study import reproduce_published
    from askance.cli.show import show_grid, show_json, show_lines
    from askance.cli.watch import watching
    from askance.report.reproduction_tables import reproduction_figures, reproduction_grids, reproduction_notes
    from askance.study.reproduce import as_json

    with watching() as progress:
        found = reproduce_published(name, data, progress=progress)
    if json:
        show_json(as_json(found))
    else:
        grids = reproduction_grids(found, every=every) if form == "table" else [reproduction_figures(found)]
        for grid in grids:
            show_grid(grid, form)
        if form == "table":
            show_lines(reproduction_notes(found))
    raise typer.Exit(0 if found.stands else 1)
