"""What validation found, as tables and sentences."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from askance.data.problems import Problem
from askance.data.validation import ValidatedFile, Validation
from askance.report.grid import Column, Grid
from askance.report.numbers import count, counted

_FINE = ("fine", "", "", "", "", "")


def files_grid(found: Validation) -> Grid:
    """A row a file: what it is, how much is in it, how many problems it has."""
    columns = (
        Column("file"),
        Column("is"),
        Column("rows", True),
        Column("queries", True),
        Column("documents", True),
        Column("errors", True),
        Column("warnings", True),
    )
    return Grid("Files", columns, [_file_row(file) for file in found.files])


def problems_grid(found: Validation) -> Grid:
    """A row a problem, files without one having one row too: the whole validation as one table for machines."""
    columns = (
        Column("file"),
        Column("kind"),
        Column("rows", True),
        Column("severity"),
        Column("line", True),
        Column("count", True),
        Column("problem"),
        Column("the line reads"),
        Column("remedy"),
    )
    rows = [
        [file.name, file.kind, str(file.rows), *cells]
        for file in found.files
        for cells in [_problem_cells(problem) for problem in file.problems] or [_FINE]
    ]
    return Grid("Problems", columns, rows)


def problem_lines(found: Validation) -> Iterator[str]:
    """Every problem with file and line, the line itself and the remedy; then what it comes to."""
    for file in found.files:
        for problem in file.problems:
            yield f"{problem.severity}: {problem.said(file.name)}"
            if problem.reads is not None:
                yield f"  the line reads: {problem.reads[:120]!r}"
            yield f"  {problem.remedy}"
    warnings = sum(file.count("warning") for file in found.files)
    files = counted(len(found.files), "file", "files")
    yield f"{files}: {counted(found.errors, 'error', 'errors')}, {counted(warnings, 'warning', 'warnings')}"


def _file_row(file: ValidatedFile) -> list[str]:
    figures = (file.rows, file.queries, file.documents, file.count("error"), file.count("warning"))
    kind = f"{file.kind}, {file.form}" if file.form else file.kind
    return [Path(file.name).name or file.name, kind, *(count(figure) for figure in figures)]


def _problem_cells(problem: Problem) -> tuple[str, ...]:
    line = "" if problem.line is None else str(problem.line)
    return (problem.severity, line, str(problem.count), problem.text, problem.reads or "", problem.remedy)
