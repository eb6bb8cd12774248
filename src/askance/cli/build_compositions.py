"""askance build compositions"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from askance.cli.options import Json


def compositions(
    collection: Annotated[str, typer.Argument(metavar="DATA", help="A BEIR folder, or a public name.")],
    into: Annotated[Path, typer.Option("--into", metavar="DIR", help="A new folder; nothing is overwritten.")],
    each: Annotated[int, typer.Option("--each", min=0, help="Questions of each of the seven templates.")] = 100,
    questions: Annotated[
        list[str] | None,
        typer.Option("--questions", metavar="TEMPLATE=COUNT", help="one, or, or_or, and, and_both, and_not, not."),
    ] = None,
    seed: Annotated[int, typer.Option("--seed", min=0)] = 0,
    most: Annotated[int, typer.Option("--most", min=1, help="Gold documents of a question, at most.")] = 200,
    relation: Annotated[
        str | None, typer.Option("--relation", help="Which one is asked for; unless told, the most frequent.")
    ] = None,
    pattern: Annotated[
        str | None,
        typer.Option("--pattern", help="How documents split: a regular expression, groups name, relation, items."),
    ] = None,
    json: Json = False,
) -> None:
    """Questions that join the items of a collection by and, or, not, with all their gold."""
    from askance.app.build import counts_of
    from askance.app.build_compositions import build_compositions
    from askance.cli.show import show_json, show_lines
    from askance.cli.watch import watching

    with watching() as progress:
        made = build_compositions(
            collection,
            into,
            each=each,
            questions=counts_of(questions or [], "--questions"),
            seed=seed,
            most=most,
            relation=relation,
            pattern=pattern,
            progress=progress,
        )
    if json:
        show_json(made.record())
    else:
        show_lines(made.lines())
