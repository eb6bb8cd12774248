"""askance drift A B"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer

from askance.cli.options import Form, Json


def drift(
    first: Annotated[
        str, typer.Argument(metavar="A", help="A run file; vectors (.npy, .npz, a folder); or STUDY.toml#MODEL.")
    ],
    second: Annotated[str, typer.Argument(metavar="B", help="Another serving of the same model.")],
    collection: Annotated[
        str | None,
        typer.Option("--collection", help="Texts and gold: a BEIR folder, a public name, STUDY.toml#domain."),
    ] = None,
    texts: Annotated[Path | None, typer.Option("--texts", help="What models embed: one text a line.")] = None,
    qrels: Annotated[Path | None, typer.Option("--qrels", help="Gold for run files.")] = None,
    tier: Annotated[
        list[str] | None, typer.Option("--tier", help="Which gold of the collection, or all; the main one unless told.")
    ] = None,
    measures: Annotated[
        str, typer.Option("--measures", help="Separated by spaces or commas.")
    ] = "Hit@1 Hit@5 Hit@10 AP",
    ties: Annotated[
        Literal["expected", "trec", "input", "optimistic", "pessimistic"] | None,
        typer.Option("--ties", help="How equal scores are ordered; expected for run files unless told."),
    ] = None,
    close: Annotated[float, typer.Option("--close", help="Above which cosine two vectors count as close.")] = 0.999,
    p: Annotated[float, typer.Option("--p", help="Persistence of rank-biased overlap.")] = 0.9,
    min_cosine: Annotated[
        float | None, typer.Option("--min-cosine", help="Exit with 1 where a cosine lies below this.")
    ] = None,
    fresh: Annotated[bool, typer.Option("--fresh", help="Models embed anew, whatever is stored of them.")] = False,
    json: Json = False,
    form: Form = "table",
) -> None:
    """Two servings of one model: cosines, rank changes, queries decided otherwise and how narrowly, McNemar."""
    from askance.app.drift import drift
    from askance.cli.show import show_grid, show_json, show_lines
    from askance.cli.watch import watching
    from askance.report.drift_tables import drift_figures_grid, drift_grids, drift_sentences

    with watching() as progress:
        found = drift(
            first,
            second,
            collection=collection,
            texts=texts,
            qrels=qrels,
            tiers=tier or [],
            measures=measures.replace(",", " ").split(),
            ties=ties,
            close=close,
            p=p,
            fresh=fresh,
            progress=progress,
        )
    if json:
        show_json(found.record())
    elif form != "table":
        show_grid(drift_figures_grid(found), form)
    else:
        for grid in drift_grids(found):
            show_grid(grid, form)
        show_lines(drift_sentences(found))
    if min_cosine is not None:
        found.check_cosines(min_cosine)
