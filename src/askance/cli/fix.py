"""askance fix DIR"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from askance.cli.options import Form, Json


def fix(
    target: Annotated[
        str, typer.Argument(metavar="DIR", help="A result folder, STUDY.toml#domain, or a collection (--retriever).")
    ],
    domain: Annotated[str | None, typer.Option("--domain", help="Of a result folder with several.")] = None,
    system: Annotated[
        str | None, typer.Option("--system", help="Which system; of a result folder, the one that hits most.")
    ] = None,
    retriever: Annotated[str | None, typer.Option("--retriever", help="What searches a collection.")] = None,
    model: Annotated[str | None, typer.Option("--model", help="The embedder of that retriever, e.g. minilm.")] = None,
    measure: Annotated[str, typer.Option("--measure", help="What is to grow.")] = "Hit@1",
    seed: Annotated[int, typer.Option("--seed", min=0, help="Of the halves; a study has its own.")] = 0,
    out: Annotated[
        Path | None, typer.Option("--out", help="Where fix.toml goes; the result folder, else nowhere.")
    ] = None,
    json: Json = False,
    form: Form = "table",
) -> None:
    """The smallest change that mends it: chosen on half of the queries, its gain shown on the others.

    Writes fix.toml, a study with the change, fix.schema.toml where it asks for fields, and fix.opensearch.json, the
    template and query of OpenSearch, where that can be told. Finding nothing is no error.
    """
    from askance.app.fix import fix
    from askance.cli.show import show_grid, show_json, show_lines
    from askance.cli.watch import watching
    from askance.report.fix_tables import SHOWN, candidates_grid, fix_lines

    with watching() as progress:
        done = fix(
            target,
            domain=domain,
            system=system,
            retriever=retriever,
            model=model,
            measure=measure,
            seed=seed,
            out=out,
            progress=progress,
        )
    if json:
        show_json(done.found.record())
    elif form != "table":
        show_grid(candidates_grid(done.found), form)
    else:
        show_lines(fix_lines(done.found))
        show_grid(candidates_grid(done.found, SHOWN), form)
    for path in done.files:
        typer.echo(f"wrote {path}", err=True)
