"""askance recall DIR "task", and askance recall DIR --add LOGS"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from askance.cli.options import Json


def recall(
    path: Annotated[
        Path, typer.Argument(metavar="DIR", help="A folder that build trajectories wrote, or logs of an agent.")
    ],
    task: Annotated[str | None, typer.Argument(metavar="TASK", help="What is to be done, in words.")] = None,
    state: Annotated[str | None, typer.Option("--state", help="What the agent sees now.")] = None,
    k: Annotated[int, typer.Option("-k", min=1, help="How many to recall at most.")] = 5,
    embedder: Annotated[
        str | None, typer.Option("--embedder", help="A name, or a TOML file of settings; words alone unless told.")
    ] = None,
    add: Annotated[
        Path | None, typer.Option("--add", metavar="LOGS", help="Append these logs; a new memory where DIR is not yet.")
    ] = None,
    keep_slots: Annotated[bool, typer.Option("--keep-slots", help="With --add: do not learn the slots again.")] = False,
    json: Json = False,
) -> None:
    """What was done before that is like this? With what for what, and from which step on; or nothing.

    For example: askance recall logs.jsonl "put a hot cup in the cabinet"
    """
    from askance.app.recall import recall, recall_add, said, said_of_added
    from askance.cli.show import show_json, show_lines
    from askance.core.errors import BadInput

    if (task is None) == (add is None):
        raise BadInput("name either a task or logs to --add", remedy='askance recall DIR "what is to be done"')
    if add is not None:
        found = recall_add(path, add, relearn=not keep_slots)
        show_json(found.record()) if json else show_lines(said_of_added(found))
        return
    assert task is not None
    answer = recall(path, task, state, k=k, embedder=embedder)
    if json:
        show_json(answer.record())
    else:
        show_lines(said(answer))
