"""Published figures beside ours, each row pass or fail within its stated tolerance.

A reproduction is two files in study/published: NAME.toml, the study, and NAME.json, what was printed. The second is
read only after everything has been computed.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from importlib.resources import files
from pathlib import Path
from typing import Literal, NamedTuple

from pydantic import BaseModel, ConfigDict

from askance.core.errors import DownloadFailed, MissingExtra, UnknownName
from askance.core.progress import Progress
from askance.study.execute import OpenCollection, run_study
from askance.study.file import StudyFile, parse_study
from askance.study.results import Domain, EstimateIn, Results

Status = Literal["pass", "fail", "recomputed", "bounded", "no counts", "needs"]

ROUNDING = 1e-9  # a printed figure lies half a unit of its last digit away at most; the rest is float noise


class Published(BaseModel):
    """One printed figure.

    `measured`: the id of our figure, where it is not `id`. `tolerance`: how far ours may lie from it. `low`, `high`:
    its printed interval, and `interval_tolerance`: how far the ends of ours may lie from those (one count of n, the
    resampling noise of a printed one).
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    id: str
    figure: str
    published: float
    tolerance: float
    low: float | None = None
    high: float | None = None
    interval_tolerance: float = 0.0
    measured: str = ""
    origin: str = ""


class Row(BaseModel):
    """A printed figure and ours. `status` needs: a model or data that is not here; `why` says what."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    id: str
    figure: str
    published: float
    published_low: float | None
    published_high: float | None
    ours: EstimateIn | None
    tolerance: float
    status: Status
    why: str = ""


class Reproduction(BaseModel):
    """All rows of one reproduction."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: str
    rows: list[Row]

    @property
    def failed(self) -> int:
        return sum(row.status == "fail" for row in self.rows)


class Measured(NamedTuple):
    """One of our figures under the name that reproductions use."""

    id: str
    estimate: EstimateIn


def reproductions() -> tuple[str, ...]:
    """The names that can be reproduced."""
    folder = files("askance.study").joinpath("published")
    return tuple(sorted(entry.name.removesuffix(".toml") for entry in folder.iterdir() if entry.name.endswith(".toml")))


def study_of(name: str) -> StudyFile:
    """The study of a reproduction; UnknownName where there is none of that name."""
    if name not in reproductions():
        raise UnknownName("reproduction", name, reproductions())
    text = files("askance.study").joinpath("published", f"{name}.toml").read_text(encoding="utf-8")
    return parse_study(text, f"{name}.toml")


def reproduce(
    name: str, out: Path, *, open_collection: OpenCollection, progress: Progress | None = None
) -> Reproduction:
    """Run the study of `name` into `out`, then hold its figures against the printed ones."""
    study = study_of(name)
    ours: dict[str, EstimateIn] = {}
    lacking = ""
    try:
        results = run_study(study, out, open_collection=open_collection, progress=progress)
        ours = dict(measured_in(results))
    except (MissingExtra, DownloadFailed) as error:
        lacking = error.message
    rows = [_row(printed, ours.get(printed.measured or printed.id), lacking) for printed in _published(name)]
    return Reproduction(name=name, rows=rows)


def measured_in(results: Results) -> Iterator[Measured]:
    """Every figure of a study under its row id: SYSTEM.TIER.SUBSET.MEASURE, chance.…, control.SUBSET.TOKENS, sign.…"""
    for domain in results.domains:
        yield from _figures(domain)
        yield from _controls(domain)
        for preference in domain.preferences:
            yield Measured(
                f"sign.{preference.tier}.{preference.subset}.{preference.decoys}.{preference.tokens}",
                preference.estimate,
            )


def _figures(domain: Domain) -> Iterator[Measured]:
    chances = set()
    for figure in domain.figures:
        where = f"{figure.tier}.{figure.subset}.{figure.measure.lower()}"
        yield Measured(f"{figure.system}.{where}", figure.estimate)
        if figure.chance.expected is not None and where not in chances:
            chances.add(where)
            expected = figure.chance.expected
            yield Measured(f"chance.{where}", _exact(expected, figure.estimate.n, figure.chance.method))


def _controls(domain: Domain) -> Iterator[Measured]:
    for control in domain.controls:
        where = f"{control.system}.control.{control.tier}.{control.subset}.{control.tokens}"
        yield Measured(where, control.share_held)
        yield Measured(f"{where}.resampled", control.share_resampled)
        yield Measured(f"{where}.hit@1", control.after)
        yield Measured(f"{where}.gained", _exact(control.gained, control.after.n, "count"))
        yield Measured(f"{where}.lost", _exact(control.lost, control.after.n, "count"))


def _exact(value: float, n: int, method: str) -> EstimateIn:
    return EstimateIn(value=value, low=value, high=value, n=n, method=method)


def _published(name: str) -> list[Published]:
    text = files("askance.study").joinpath("published", f"{name}.json").read_text(encoding="utf-8")
    return [Published.model_validate(entry) for entry in json.loads(text)]


def _row(printed: Published, ours: EstimateIn | None, why: str = "") -> Row:
    status: Status = "needs"
    if ours is not None:
        why = _difference(printed, ours)
        status = "fail" if why else "pass"
    elif not why:
        why = "the study has no such figure"
        status = "fail"
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
    if abs(ours.value - printed.published) > printed.tolerance + ROUNDING:
        return f"differs by {ours.value - printed.published:+.4f}"
    for end, said, found in (("low", printed.low, ours.low), ("high", printed.high, ours.high)):
        if said is not None and (found is None or abs(found - said) > printed.interval_tolerance + ROUNDING):
            return f"the interval's {end} end is {found}, printed {said}"
    return ""


def as_json(reproduction: Reproduction) -> Mapping[str, object]:
    """The machine form: askance/study reproduce/1."""
    return {"schema": "askance/study reproduce/1", **reproduction.model_dump(mode="json")}
