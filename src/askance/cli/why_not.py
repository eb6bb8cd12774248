"""askance why-not INDEX QUERY DOC"""

from __future__ import annotations

from typing import Annotated

import typer

from askance.cli.ask import Form, Key, Rewrite
from askance.cli.options import Json
from askance.cli.search import Index, Limit


def why_not(
    index: Index,
    query: Annotated[
        str, typer.Argument(metavar="QUERY", help="An expression, or a question, which is rewritten first.")
    ],
    document: Annotated[str, typer.Argument(metavar="DOC", help="Identifier of the document.")],
    rewrite: Rewrite = "rules",
    key_env: Key = None,
    form: Form = None,
    limit: Limit = 10,
    json: Json = False,
) -> None:
    """Say why a document is not among the first answers: the first clause that failed, or what stands above it."""
    from askance.app.search import why_not
    from askance.cli.show import show_grid, show_json, show_lines
    from askance.report.absence_lines import clauses_grid, why_not_lines

    found = why_not(index, query, document, rewrite=rewrite, form=form, limit=limit, key_env=key_env)
    if json:
        show_json({"schema": "askance/why-not/1", **found.as_json()})
    else:
        show_lines(why_not_lines(found))
        clauses = clauses_grid(found)
        if clauses is not None:
            show_grid(clauses, "table")
