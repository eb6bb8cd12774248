"""askance sign COLLECTION"""

from __future__ import annotations

from typing import Annotated

import typer

from askance.cli.options import Form, Json


def sign(
    collection: Annotated[
        str, typer.Argument(metavar="COLLECTION", help="A BEIR folder, a public name, or STUDY.toml#domain.")
    ],
    tier: Annotated[
        str | None, typer.Option("--tier", help="Which gold; the collection's last tier unless told.")
    ] = None,
    json: Json = False,
    form: Form = "table",
) -> None:
    """Is lexical signal friend or enemy here? Seconds, no model."""
    from askance.app.sign import sign
    from askance.cli.show import show_grid, show_json
    from askance.cli.watch import watching
    from askance.report.figures import sign_figures_grid, sign_grids

    with watching() as progress:
        found = sign(collection, tier=tier, progress=progress)
    if json:
        show_json(found.record())
    elif form != "table":
        show_grid(sign_figures_grid(found), form)
    else:
        for grid in sign_grids(found):
            show_grid(grid, form)
