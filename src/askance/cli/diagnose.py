"""askance diagnose DIR"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from askance.cli.options import Form, Json


def diagnose(
    folder: Annotated[
        Path | None, typer.Argument(metavar="[DIR]", help="A folder that `askance study run` wrote.")
    ] = None,
    runs: Annotated[list[Path] | None, typer.Option("--run", help="A run file instead; repeated for several.")] = None,
    qrels: Annotated[Path | None, typer.Option("--qrels", help="Judgments of run files.")] = None,
    corpus: Annotated[Path | None, typer.Option("--corpus", help="corpus.jsonl of run files.")] = None,
    queries: Annotated[Path | None, typer.Option("--queries", help="queries.jsonl of run files.")] = None,
    index: Annotated[Path | None, typer.Option("--index", help="The index that the lists came from.")] = None,
    vectors: Annotated[
        Path | None, typer.Option("--vectors", help="Vectors of the documents, a .npy with one row each.")
    ] = None,
    window: Annotated[
        int | None, typer.Option("--window", min=1, help="Words that the model of run files reads.")
    ] = None,
    difference: Annotated[
        float, typer.Option("--difference", help="The difference of Hit@1 that you want to be able to see.")
    ] = 0.05,
    thin: Annotated[float, typer.Option("--thin", help="A margin is thin below this share of the spread.")] = 0.02,
    html: Annotated[Path | None, typer.Option("--html", help="Where to write the page; DIR/diagnosis.html.")] = None,
    json: Json = False,
    form: Form = "table",
) -> None:
    """Why it fails: where each query was lost, and what would mend it; writes DIR/diagnosis.html.

    The waterfall has one cause a query and adds up to all queries. No model is asked anything.
    """
    from askance.app.diagnose import diagnose
    from askance.cli.show import show_grid, show_json
    from askance.cli.watch import watching

    with watching() as progress:
        found = diagnose(
            folder,
            runs=runs or (),
            qrels=qrels,
            corpus=corpus,
            queries=queries,
            index=index,
            vectors=vectors,
            window=window,
            looked_for=difference,
            thin=thin,
            page=html,
            progress=progress,
        )
    if json:
        show_json(found.record())
    elif form != "table":
        from askance.report.diagnosis_tables import waterfall_grid

        show_grid(waterfall_grid(found.domains), form)
    else:
        from rich.console import Console

        from askance.report.diagnosis_tables import print_diagnosis

        print_diagnosis(found.domains, Console())
    if found.page is not None:
        typer.echo(f"wrote {found.page}", err=True)
