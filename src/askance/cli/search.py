"""askance search INDEX QUERY"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from askance.cli.options import Form, Json

Limit = Annotated[int, typer.Option("--limit", min=1, max=10_000, help="How many documents.")]
Explain = Annotated[bool, typer.Option("--explain", help="What each clause gave to each hit, and which missed it.")]
Index = Annotated[str, typer.Argument(metavar="INDEX", help="A folder with an index, or opensearch://HOST/INDEX.")]
File = Annotated[
    Path | None, typer.Option("--queries", metavar="FILE", help="JSON lines with _id and text, instead of one query.")
]
RunFile = Annotated[
    Path | None,
    typer.Option(
        "--run", metavar="FILE", help="Write the lists as a run file as well: FILE.jsonl, else as TREC has it."
    ),
]


def search(
    index: Index,
    query: Annotated[
        str | None, typer.Argument(metavar="[QUERY]", help='An expression: (or (knn "…") (lex "…")).')
    ] = None,
    limit: Limit = 10,
    explain: Explain = False,
    queries: File = None,
    run: RunFile = None,
    body: Annotated[
        bool, typer.Option("--body", help="Print the search bodies OpenSearch is asked, as JSON, and no answers.")
    ] = False,
    json: Json = False,
    output: Form = "table",
) -> None:
    """Search an index by an expression of the query language.

    For example: askance search INDEX '(or (exact "Birch Trees") (lex "Birch Trees"))' --explain
    """
    from askance.app.search import bodies, only_one, questions_in, search, search_all, write_run
    from askance.cli.show import show_json
    from askance.cli.show_answers import show_answers
    from askance.cli.watch import watching

    if body:
        show_json({"bodies": bodies(index, only_one(query, "QUERY"), limit=limit)})
        return
    if queries is None:
        plain = json or output != "table"
        found = [search(index, only_one(query, "QUERY"), limit=limit, explain=explain, excerpts=not plain)]
    else:
        asked = questions_in(queries, instead_of=query)
        with watching() as progress:
            found = search_all(index, asked, limit=limit, explain=explain, progress=progress)
    if run is not None:
        write_run(found, run)
    show_answers("search", found, many=queries is not None, json=json, form=output)
