"""Putting what an index answered on stdout."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from askance.cli.show import show_grid, show_json

if TYPE_CHECKING:
    from askance.engines.found import Found
    from askance.report.grid import Format


def show_answers(verb: str, found: Sequence[Found], *, many: bool, json: bool, form: Format) -> None:
    """One answer, or `many` of a file of queries."""
    from askance.report.search_tables import hits_rows, print_answers

    if json:
        about = {"answers": [one.as_json() for one in found]} if many else found[0].as_json()
        show_json({"schema": f"askance/{verb}/1", **about})
    elif form != "table":
        show_grid(hits_rows(found), form)
    else:
        from rich.console import Console

        print_answers(found, Console(), many=many)
