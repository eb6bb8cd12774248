"""Everything that can be said of a file of a run or of judgments: its rows, and all that is wrong or odd about it."""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from askance.core.errors import BadInput, DataProblem, FileProblem
from askance.data.formats.layouts import Kind
from askance.data.formats.lines import read_lines
from askance.data.formats.oddities import qrels_oddities, repeated_pairs, run_oddities
from askance.data.formats.recognise import Form, recognise
from askance.data.formats.table_blocks import read_table_blocks
from askance.data.formats.table_rows import Entry, WithoutHits, table_rows
from askance.data.ids import Ids
from askance.data.interning import Interner
from askance.data.pair_columns import NO_RANK, PairColumns
from askance.data.problems import Problem, raise_first_error

_SHOWN = 5
_AFTER_ALL_LINES = 2**63


@dataclass(frozen=True, eq=False)
class Examined:
    """A file as it was found. `form` None: there is nothing in it, or nothing that can be read.

    `problems`: errors, in the order of the file, then warnings. With an error, `columns` holds the rows without one.
    """

    path: Path
    kind: Kind | None
    form: Form | None
    columns: PairColumns
    problems: tuple[Problem, ...]


def examine(
    path: Path, kind: Kind | None = None, *, all_errors: bool = True, documents: Interner | None = None
) -> Examined:
    """Read a file that is said to hold a run or judgments (None: either), by bulk where it is plain.

    Of each kind of error the first few are told one by one, the others counted. Unless `all_errors`, the first one is
    raised as FileProblem, with file, line and remedy. `documents`: names from other files, which a file that is read in
    bulk goes on numbering.
    """
    try:
        form = recognise(path, kind)
    except FileProblem as error:
        if not all_errors:
            raise
        return Examined(path, kind, None, _nothing(), (_problem(error),))
    columns, errors = (_nothing(), []) if form is None else _read(path, form, all_errors, documents)
    found = form.kind if form else kind
    odd = qrels_oddities(columns) if found == "qrels" else run_oddities(columns)
    problems = (*errors, *odd)
    if not all_errors:
        raise_first_error(problems, path)
    return Examined(path, found, form, columns, problems)


def _read(path: Path, form: Form, all_errors: bool, documents: Interner | None) -> tuple[PairColumns, list[Problem]]:
    errors: list[Problem] = []
    try:
        in_bulk = _in_bulk(path, form, documents or Interner())
    except BadInput as error:
        if not all_errors:
            raise
        return _nothing(), [_problem(error)]
    columns = in_bulk if in_bulk is not None else _one_by_one(path, form, errors, all_errors)
    if columns.has_repeats():
        repeats = repeated_pairs(columns, form.kind, lambda rows: _lines_of(path, form, columns, rows))
        errors += _with_texts(path, repeats)
        columns = columns.without_repeats()
    return columns, sorted(errors, key=lambda error: error.line or _AFTER_ALL_LINES)


def _in_bulk(path: Path, form: Form, documents: Interner) -> PairColumns | None:
    """All rows at once; None where a row is out of the ordinary."""
    if form.layout is not None:
        return read_table_blocks(path, form.layout, documents)
    # most files are tables, and these readers take time to import
    from askance.data.formats.json_blocks import read_hits_blocks, read_record_blocks

    if form.shape == "parquet":
        return _parquet(path, form.kind)
    if form.shape == "mapping":
        return _mapping(path, form.kind)
    return read_hits_blocks(path, documents) if form.shape == "hits" else read_record_blocks(path, form.kind, documents)


def _parquet(path: Path, kind: Kind) -> PairColumns:
    import polars

    from askance.data.formats.frames import pairs_of_frame

    try:
        frame = polars.read_parquet(path)
    except polars.exceptions.PolarsError as error:
        raise FileProblem(path, f"the Parquet data is damaged: {error}", remedy="Fetch or write it again.") from None
    try:
        return pairs_of_frame(frame, kind, "the table", first_row=1)
    except DataProblem as error:
        raise FileProblem(path, error.message, remedy=error.remedy) from None


