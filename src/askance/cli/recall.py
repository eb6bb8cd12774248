"""askance recall DIR "task" """

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from askance.cli.options import Json


def recall(
    path: Annotated[
        Path, typer.Argument(metavar="DIR", help="A folder that build trajectories wrote, or logs of an agent.")
    ],
    task: Annotated[str, typer.Argument(metavar="TASK", help="What is to be done, in words.")],
    state: Annotated[str | None, typer.Option("--state", help="What the agent sees now.")] = None,
    k: Annotated[int, typer.Option("-k", min=1, help="How many to recall at most.")] = 5,
    embedder: Annotated[
        str | None, typer.Option("--embedder", help="A name, or a TOML file of settings; words alone unless told.")
    ] = None,
    json: Json = False,
) -> None:
    """What was done before that is like this? With what for what, and from which step on; or nothing."""
    from askance.app.recall import recall, said
    from askance.cli.show import show_json, show_lines

    answer = recall(path, task, state, k=k, embedder=embedder)
    if json:
        show_json(answer.record())
    else:
        show_lines(said(answer))
