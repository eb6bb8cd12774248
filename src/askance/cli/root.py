"""All verbs, joined."""

from __future__ import annotations

from typing import Annotated

import typer

import askance
from askance.cli import build, data, study
from askance.cli.agree import agree
from askance.cli.ask import ask
from askance.cli.compare import compare
from askance.cli.diagnose import diagnose
from askance.cli.drift import drift
from askance.cli.evaluate import evaluate
from askance.cli.fix import fix
from askance.cli.hardness import hardness
from askance.cli.index import index
from askance.cli.lint import lint
from askance.cli.probe import probe
from askance.cli.recall import recall
from askance.cli.search import search
from askance.cli.sign import sign
from askance.cli.validate import validate
from askance.cli.verify import verify
from askance.cli.why_not import why_not

app = typer.Typer(
    name="askance",
    help="Find what a retriever overlooks, and measure how much, when the right document looks nothing like the query.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.add_typer(study.app, name="study")
app.add_typer(data.app, name="data")
app.add_typer(build.app, name="build")
app.command()(evaluate)
app.command()(compare)
app.command()(validate)
app.command()(sign)
app.command()(hardness)
app.command()(lint)
app.command()(agree)
app.command()(drift)
app.command()(verify)
app.command()(diagnose)
app.command()(probe)
app.command()(fix)
app.command()(index)
app.command()(search)
app.command()(ask)
app.command("why-not")(why_not)
app.command()(recall)


def _version(asked: bool) -> None:
    if asked:
        typer.echo(f"askance {askance.__version__}")
        raise typer.Exit


@app.callback()
def root(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Say it and stop.")
    ] = False,
) -> None:
    """Only here to hold --version."""
