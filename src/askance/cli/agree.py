"""askance agree LABELS…"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer

from askance.cli.options import Form, Json


def agree(
    labels: Annotated[
        list[Path] | None, typer.Argument(metavar="LABELS…", help="Files of labels, or folders of them.")
    ] = None,
    gold: Annotated[Path | None, typer.Option("--gold", help="The labels that the others are held against.")] = None,
    scale: Annotated[
        str | None, typer.Option("--scale", help="The labels there are, e.g. 0,1,2,3; gold's unless told.")
    ] = None,
    runs: Annotated[
        list[Path] | None, typer.Option("--runs", help="Runs, or a folder of them: compare the orders of systems.")
    ] = None,
    measure: Annotated[str, typer.Option("--measure", help="What orders the systems.")] = "nDCG@10",
    p: Annotated[float, typer.Option("--p", help="Persistence of rank-biased overlap.")] = 0.9,
    over: Annotated[
        Literal["queries", "pairs"],
        typer.Option("--over", help="What is resampled: whole queries, or single pairs as if independent."),
    ] = "queries",
    weights: Annotated[
        Literal["plain", "linear", "quadratic"], typer.Option("--weights", help="Of the kappa that orders the table.")
    ] = "quadratic",
    audit: Annotated[
        list[str] | None,
        typer.Option("--audit", metavar="[NAME=]ERRORS/N", help="Labels checked by hand, e.g. 0/60."),
    ] = None,
    seed: Annotated[int, typer.Option("--seed", min=0)] = 0,
    json: Json = False,
    form: Form = "table",
) -> None:
    """Label sets compared: kappa, Krippendorff's alpha, system orders, and which set stands apart."""
    from askance.app.agree import agree, scale_of
    from askance.cli.show import show_grid, show_json, show_lines
    from askance.report.agree_tables import agree_figures_grid, agree_grids, agree_sentences

    found = agree(
        labels or [],
        gold,
        scale=scale_of(scale) if scale is not None else None,
        runs=runs or [],
        measure=measure,
        p=p,
        over=over,
        weights=weights,
        audits=audit or [],
        seed=seed,
    )
    if json:
        show_json(found.record())
    elif form != "table":
        show_grid(agree_figures_grid(found), form)
    else:
        for grid in agree_grids(found):
            show_grid(grid, form)
        show_lines(agree_sentences(found))