def _mapping(path: Path, kind: Kind) -> PairColumns:
    from askance.data.formats.json_rows import mapping_of

    rows: list[Entry | WithoutHits] = []
    for query, judged in mapping_of(path, kind).items():
        rows += [Entry(0, query, document, float(value)) for document, value in judged.items()] or [WithoutHits(query)]
    return replace(_gathered(iter(rows), [], raising=None), line=None)


def _rows(path: Path, form: Form) -> Iterator[Entry | Problem | WithoutHits]:
    if form.layout is not None:
        return table_rows(path, form.layout, form.kind)
    from askance.data.formats.json_rows import hits_rows, record_rows

    return hits_rows(path) if form.shape == "hits" else record_rows(path, form.kind)


def _one_by_one(path: Path, form: Form, errors: list[Problem], all_errors: bool) -> PairColumns:
    found: list[Problem] = []
    columns = _gathered(_rows(path, form), found, raising=None if all_errors else path)
    errors += _first_of_each_kind(found)
    return columns


def _gathered(
    rows: Iterator[Entry | Problem | WithoutHits], errors: list[Problem], *, raising: Path | None
) -> PairColumns:
    """The rows as columns; what is wrong goes into `errors`, or is raised as being about the file `raising`."""
    queries: dict[str, int] = {}
    documents: dict[str, int] = {}
    tags: dict[str, None] = {}
    query, document, line, rank, value = array("i"), array("i"), array("q"), array("i"), array("d")
    try:
        for row in rows:
            if isinstance(row, Entry):
                query.append(queries.setdefault(row.query, len(queries)))
                document.append(documents.setdefault(row.document, len(documents)))
                line.append(row.line)
                value.append(row.value)
                rank.append(row.rank)
                tags.setdefault(row.tag)
            elif isinstance(row, Problem):
                if raising is not None:
                    raise row.error(raising)
                errors.append(row)
            else:
                queries.setdefault(row, len(queries))
    except FileProblem as error:
        if raising is not None:
            raise
        errors.append(replace(_problem(error), text=f"{error.problem}; reading stopped there"))
    ranks = np.array(rank, dtype=np.int32)
    return PairColumns(
        Ids(queries),
        Ids(documents),
        np.array(query, dtype=np.int32),
        np.array(document, dtype=np.int32),
        np.array(value, dtype=np.float64),
        ranks if (ranks != NO_RANK).any() else None,
        np.array(line, dtype=np.int64),
        tuple(tag for tag in tags if tag),
    )


def _nothing() -> PairColumns:
    return _gathered(iter(()), [], raising=None)


def _problem(error: BadInput) -> Problem:
    if isinstance(error, FileProblem):
        return Problem("error", error.problem, error.remedy or "", error.line, error.text)
    return Problem("error", error.message, error.remedy or "")


def _first_of_each_kind(errors: list[Problem]) -> list[Problem]:
    """The first few of each kind as they are, and one for all that follow; a kind is what has one remedy."""
    seen: Counter[str] = Counter()
    told = []
    for error in errors:
        seen[error.remedy] += 1
        if seen[error.remedy] <= _SHOWN:
            told.append(error)
    for remedy, count in seen.items():
        if count > _SHOWN:
            more = count - _SHOWN
            told.append(Problem("error", f"{more:,} more rows are wrong in this way", remedy, count=more))
    return told


def _lines_of(path: Path, form: Form, columns: PairColumns, rows: NDArray[np.int64]) -> list[int | None]:
    """On which lines these rows stand; None where the file has no lines."""
    if form.shape in ("parquet", "mapping"):
        return [None] * len(rows)
    if columns.line is not None:
        return [int(line) for line in columns.line[rows]]
    entries = (row for row in _rows(path, form) if isinstance(row, Entry))
    wanted = set(rows.tolist())
    found = {at: row.line for at, row in enumerate(islice(entries, max(wanted, default=-1) + 1)) if at in wanted}
    return [found.get(row) for row in rows.tolist()]


def _with_texts(path: Path, problems: Iterable[Problem]) -> list[Problem]:
    """The same problems, with the lines they are about."""
    told = list(problems)
    wanted = {problem.line for problem in told if problem.line is not None}
    last = max(wanted, default=0)
    texts = {line: text for line, text in islice(read_lines(path), last) if line in wanted} if wanted else {}
    return [replace(problem, reads=texts.get(problem.line or 0)) for problem in told]
