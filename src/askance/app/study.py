"""Studies: run one with its report, reproduce published figures, begin one for your own data."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from askance.core.errors import BadInput
from askance.core.files import write_whole
from askance.core.progress import Progress
from askance.report.page import render
from askance.study.collections import open_collection
from askance.study.execute import run_study
from askance.study.file import read_study
from askance.study.reproduce import Reproduction, reproduce
from askance.study.results import Results
from askance.study.start import starting_file


@dataclass(frozen=True)
class StudyRun:
    """What a study found, and the folder that holds it."""

    results: Results
    folder: Path

    @property
    def report(self) -> Path:
        return self.folder / "report.html"


def run(
    study: str | Path,
    out: str | Path | None = None,
    *,
    resume: bool = False,
    past_gate: str | None = None,
    progress: Progress | None = None,
) -> StudyRun:
    """Run everything that a study file names: writes results.json, runs/, ledger.sqlite, manifest.json, report.html.

    `out`: the result folder, out/STUDY-NAME unless told. What it holds from an earlier run is used again. CheckFailed
    where a gate of the study fails, unless `past_gate` says why to go on; results and report print the reason.
    """
    path = Path(study)
    file = read_study(path)
    folder = Path(out) if out else Path("out") / file.study.name
    results = run_study(
        file,
        folder,
        open_collection=partial(open_collection, beside=path.parent, progress=progress),
        study_folder=path.parent,
        resume=resume,
        past_gate=past_gate,
        progress=progress,
    )
    found = StudyRun(results, folder)
    write_whole(found.report, render(results))
    return found


def reproduce_published(name: str, data: str | Path | None = None, *, progress: Progress | None = None) -> Reproduction:
    """Published figures beside ours. `data`: the folder of real data, where it is not found by itself.

    Collections made by the package never stand in for real ones here.
    """
    with _data_folder(Path(data) if data else None), tempfile.TemporaryDirectory(prefix="askance-") as scratch:
        return reproduce(
            name,
            Path(scratch) / "run",
            open_collection=partial(open_collection, progress=progress, or_made=False),
            progress=progress,
        )


def init(collections: Sequence[str], into: str | Path | None = None) -> str:
    """A commented study file for these collections; written to `into` where given (never over another file)."""
    text = starting_file([(name, open_collection(name)) for name in collections])
    if into is not None:
        if Path(into).exists():
            raise BadInput(f"{into} exists already", remedy="Choose another name with --into, or remove it.")
        write_whole(Path(into), text)
    return text


@contextmanager
def _data_folder(data: Path | None) -> Iterator[None]:
    """Let `data` be the data folder for a while."""
    if data is None:
        yield
        return
    if not data.is_dir():
        raise BadInput(f"{data} is no folder", remedy="Name the folder of real data with --data.")
    before = os.environ.get("ASKANCE_DATA")
    os.environ["ASKANCE_DATA"] = str(data)
    try:
        yield
    finally:
        if before is None:
            del os.environ["ASKANCE_DATA"]
        else:
            os.environ["ASKANCE_DATA"] = before
