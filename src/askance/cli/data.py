"""askance data list | fetch"""

from __future__ import annotations

from typing import Annotated

import typer

from askance.cli.options import Form, Json

app = typer.Typer(help="Public collections: what there is, and fetching it.", no_args_is_help=True)


@app.command("list")
def list_(json: Json = False, form: Form = "table") -> None:
    """What can be fetched, where it comes from, and what is already here."""
    from askance.app.data import listed
    from askance.cli.show import show_grid, show_json
    from askance.report.figures import listed_grid

    found = listed()
    if json:
        show_json({"schema": "askance/data list/1", "collections": [one.record() for one in found]})
    else:
        show_grid(listed_grid([one.row() for one in found]), form)


@app.command()
def fetch(name: Annotated[str, typer.Argument(metavar="NAME")], json: Json = False) -> None:
    """Download the originals into your cache: pinned commit, sha256, resumable."""
    from askance.app.data import fetch
    from askance.cli.show import show_json
    from askance.cli.watch import watching

    with watching() as progress:
        folder = fetch(name, progress=progress)
    if json:
        show_json({"schema": "askance/data fetch/1", "name": name, "folder": str(folder)})
    else:
        typer.echo(str(folder))
