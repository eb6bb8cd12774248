"""Options that several verbs share."""

from __future__ import annotations

from typing import Annotated, Literal

import typer

Json = Annotated[bool, typer.Option("--json", help="One JSON document on stdout; everything else goes to stderr.")]
Form = Annotated[Literal["table", "csv", "markdown", "latex"], typer.Option("--format", help="How tables are printed.")]
Qrels = Annotated[
    list[str], typer.Option("--qrels", help="Judgments; NAME=FILE, repeated, for several definitions of gold.")
]
Measures = Annotated[str, typer.Option("--measures", help="Names after ir_measures, separated by spaces or commas.")]
Ties = Annotated[
    Literal["expected", "trec", "input", "optimistic", "pessimistic"],
    typer.Option("--ties", help="Equal scores: the exact mean over their orders, or one order."),
]
USUAL_MEASURES = "nDCG@10 AP RR@10 Recall@100 Hit@1"
