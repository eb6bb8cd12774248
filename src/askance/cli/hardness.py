"""askance hardness COLLECTION"""

from __future__ import annotations

from typing import Annotated

import typer

from askance.cli.options import Form, Json


def hardness(
    collection: Annotated[
        str, typer.Argument(metavar="COLLECTION", help="A BEIR folder, a public name, or STUDY.toml#domain.")
    ],
    tier: Annotated[
        str | None, typer.Option("--tier", help="Which gold; the collection's main tier unless told.")
    ] = None,
    first: Annotated[
        int, typer.Option("--decoys", min=1, help="How many documents most like the query gold is held against.")
    ] = 10,
    json: Json = False,
    form: Form = "table",
) -> None:
    """How hard is it? Density and strength of the judgments, overlap of gold and of its top decoys. No model."""
    from askance.app.hardness import hardness
    from askance.cli.show import show_grid, show_json, show_lines
    from askance.cli.watch import watching
    from askance.report.hardness_tables import hardness_figures_grid, hardness_grid, hardness_lines

    with watching() as progress:
        found = hardness(collection, tier=tier, first=first, progress=progress)
    if json:
        show_json(found.record())
    elif form != "table":
        show_grid(hardness_figures_grid(found), form)
    else:
        show_grid(hardness_grid(found), form)
        show_lines(hardness_lines(found))
