"""askance sign COLLECTION…"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from askance.cli.options import Form, Json


def sign(
    collections: Annotated[
        list[str], typer.Argument(metavar="COLLECTION…", help="BEIR folders, public names, or STUDY.toml#domain.")
    ],
    tier: Annotated[
        str | None, typer.Option("--tier", help="Which gold; the collection's last tier unless told.")
    ] = None,
    html: Annotated[
        Path | None, typer.Option("--html", help="Write the bills of all collections as a page with one chart.")
    ] = None,
    json: Json = False,
    form: Form = "table",
) -> None:
    """Is lexical signal friend or enemy here, and in which words? Seconds, no model.

    For example: askance sign trajectories gsm-plus --html bill.html
    """
    from askance.app.sign import signs
    from askance.cli.show import show_grid, show_json, show_lines
    from askance.cli.watch import watching
    from askance.report.figures import sign_figures_grid, sign_grids
    from askance.report.sign_bills import sign_bill_grids, sign_bill_lines
    from askance.study.quick_sign import signs_record

    with watching() as progress:
        found = signs(collections, tier=tier, page=html, progress=progress)
    if json:
        show_json(signs_record(found))
    elif form != "table":
        show_grid(sign_figures_grid(found), form)
    else:
        for one in found:
            for grid in (*sign_grids(one), *sign_bill_grids(one)):
                show_grid(grid, form)
            show_lines(sign_bill_lines(one))
    if html is not None:
        typer.echo(f"wrote {html}", err=True)
