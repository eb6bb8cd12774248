"""The reproduction `structural`: every printed figure of source 000, from its counts, labels and outcomes per query."""

from __future__ import annotations

from collections.abc import Iterator

from askance.core.errors import DownloadFailed
from askance.data.collection import Collection
from askance.study.execute import OpenCollection
from askance.study.reproduce import Reproduction, Row
from askance.study.structural.figures import recompute
from askance.study.structural.finding import row_of
from askance.study.structural.groups import corrected_rows
from askance.study.structural.inconsistencies import inconsistencies
from askance.study.structural.source import FILES, FOLDER, Source, find_folder

NAME = "structural"

# What every row stands for where the data is not here, and how many.
_GROUPS = {
    "math": "mathematical retrieval: embedders, tiers, judges",
    "traj": "trajectory retrieval: embedders, subsets, judges, chance, gate",
    "solver": "the solver with and without retrieved problems",
    "solver_pilot": "pilots of the solver",
    "pilot6": "answers of the pilot that were cut",
    "audit": "labels audited by hand",
    "spend": "money and calls",
    "meta": "seeds",
    "contamination": "Fisher's p of each cell, corrected",
    "inconsistency": "where the source's words and its figures part",
}


def reproduce(*, open_collection: OpenCollection) -> Reproduction:
    """All rows: the printed figures in the order of the data, then Fisher's p of the cells, then the inconsistencies.

    Nothing is downloaded: the data belongs to no public collection. Where it is not here every row needs it.
    """
    folder = find_folder()
    if folder is None:
        return Reproduction(name=NAME, rows=list(_lacking()))
    source = Source(folder, _trajectories(open_collection))
    rows = [row_of(printed, recompute(printed, source)) for printed in source.printed.values()]
    return Reproduction(name=NAME, rows=[*rows, *corrected_rows(source), *inconsistencies(source)])


def _trajectories(open_collection: OpenCollection) -> Collection | None:
    try:
        return open_collection("trajectories")
    except DownloadFailed:
        return None


def _lacking() -> Iterator[Row]:
    why = f"the folder {FOLDER} with {FILES[0].rpartition('/')[2]} and the rest: name the data folder with --data"
    for group, said in _GROUPS.items():
        yield Row(
            id=f"{group}/all",
            figure=said,
            published=None,
            ours=None,
            tolerance=0.0,
            status="needs",
            why=why,
            group=group,
        )
