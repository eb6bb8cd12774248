"""askance ask INDEX QUESTION"""

from __future__ import annotations

from typing import Annotated, Literal

import typer

from askance.cli.options import Json
from askance.cli.search import Explain, File, Index, Limit, RunFile, answers

Rewrite = Annotated[
    str,
    typer.Option(
        "--rewrite",
        metavar="rules|MODEL",
        help="What finds the keyword: rules, which need no model, or an endpoint, as http://host:port/v1#model.",
    ),
]
Form = Annotated[
    Literal["text", "fields"] | None,
    typer.Option("--form", help="Search one text field, or items and relations; what the index has unless told."),
]


def ask(
    index: Index,
    question: Annotated[str | None, typer.Argument(metavar="QUESTION", help="In plain words.")] = None,
    rewrite: Rewrite = "rules",
    form: Form = None,
    limit: Limit = 10,
    explain: Explain = False,
    queries: File = None,
    run: RunFile = None,
    json: Json = False,
) -> None:
    """Rewrite a question into an expression, search, and show each stage."""
    from askance.app.search import ask, ask_all, only_one, questions_in, write_run
    from askance.cli.show import show_json

    if queries is None:
        found = [ask(index, only_one(question, "QUESTION"), rewrite=rewrite, form=form, limit=limit, explain=explain)]
    else:
        asked = questions_in(queries, instead_of=question)
        found = ask_all(index, asked, rewrite=rewrite, form=form, limit=limit, explain=explain)
    if run is not None:
        write_run(found, run)
    if json:
        show_json({"schema": "askance/ask/1", **answers(found, many=queries is not None)})
    else:
        from rich.console import Console

        from askance.report.search_tables import print_answers

        print_answers(found, Console())
