"""Runs and judgments from whatever holds them: a path, a dictionary, a frame, another tool's object."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from os import PathLike
from pathlib import Path
from typing import Any

from askance.core.errors import BadInput
from askance.data.convert.dicts import judgments_from_dict, run_from_dict
from askance.data.convert.frames import is_pandas, is_polars, judgments_from_frame, run_from_frame
from askance.data.convert.ir_measures import judgments_from_ir_measures, run_from_ir_measures
from askance.data.convert.ranx import judgments_from_ranx, run_from_ranx
from askance.data.formats.loaded import LoadedQrels, LoadedRun, read_qrels_file, read_run_file
from askance.data.judgments import Judgments
from askance.data.run import Run

_TAKEN = "a path, {query: {document: number}}, a frame of pandas or polars, tuples of ir_measures, an object of ranx"


def as_run(given: Any, name: str | None = None) -> Run:
    """A run from a file or from anything in memory that holds one; BadInput where it holds none.

    `name`: the run's; else its file's, its own, or "run".
    """
    if isinstance(given, LoadedRun):
        return given.run
    if isinstance(given, Run):
        return given
    if isinstance(given, str | PathLike):
        return read_run_file(Path(given), name).run
    if isinstance(given, Mapping):
        return run_from_dict(given, name or "run")
    if is_pandas(given) or is_polars(given):
        return run_from_frame(given, name or "run")
    if _is_of_ranx(given):
        return run_from_ranx(given)
    if isinstance(given, Iterable):
        return run_from_ir_measures(given, name or "run")
    raise BadInput(f"{type(given).__name__} holds no run", remedy=f"Give {_TAKEN}.")


def as_judgments(given: Any) -> Judgments:
    """Judgments from a file or from anything in memory that holds them; BadInput where it holds none."""
    if isinstance(given, LoadedQrels):
        return given.judgments
    if isinstance(given, Judgments):
        return given
    if isinstance(given, str | PathLike):
        return read_qrels_file(Path(given)).judgments
    if isinstance(given, Mapping):
        return judgments_from_dict(given)
    if is_pandas(given) or is_polars(given):
        return judgments_from_frame(given)
    if _is_of_ranx(given):
        return judgments_from_ranx(given)
    if isinstance(given, Iterable):
        return judgments_from_ir_measures(given)
    raise BadInput(f"{type(given).__name__} holds no judgments", remedy=f"Give {_TAKEN}.")


def _is_of_ranx(given: object) -> bool:
    return type(given).__module__.partition(".")[0] == "ranx"
