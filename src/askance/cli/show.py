"""Putting results on stdout: a table, or one JSON document."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from askance.report.grid import Format, Grid


def show_grid(grid: Grid, form: Format) -> None:
    """One table in the form asked for."""
    from askance.report.grid import as_table, as_text

    if form == "table":
        from rich.console import Console

        Console().print(as_table(grid))
    else:
        print(as_text(grid, form), end="")


def show_json(document: Mapping[str, object]) -> None:
    """One JSON document."""
    print(json.dumps(document, ensure_ascii=False, indent=1, allow_nan=False))
