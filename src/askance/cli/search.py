"""askance search INDEX QUERY"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from askance.cli.options import Json

if TYPE_CHECKING:
    from askance.engines.found import Found

Limit = Annotated[int, typer.Option("--limit", min=1, max=10_000, help="How many documents.")]
Explain = Annotated[bool, typer.Option("--explain", help="What each clause gave to each hit, and which missed it.")]
Index = Annotated[str, typer.Argument(metavar="INDEX", help="The folder of an index.")]
File = Annotated[
    Path | None, typer.Option("--queries", metavar="FILE", help="JSON lines with _id and text, instead of one query.")
]
RunFile = Annotated[Path | None, typer.Option("--run", metavar="FILE", help="Write the lists as a run file as well.")]


def search(
    index: Index,
    query: Annotated[
        str | None, typer.Argument(metavar="QUERY", help='An expression: (or (knn "…") (lex "…")).')
    ] = None,
    limit: Limit = 10,
    explain: Explain = False,
    queries: File = None,
    run: RunFile = None,
    json: Json = False,
) -> None:
    """Search an index by an expression of the query language (docs/language.md)."""
    from askance.app.search import only_one, questions_in, search, search_all, write_run
    from askance.cli.show import show_json

    if queries is None:
        found = [search(index, only_one(query, "QUERY"), limit=limit, explain=explain)]
    else:
        found = search_all(index, questions_in(queries, instead_of=query), limit=limit, explain=explain)
    if run is not None:
        write_run(found, run)
    if json:
        show_json({"schema": "askance/search/1", **answers(found, many=queries is not None)})
    else:
        from rich.console import Console

        from askance.report.search_tables import print_answers

        print_answers(found, Console())


def answers(found: Sequence[Found], *, many: bool) -> dict[str, object]:
    """The document of one answer, or of many under `answers`."""
    return {"answers": [one.as_json() for one in found]} if many else found[0].as_json()
