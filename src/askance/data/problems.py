"""What is wrong, or odd, with data: found, counted, and said with its remedy."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from os import PathLike
from typing import Literal, TypedDict

from askance.core.errors import FileProblem

Severity = Literal["error", "warning"]


class ProblemRecord(TypedDict):
    """A problem as JSON; `line` counts from 1, null where the whole file is meant; `reads`: the line itself."""

    severity: Severity
    line: int | None
    text: str
    reads: str | None
    remedy: str
    count: int


@dataclass(frozen=True, slots=True)
class Problem:
    """One kind of trouble: an error cannot be gone on with, a warning can.

    `text`: what was found. `line`: the first line that has it, from 1; None where no single line does. `reads`: that
    line, as it stands. `count`: how many rows, queries or identifiers have it (what it counts, `text` says).
    """

    severity: Severity
    text: str
    remedy: str
    line: int | None = None
    reads: str | None = None
    count: int = 1

    def error(self, path: str | PathLike[str]) -> FileProblem:
        """The same as an exception about a file."""
        return FileProblem(path, self.text, line=self.line, text=self.reads, remedy=self.remedy)

    def said(self, path: str | PathLike[str]) -> str:
        """In one line, with file and line number, without the remedy."""
        where = f"{path}:{self.line}" if self.line is not None else str(path)
        return f"{where}: {self.text}"

    def record(self) -> ProblemRecord:
        """The machine form."""
        return {
            "severity": self.severity,
            "line": self.line,
            "text": self.text,
            "reads": self.reads,
            "remedy": self.remedy,
            "count": self.count,
        }


def raise_first_error(problems: Iterable[Problem], path: str | PathLike[str]) -> None:
    """FileProblem for the first error among `problems`, if there is one."""
    for problem in problems:
        if problem.severity == "error":
            raise problem.error(path)


def examples(names: Iterable[str], shown: int = 3) -> str:
    """The first few, quoted, and dots where there are more."""
    some: list[str] = []
    for name in names:
        if len(some) == shown:
            return ", ".join(some) + " …"
        some.append(repr(name))
    return ", ".join(some)
