"""Published figures beside ours, each row pass or fail within its stated tolerance.

A reproduction either runs a study: then it is two files in study/published, NAME.toml, the study, and NAME.json, what
was printed, which is read only after everything has been computed; a function of ADDED may compute further figures. Or
it recomputes figures from printed counts, or measures a collection that is made: then it is a function of FROM_COUNTS.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Literal, Protocol

from pydantic import BaseModel, ConfigDict

from askance.core.errors import DownloadFailed, MissingExtra, UnknownName
from askance.core.progress import Progress, Silent
from askance.core.registry import Registry
from askance.study.execute import OpenCollection, run_study
from askance.study.file import StudyFile, parse_study
from askance.study.measured import measured_in
from askance.study.results import EstimateIn

Status = Literal["pass", "fail", "recomputed", "bounded", "no counts", "needs"]

ROUNDING = 1e-9  # a printed figure lies half a unit of its last digit away at most; the rest is float noise


class Published(BaseModel):
    """One printed figure.

    `measured`: the id of our figure, where it is not `id`. `tolerance`: how far ours may lie from it. `low`, `high`:
    its printed interval, and `interval_tolerance`: how far the ends of ours may lie from those (one count of n, the
    resampling noise of a printed one). Where nothing is printed, `at_least` is what ours must reach; without it the
    figure is only told.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    id: str
    figure: str
    published: float | None = None
    tolerance: float = 0.0
    at_least: float | None = None
    low: float | None = None
    high: float | None = None
    interval_tolerance: float = 0.0
    measured: str = ""
    origin: str = ""


class Row(BaseModel):
    """A printed figure and ours.

    `published` null: nothing is printed of what we compute. `ours` with a null value and two ends: what it can be.
    `status` pass: measured here; recomputed: from printed counts, equal; bounded: printed counts allow a range that
    holds what is printed; no counts: nothing to recompute it from; needs: a model or data that is not here; `why` says
    what, or explains. `group`: which part of a long table; `about`: embedder, judge, tier …, where that is told.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    id: str
    figure: str
    published: float | None
    published_low: float | None = None
    published_high: float | None = None
    ours: EstimateIn | None
    tolerance: float
    status: Status
    why: str = ""
    group: str = ""
    about: dict[str, str] = {}


class Reproduction(BaseModel):
    """All rows of one reproduction."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: str
    rows: list[Row]

    @property
    def failed(self) -> int:
        return sum(row.status == "fail" for row in self.rows)

    @property
    def stands(self) -> bool:
        """Whether no row fails and at least one was held against a figure of ours."""
        return not self.failed and any(row.ours is not None for row in self.rows)


class Reproduce(Protocol):
    """A reproduction that is no study: it reads what it needs from the data folder, and opens collections."""

    def __call__(self, *, open_collection: OpenCollection) -> Reproduction: ...


@dataclass(frozen=True, slots=True)
class Added:
    """A figure that a study's results do not hold. `why`: what it is made of, item by item."""

    ours: EstimateIn
    why: str = ""


class AddFigures(Protocol):
    """Computes further figures of a reproduction, by row id, after its study has run."""

    def __call__(self, *, open_collection: OpenCollection, progress: Progress) -> Mapping[str, Added]: ...


ADDED: Registry[AddFigures] = Registry(
    "addition to a reproduction",
    {
        "limit": "askance.study.limit.figures:of_limit",
        "limit-small": "askance.study.limit.figures:of_limit_small",
        "trajectories": "askance.study.trajectory_views:of_trajectories",
    },
)

FROM_COUNTS: Registry[Reproduce] = Registry(
    "reproduction",
    {
        "limit-plus": "askance.study.limit.compositions:reproduce",
        "structural": "askance.study.structural.reproduction:reproduce",
    },
)


def reproductions() -> tuple[str, ...]:
    """The names that can be reproduced."""
    return tuple(sorted({*studies(), *FROM_COUNTS}))


def studies() -> tuple[str, ...]:
    """The names of reproductions that run a study."""
    folder = files("askance.study").joinpath("published")
    return tuple(sorted(entry.name.removesuffix(".toml") for entry in folder.iterdir() if entry.name.endswith(".toml")))


def study_of(name: str) -> StudyFile:
    """The study of a reproduction; UnknownName where there is none of that name."""
    if name not in studies():
        raise UnknownName("reproduction", name, reproductions())
    text = files("askance.study").joinpath("published", f"{name}.toml").read_text(encoding="utf-8")
    return parse_study(text, f"{name}.toml")


def reproduce(
    name: str, out: Path, *, open_collection: OpenCollection, progress: Progress | None = None
) -> Reproduction:
    """Compute the figures of `name` (a study runs into `out`), then hold them against the printed ones."""
    if name in FROM_COUNTS:
        return FROM_COUNTS.get(name)(open_collection=open_collection)
    study = study_of(name)
    ours: dict[str, Added] = {}
    lacking = ""
    try:
        results = run_study(study, out, open_collection=open_collection, progress=progress)
        ours = {id: Added(estimate) for id, estimate in measured_in(results)}
        if name in ADDED:
            ours |= ADDED.get(name)(open_collection=open_collection, progress=progress or Silent())
    except (MissingExtra, DownloadFailed) as error:
        lacking = error.message
    rows = [_row(printed, ours.get(printed.measured or printed.id), lacking) for printed in _published(name)]
    return Reproduction(name=name, rows=rows)


def _published(name: str) -> list[Published]:
    text = files("askance.study").joinpath("published", f"{name}.json").read_text(encoding="utf-8")
    return [Published.model_validate(entry) for entry in json.loads(text)]


def _row(printed: Published, found: Added | None, lacking: str = "") -> Row:
    status: Status = "needs"
    ours, why = None, lacking
    if found is not None:
        ours = found.ours
        difference = _difference(printed, ours)
        status = "fail" if difference else "pass"
        why = "; ".join(part for part in (difference, found.why) if part)
    elif not lacking:
        why, status = "the study has no such figure", "fail"
    return Row(
        id=printed.id,
        figure=printed.figure,
        published=printed.published,
        published_low=printed.low,
        published_high=printed.high,
        ours=ours,
        tolerance=printed.tolerance,
        status=status,
        why=why,
    )


def _difference(printed: Published, ours: EstimateIn) -> str:
    """What does not agree; empty where all does."""
    if ours.value is None:
        return ours.method
    if printed.published is not None and abs(ours.value - printed.published) > printed.tolerance + ROUNDING:
        return f"differs by {ours.value - printed.published:+.4f}"
    if printed.at_least is not None and ours.value < printed.at_least - ROUNDING:
        return f"below {printed.at_least:g}"
    for end, said, found in (("low", printed.low, ours.low), ("high", printed.high, ours.high)):
        if said is not None and (found is None or abs(found - said) > printed.interval_tolerance + ROUNDING):
            return f"the interval's {end} end is {found}, printed {said}"
    return ""


def as_json(reproduction: Reproduction) -> Mapping[str, object]:
    """The machine form: askance/study reproduce/1."""
    return {"schema": "askance/study reproduce/1", **reproduction.model_dump(mode="json")}
