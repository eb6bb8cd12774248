"""askance probe COLLECTION"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer

from askance.cli.options import Form, Json


def probe(
    collection: Annotated[
        str, typer.Argument(metavar="COLLECTION", help="A BEIR folder, a public name, or STUDY.toml#domain.")
    ],
    retriever: Annotated[
        str | None, typer.Option("--retriever", help="lexical, dense, irl …; lexical unless a model is named.")
    ] = None,
    model: Annotated[
        str | None, typer.Option("--model", metavar="NAME|FILE", help="Embedder of dense: minilm, or MODEL.toml.")
    ] = None,
    command: Annotated[
        str | None,
        typer.Option(
            "--command", metavar="'PROG {queries} {run}'", help="A program that reads queries and writes a run."
        ),
    ] = None,
    system: Annotated[
        str | None, typer.Option("--system", help="One system of the study, or system+reranker; all unless told.")
    ] = None,
    field: Annotated[
        str | None, typer.Option("--field", help="Of the documents, what is searched; what they are compared by.")
    ] = None,
    tier: Annotated[
        str | None, typer.Option("--tier", help="Whose judgments tell whether an edit keeps the answer.")
    ] = None,
    edit: Annotated[
        Literal["queries", "documents"],
        typer.Option("--edit", help="What is edited: queries, or what they find first."),
    ] = "queries",
    k: Annotated[int, typer.Option("--k", min=1, max=1000, help="How many first hits count.")] = 10,
    words: Annotated[
        Literal["all", "one"], typer.Option("--words", help="All words of a class change, or one of them.")
    ] = "all",
    queries: Annotated[int, typer.Option("--queries", min=1, help="How many queries are edited at most.")] = 300,
    documents: Annotated[
        int, typer.Option("--documents", min=0, help="How many documents are sought for blind spots; 0: none.")
    ] = 100,
    draws: Annotated[int, typer.Option("--draws", min=1, max=100, help="Edits of each text and class.")] = 1,
    seed: Annotated[
        int | None, typer.Option("--seed", min=0, help="Where the draws start; the study's, else 0.")
    ] = None,
    timeout: Annotated[
        float | None, typer.Option("--timeout", min=0, help="Seconds that the command may take; no limit unless told.")
    ] = None,
    html: Annotated[Path | None, typer.Option("--html", help="Write the bill as a page with its chart.")] = None,
    json: Json = False,
    form: Form = "table",
) -> None:
    """What does this retriever read? One class of words is changed at a time. No judgments needed.

    For example: askance probe trajectories --model minilm
    """
    from askance.app.probe import probe
    from askance.cli.show import show_grid, show_json, show_lines
    from askance.cli.watch import watching
    from askance.report.probe_tables import blind_grid, probe_figures_grid, probe_grid, probe_lines, probe_notes

    with watching() as progress:
        found = probe(
            collection,
            retriever=retriever,
            model=model,
            command=command,
            system=system,
            field=field,
            tier=tier,
            side=edit,
            k=k,
            words=words,
            queries=queries,
            documents=documents,
            draws=draws,
            seed=seed,
            timeout=timeout,
            page=html,
            progress=progress,
        )
    if json:
        show_json(found.record())
    elif form != "table":
        show_grid(probe_figures_grid(found), form)
    else:
        for one in found.systems:
            show_grid(probe_grid(found, one), form)
            if one.blind:
                show_grid(blind_grid(found, one), form)
            show_lines([*probe_lines(found, one), *probe_notes(one)])
    if html is not None:
        typer.echo(f"wrote {html}", err=True)
