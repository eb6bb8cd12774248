"""askance index DOCS --into DIR"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer

from askance.cli.options import Form, Json

_OF_A_NEW_INDEX = (
    "model",
    "precision",
    "lookup",
    "stemmer",
    "fold_apostrophes",
    "normalize",
    "scale",
    "replace",
    "template",
)


def index(
    context: typer.Context,
    into: Annotated[str, typer.Option("--into", metavar="PLACE", help="A folder, or opensearch://HOST/INDEX.")],
    documents: Annotated[
        str | None,
        typer.Argument(metavar="[DOCS]", help="A file of JSON lines, a BEIR folder, or a public collection."),
    ] = None,
    schema: Annotated[
        str,
        typer.Option(
            "--schema",
            metavar="learned|none|FILE|MODULE:FUNCTION",
            help="How documents split into name, relation and items: learned from them, not at all, or as told.",
        ),
    ] = "learned",
    model: Annotated[
        str | None,
        typer.Option(
            "--model", metavar="NAME|FILE", help="Embedder for knn clauses: minilm, or MODEL.toml; none unless told."
        ),
    ] = None,
    precision: Annotated[Literal["float32", "int8"], typer.Option("--precision", help="Of the vectors.")] = "float32",
    lookup: Annotated[
        Literal["exact", "approximate"], typer.Option("--lookup", help="Of the vectors; the recall is measured.")
    ] = "exact",
    stemmer: Annotated[str | None, typer.Option("--stemmer", help='"porter" or a Snowball language.')] = None,
    fold_apostrophes: Annotated[
        bool, typer.Option("--fold-apostrophes", help="Let Levi’s and Levi's be one word.")
    ] = False,
    normalize: Annotated[
        Literal["nfc", "nfkc"] | None, typer.Option("--normalize", help="Unicode form of all text.")
    ] = None,
    scale: Annotated[
        Literal["lucene", "legacy"], typer.Option("--scale", help="legacy: scores times 2.2, as OpenSearch 2 has them.")
    ] = "lucene",
    template: Annotated[
        Path | None,
        typer.Option(
            "--template", metavar="FILE", help="Build nothing: write the template OpenSearch makes such indexes with."
        ),
    ] = None,
    replace: Annotated[bool, typer.Option("--replace", help="Take the place of an index that is there.")] = False,
    update: Annotated[
        bool, typer.Option("--update", help="Put DOCS into an index that is there: new ones and new versions.")
    ] = False,
    delete: Annotated[
        list[str] | None, typer.Option("--delete", metavar="ID", help="Take this document out; repeat for several.")
    ] = None,
    compact: Annotated[bool, typer.Option("--compact", help="Let the statistics forget what was deleted.")] = False,
    json: Json = False,
    output: Form = "table",
) -> None:
    """Build an index, or change one: --update, --delete, --compact. It happens whole or not at all.

    For example: askance index documents.jsonl --into INDEX
    """
    from askance.app.index import change_index, index, index_settings, refuse_options
    from askance.app.index_template import write_template
    from askance.cli.show import show_grid, show_json, show_lines
    from askance.cli.watch import watching
    from askance.report.index_tables import index_grid, index_lines, index_record

    with watching() as progress:
        if update or delete or compact:
            given = [name for name in (*_OF_A_NEW_INDEX, "schema") if _is_given(context, name)]
            refuse_options(given, update=update, documents=documents, schema=schema)
            again = schema if "schema" in given else None
            made = change_index(into, documents, delete=delete or (), compact=compact, schema=again, progress=progress)
        else:
            settings = index_settings(
                model=model,
                precision=precision,
                lookup=lookup,
                stemmer=stemmer,
                fold_apostrophes=fold_apostrophes,
                normalize=normalize,
                scale=scale,
            )
            if template is not None:
                write_template(template, documents, into, schema=schema, settings=settings, progress=progress)
                return
            made = index(documents, into, schema=schema, settings=settings, replace=replace, progress=progress)
    if json:
        show_json(index_record(made.held, made.notes))
    else:
        show_grid(index_grid(made.held), output)
        if output == "table":
            show_lines(index_lines(made.notes))


def _is_given(context: typer.Context, name: str) -> bool:
    source = context.get_parameter_source(name)
    return source is not None and source.name != "DEFAULT"
