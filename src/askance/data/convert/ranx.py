"""Runs and judgments for and from ranx."""

from __future__ import annotations

from typing import Any

from askance.core.errors import DataProblem
from askance.data.convert.dicts import judgments_from_dict, judgments_to_dict, run_from_dict, run_to_dict
from askance.data.convert.values import as_integers, other_tool
from askance.data.judgments import Judgments
from askance.data.run import Run


def run_from_ranx(run: Any) -> Run:
    """A run from ranx.Run, with its name."""
    return run_from_dict(_dictionary(run), getattr(run, "name", None) or "run")


def judgments_from_ranx(qrels: Any) -> Judgments:
    """Judgments from ranx.Qrels."""
    return judgments_from_dict(_dictionary(qrels))


def run_to_ranx(run: Run) -> Any:
    """ranx.Run, which orders by score; MissingExtra without ranx. DataProblem where no query has a row."""
    if not len(run):
        raise DataProblem(f"run {run.name!r} has no rows, and ranx cannot hold such a run", remedy="Leave it out.")
    return other_tool("ranx").Run(run_to_dict(run), name=run.name)


def judgments_to_ranx(judgments: Judgments) -> Any:
    """ranx.Qrels of the queries that have judgments; DataProblem on a fractional grade, which it would cut to 0."""
    as_integers(judgments.grade.tolist(), "ranx")
    if not len(judgments):
        raise DataProblem("there are no judgments, and ranx cannot hold none", remedy="Judge something.")
    rows = {query: {name: int(grade) for name, grade in row.items()} for query, row in _judged(judgments)}
    return other_tool("ranx").Qrels(rows)


def _judged(judgments: Judgments) -> list[tuple[str, dict[str, float]]]:
    return [(query, row) for query, row in judgments_to_dict(judgments).items() if row]


def _dictionary(given: Any) -> dict[str, dict[str, float]]:
    if not hasattr(given, "to_dict"):
        raise DataProblem(f"{type(given).__name__} is neither ranx.Run nor ranx.Qrels", remedy="Give one of the two.")
    return {
        str(query): {str(name): float(value) for name, value in row.items()} for query, row in given.to_dict().items()
    }
