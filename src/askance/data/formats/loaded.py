"""Runs and judgments from files of any form: what was read, and what was odd about it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from askance.data.formats.examine import examine
from askance.data.interning import Interner
from askance.data.judgments import Judgments
from askance.data.problems import Problem
from askance.data.run import Run


@dataclass(frozen=True, eq=False)
class LoadedRun:
    """A run over its file's own queries and documents, in order of first appearance.

    The rows of a query are in the order of the file: which ranking they make is decided later, by scores and a rule for
    ties. `form`: TREC, JSON lines, CSV, … `tags`: the systems that a tag column names. `problems`: warnings, counted.
    """

    run: Run
    path: Path
    form: str
    tags: tuple[str, ...]
    problems: tuple[Problem, ...]


@dataclass(frozen=True, eq=False)
class LoadedQrels:
    """Judgments over their file's own queries and documents, in order of first appearance."""

    judgments: Judgments
    path: Path
    form: str
    problems: tuple[Problem, ...]


def read_run_file(path: str | Path, name: str | None = None, documents: Interner | None = None) -> LoadedRun:
    """Read a run: TREC, JSON lines, JSON, CSV, TSV or Parquet, told by content; plain, gzip or zstd.

    `name`: the run's, else the file's without .gz (.zst). Identifiers are text and stay as they are (7, 07 and 7.0
    differ); rows of a query need not stand together. FileProblem, with file, line and remedy, on a row of another form,
    a score that is no finite number, a document listed twice for a query.

    `documents`: several files that are given the same one are over one set of documents, so that fitting them to each
    other costs nothing; a run then has more documents than it lists.
    """
    path = Path(path)
    found = examine(path, "run", all_errors=False, documents=documents)
    called = name or path.name.removesuffix(".gz").removesuffix(".zst")
    form = found.form.name if found.form else "empty"
    return LoadedRun(found.columns.run(called), path, form, found.columns.tags, found.problems)


def read_qrels_file(path: str | Path, documents: Interner | None = None) -> LoadedQrels:
    """Read judgments: TREC, BEIR, JSON lines, JSON, CSV, TSV or Parquet, told by content; plain, gzip or zstd.

    Grades are kept as they are, fractions and negative ones too. FileProblem, with file, line and remedy, on a row of
    another form, a grade that is no finite number, a pair that comes twice, and where there are no rows. `documents`:
    as of `read_run_file`.
    """
    path = Path(path)
    found = examine(path, "qrels", all_errors=False, documents=documents)
    return LoadedQrels(found.columns.judgments(), path, found.form.name if found.form else "empty", found.problems)
