"""What is in files of runs, judgments and texts, and all that is wrong or odd about them; nothing is measured."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from askance.core.errors import BadInput
from askance.core.progress import Progress, Silent
from askance.data.formats.layouts import Kind
from askance.data.validation import Checker, ValidatedFile, Validation

_TASK = "reading"


def validate(
    files: Sequence[str | Path],
    *,
    qrels: str | Path | None = None,
    corpus: str | Path | None = None,
    queries: str | Path | None = None,
    kind: Kind | None = None,
    progress: Progress | None = None,
) -> Validation:
    """Read every file as far as it can be read, and say all that is wrong with it, or odd.

    What a file is, its content tells (`kind` says it of all `files` instead). `qrels`: judgments whose identifiers the
    runs are held against; `corpus`, `queries`: texts that the identifiers of runs and judgments must be among, as files
    or as a BEIR folder. They are validated as well, and come first.
    """
    checker = Checker()
    against: list[tuple[Callable[[Path], ValidatedFile], str | Path | None]] = [
        (checker.corpus, corpus),
        (checker.queries, queries),
        (checker.qrels, qrels),
    ]
    told = [(check, Path(path)) for check, path in against if path is not None]
    told += [(lambda path: checker.file(path, kind), Path(path)) for path in files]
    if not told:
        raise BadInput("there is no file to validate", remedy="Name at least one.")
    progress = progress or Silent()
    progress.start(_TASK, len(told))
    found = []
    for check, path in told:
        found.append(check(path))
        progress.advance(_TASK)
    progress.finish(_TASK)
    return Validation(found)
