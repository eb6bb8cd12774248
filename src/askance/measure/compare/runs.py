"""Compared runs: the systems, where they come from, and what was found between them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from askance.core.estimate import Estimate
from askance.data.problems import Problem
from askance.measure.compare.results import Comparisons
from askance.measure.evaluation import QueryCounts
from askance.measure.order import TiePolicy


@dataclass(frozen=True, eq=False)
class ComparedRun:
    """One system: the name it goes by, its file, each measure by its name, and what became of its queries."""

    name: str
    path: Path
    measures: Mapping[str, Estimate]
    counts: QueryCounts
    problems: Sequence[Problem]

    def record(self) -> dict[str, object]:
        """The machine form."""
        return {
            "name": self.name,
            "file": str(self.path),
            "measures": {name: estimate.record() for name, estimate in self.measures.items()},
            "counts": self.counts.record(),
            "problems": [problem.record() for problem in self.problems],
        }


@dataclass(frozen=True, eq=False)
class Compared:
    """What was compared, and what was found. `problems`: of judgments, groups and slices."""

    runs: Sequence[ComparedRun]
    ties: TiePolicy
    found: Comparisons
    problems: Sequence[Problem]

    def record(self, *, per_query: bool = False) -> dict[str, object]:
        """The machine form: askance/compare/1; with `per_query` every query on which two systems differ."""
        return {
            "schema": "askance/compare/1",
            "ties": self.ties,
            "problems": [problem.record() for problem in self.problems],
            "runs": [run.record() for run in self.runs],
            **self.found.record(per_query=per_query),
        }
