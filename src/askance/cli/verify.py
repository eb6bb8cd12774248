"""askance verify DIR"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from askance.cli.options import Form, Json


def verify(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="A folder that `askance study run` wrote.")],
    json: Json = False,
    form: Form = "table",
) -> None:
    """Recompute a result folder's figures from the runs in it; exit code 1 where one differs."""
    from askance.app.verify import verify
    from askance.cli.show import show_grid, show_json
    from askance.report.figures import verification_grid

    found = verify(folder)
    if json:
        show_json(found.record())
    else:
        show_grid(verification_grid(found), form)
    raise typer.Exit(1 if found.findings else 0)
