"""askance build trajectories LOGS --into DIR"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from askance.cli.options import Json


def trajectories(
    logs: Annotated[
        Path | None, typer.Argument(metavar="LOGS", help="A file or folder of agent logs: .json, .jsonl, .parquet.")
    ] = None,
    into: Annotated[
        Path, typer.Option("--into", metavar="DIR", help="A new folder; with --check, the one the sheet is from.")
    ] = Path("trajectories"),
    rules: Annotated[
        Path | None,
        typer.Option("--rules", metavar="TOML", help="Types and slots; induced from the goals unless told."),
    ] = None,
    queries: Annotated[
        Path | None, typer.Option("--queries", metavar="JSONL", help="id, text, type; the logs' goals unless told.")
    ] = None,
    seed: Annotated[int, typer.Option("--seed", min=0)] = 0,
    asked: Annotated[int | None, typer.Option("--asked", min=1, help="At most how many goals are asked.")] = None,
    audit: Annotated[int, typer.Option("--audit", min=1, help="How many labels are drawn for a check by hand.")] = 60,
    most_slots: Annotated[int, typer.Option("--slots", min=1, help="How many slots the tiers vary at most.")] = 3,
    check: Annotated[
        Path | None, typer.Option("--check", metavar="CSV", help="Hold a filled-in audit sheet against the labels.")
    ] = None,
    json: Json = False,
) -> None:
    """Done alike, looks different: a benchmark of procedural memory from any logs, with tiers of disguise."""
    from askance.app.build_trajectories import (
        build_trajectories,
        chance_grid,
        check_trajectories,
        next_step,
        said,
        said_of_check,
    )
    from askance.build.trajectories.settings import TrajectorySettings
    from askance.cli.show import show_grid, show_json, show_lines
    from askance.core.errors import BadInput

    if (logs is None) == (check is None):
        raise BadInput("name either logs or a sheet to --check", remedy="askance build trajectories LOGS --into DIR")
    if check is not None:
        found = check_trajectories(into, check)
        if json:
            show_json(found.record())
        else:
            show_lines(said_of_check(found))
        return
    assert logs is not None
    settings = TrajectorySettings(seed=seed, queries=asked, audit=audit, most_slots=most_slots)
    made = build_trajectories(logs, into, rules=rules, queries=queries, settings=settings)
    if json:
        show_json(made.manifest)
    else:
        show_lines(said(made))
        show_grid(chance_grid(made), "table")
        show_lines(next_step(made))
