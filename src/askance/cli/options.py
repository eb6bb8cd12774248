"""Options that several verbs share."""

from __future__ import annotations

from typing import Annotated, Literal

import typer

Json = Annotated[bool, typer.Option("--json", help="One JSON document on stdout; everything else goes to stderr.")]
Form = Annotated[Literal["table", "csv", "markdown", "latex"], typer.Option("--format", help="How tables are printed.")]
