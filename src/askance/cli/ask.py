"""askance ask INDEX QUESTION"""

from __future__ import annotations

from typing import Annotated, Literal

import typer

from askance.cli.options import Form as Format
from askance.cli.options import Json
from askance.cli.search import Explain, File, Index, Limit, RunFile

Rewrite = Annotated[
    str,
    typer.Option(
        "--rewrite",
        metavar="rules|MODEL",
        help="What finds the keyword: rules, which need no model; an endpoint, as http://host:port/v1#model; or a "
        "file MODEL.toml.",
    ),
]
Key = Annotated[
    str | None,
    typer.Option("--key-env", metavar="NAME", help="The environment variable that holds the key of the endpoint."),
]
Form = Annotated[
    Literal["text", "fields"] | None,
    typer.Option("--form", help="Search one text field, or items and relations; what the index has unless told."),
]


def ask(
    index: Index,
    question: Annotated[str | None, typer.Argument(metavar="[QUESTION]", help="In plain words.")] = None,
    rewrite: Rewrite = "rules",
    key_env: Key = None,
    form: Form = None,
    limit: Limit = 10,
    explain: Explain = False,
    queries: File = None,
    run: RunFile = None,
    json: Json = False,
    output: Format = "table",
) -> None:
    """Rewrite a question into an expression, search, and show each stage.

    For example: askance ask INDEX "Who likes Birch Trees?" --explain
    """
    from askance.app.search import ask, ask_all, only_one, questions_in, write_run
    from askance.cli.show_answers import show_answers
    from askance.cli.watch import watching

    if queries is None:
        asked, shown = only_one(question, "QUESTION"), not json and output == "table"
        found = [
            ask(
                index,
                asked,
                rewrite=rewrite,
                form=form,
                limit=limit,
                explain=explain,
                excerpts=shown,
                key_env=key_env,
            )
        ]
    else:
        questions = questions_in(queries, instead_of=question)
        with watching() as progress:
            found = ask_all(
                index,
                questions,
                rewrite=rewrite,
                form=form,
                limit=limit,
                explain=explain,
                key_env=key_env,
                progress=progress,
            )
    if run is not None:
        write_run(found, run)
    show_answers("ask", found, many=queries is not None, json=json, form=output)
