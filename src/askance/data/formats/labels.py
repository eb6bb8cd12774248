"""Label sets: what one judge says of (query, document) pairs, read as it stands, odd labels and all.

Judgments are refused where a grade is no number; labels are kept as text, so that whoever compares judges can say on
which line one of them wrote something else.
"""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from askance.core.errors import BadInput, FileProblem
from askance.data.formats.identifiers import identifier
from askance.data.formats.layouts import DOCUMENT_NAMES, GRADE_NAMES, QUERY_NAMES, column_of
from askance.data.formats.lines import read_json_lines
from askance.data.formats.numbers import finite
from askance.data.formats.qrels import data_lines, trec_columns

_ENDINGS = (".gz", ".txt", ".tsv", ".qrels", ".qrel", ".jsonl")
_EXPECTED = (
    "Labels are TREC rows of query, 0, document and label; rows of query, document and label parted by tabs or commas, "
    "with a header or without; or JSON lines with these keys."
)


class LabelRow(NamedTuple):
    """One row: where it stands, the pair, and the label as it is written."""

    line: int
    query: str
    document: str
    label: str

    @property
    def number(self) -> float | None:
        """The finite number that the label writes; None where it writes none."""
        return finite(self.label)


@dataclass(frozen=True)
class LabelSet:
    """The rows of one judge's file, in its order, repeated pairs included."""

    name: str
    path: Path
    rows: Sequence[LabelRow]


def read_label_set(path: Path, name: str | None = None) -> LabelSet:
    """Read one label set; `name` None: the file's, without its ending.

    FileProblem, with its line, on a row of another form, and where the file has no rows.
    """
    rows = list(_labelled_rows(path))
    if not rows:
        raise FileProblem(path, "has no labels", remedy=_EXPECTED)
    return LabelSet(name or _short(path), path, rows)


def read_label_sets(files: Sequence[Path]) -> list[LabelSet]:
    """Label sets of these files, each with a name of its own.

    They are named by their files without the ending; where two would be called alike, with it, and where that does not
    help, with the folder before. BadInput where two sets cannot be told apart.
    """
    names = [_short(file) for file in files]
    for naming in (lambda file: file.name, lambda file: f"{file.absolute().parent.name}/{file.name}"):
        names = [naming(file) if names.count(name) > 1 else name for file, name in zip(files, names, strict=True)]
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise BadInput(f"two label sets are called {twice[0]!r}", remedy="Name each file once, or rename one of them.")
    return [read_label_set(file, name) for file, name in zip(files, names, strict=True)]


def files_named(paths: Sequence[Path]) -> list[Path]:
    """These files, and in place of a folder all files in it, by name; hidden ones are passed over.

    FileProblem where a folder holds none.
    """
    return [file for path in paths for file in _files_of(path)]


def _files_of(path: Path) -> list[Path]:
    if not path.is_dir():
        return [path]
    files = sorted(file for file in path.iterdir() if file.is_file() and not file.name.startswith("."))
    if not files:
        folders = sorted(inside.name for inside in path.iterdir() if inside.is_dir())
        hint = f" Its folders: {', '.join(folders)}." if folders else ""
        raise FileProblem(path, "this folder holds no files", remedy=f"Name the folder that holds the files.{hint}")
    return files


def _short(path: Path) -> str:
    name = path.name
    for ending in _ENDINGS:
        name = name.removesuffix(ending) or name
    return name


def _labelled_rows(path: Path) -> Iterator[LabelRow]:
    first = next(data_lines(path), None)
    if first is None:
        return
    if first[1].startswith("{"):
        yield from _json_rows(path)
        return
    columns = _columns_of(path, *first)
    rows = data_lines(path)
    if columns.header:
        next(rows)
    for line, text in rows:
        cells = columns.split(text)
        if len(cells) != columns.width:
            problem = f"{len(cells)} columns, expected {columns.width} as in the first row"
            raise FileProblem(path, problem, line=line, text=text, remedy=_EXPECTED)
        query, document, label = cells[columns.query], cells[columns.document], cells[columns.label].strip()
        if not query or not document:
            raise FileProblem(path, "an identifier is empty", line=line, text=text, remedy="Fill it in.")
        yield LabelRow(line, query, document, label)


class _Columns(NamedTuple):
    """Which column holds what, how many there are, how a line is split, and whether the first row is a header."""

    query: int
    document: int
    label: int
    width: int
    split: Callable[[str], list[str]]
    header: bool


def _columns_of(path: Path, line: int, text: str) -> _Columns:
    for split in (_by_tab, _by_comma, trec_columns):
        names = split(text)
        found = [column_of(names, wanted) for wanted in (QUERY_NAMES, DOCUMENT_NAMES, GRADE_NAMES)]
        query, document, label = found
        if query is not None and document is not None and label is not None and len(set(found)) == 3:
            return _Columns(query, document, label, len(names), split, header=True)
    for split in (_by_tab, trec_columns, _by_comma):
        cells = split(text)
        if len(cells) == 4 and split is not _by_comma:
            return _Columns(0, 2, 3, 4, split, header=False)
        if len(cells) == 3 and (split is _by_tab or finite(cells[2].strip()) is not None):
            return _Columns(0, 1, 2, 3, split, header=False)
    raise FileProblem(path, "this is no row of labels", line=line, text=text, remedy=_EXPECTED)


def _by_tab(text: str) -> list[str]:
    return text.split("\t")


def _by_comma(text: str) -> list[str]:
    return next(csv.reader([text]), [])


def _json_rows(path: Path) -> Iterator[LabelRow]:
    for line, record in read_json_lines(path):
        query = identifier(record, _key(record, QUERY_NAMES), path, line)
        document = identifier(record, _key(record, DOCUMENT_NAMES), path, line)
        (key,) = _key(record, GRADE_NAMES)
        if key not in record:
            has = ", ".join(map(repr, record))
            raise FileProblem(path, f"there is no label; the record has {has}", line=line, remedy=_EXPECTED)
        value = record[key]
        yield LabelRow(line, query, document, value if isinstance(value, str) else repr(value))


def _key(record: Mapping[str, object], wanted: Sequence[str]) -> tuple[str]:
    """Which key of a record is called by one of these names; the first of them where none is."""
    names = list(record)
    at = column_of(names, wanted)
    return (wanted[0] if at is None else names[at],)
