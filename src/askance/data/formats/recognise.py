"""What a file of a run or of judgments is, told by what stands in it, never by its name."""

from __future__ import annotations

import csv
import itertools
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from askance.core.errors import FileProblem
from askance.data.formats.layouts import (
    QUERY_NAMES,
    SAID,
    TREC_QRELS,
    TREC_RUN,
    Kind,
    Layout,
    Separator,
    column_of,
    kind_of_columns,
    layout_of_header,
)
from askance.data.formats.lines import json_object, read_json, read_lines
from askance.data.formats.numbers import finite
from askance.data.formats.packed import DamagedFile, unpacked
from askance.data.formats.qrels import trec_columns

Shape = Literal["table", "hits", "records", "mapping", "parquet"]

EXPECTED = {
    "run": (
        "A run is TREC rows (query Q0 document rank score tag), JSON lines, or a CSV, TSV or Parquet table with "
        "columns query, document and score."
    ),
    "qrels": (
        "Judgments are TREC rows (query 0 document grade), BEIR rows (query-id, corpus-id and score parted by tabs), "
        "JSON lines, or a CSV, TSV or Parquet table with columns query, document and grade."
    ),
}

_LOOKED_AT = 20
_PARQUET = b"PAR1"


@dataclass(frozen=True, slots=True)
class Form:
    """What a file holds and how: `hits` are our own JSON lines, `records` JSON lines of one row each, `mapping` one
    JSON object {query: {document: value}}. `layout`: of a table. `name`: the form in a reader's words.
    """

    kind: Kind
    shape: Shape
    name: str
    layout: Layout | None = None


def recognise(path: Path, kind: Kind | None = None) -> Form | None:
    """The form of a file that is said to hold a run or judgments (None: either); None where there is nothing in it.

    FileProblem, with its first line, where it is neither, or the other of the two.
    """
    if _is_parquet(path):
        return Form(kind or _kind_of_parquet(path), "parquet", "Parquet")
    head = list(itertools.islice(_content(path), _LOOKED_AT))
    if not head:
        return None
    if head[0][1].lstrip().startswith("{"):
        return _json_form(path, *head[0], kind)
    for at, (line, text) in enumerate(head):
        found = _table_form(text, kind, first=not at)
        if found is not None:
            return _of_kind(found, kind, path, line, text)
    line, text = head[0]
    meant = _meant(text, kind)
    if meant is not None:
        return _of_kind(meant, kind, path, line, text)
    if kind == "run" and 3 in (len(text.split("\t")), len(trec_columns(text))):
        problem = "three columns without a header: the third may be a score or a rank"
        remedy = "Name them in a first line, e.g. query, document and score; or write TREC rows."
        raise FileProblem(path, problem, line=line, text=text, remedy=remedy)
    what = SAID[kind] if kind else "a run or judgments"
    raise FileProblem(path, f"this is no row of {what}", line=line, text=text, remedy=_expected(kind))


def _content(path: Path) -> Iterator[tuple[int, str]]:
    """Lines that are neither blank nor comments."""
    for line, text in read_lines(path):
        if text and not text.isspace() and not (text.startswith("#") and text[1:2].isspace()):
            yield line, text


def _is_parquet(path: Path) -> bool:
    try:
        with unpacked(path) as file:
            return file.read(4) == _PARQUET
    except DamagedFile:
        return False  # reading it as text says what is wrong


def _kind_of_parquet(path: Path) -> Kind:
    import polars

    try:
        names = list(polars.read_parquet_schema(path))
    except polars.exceptions.PolarsError as error:
        raise FileProblem(path, f"the Parquet data is damaged: {error}", remedy="Fetch or write it again.") from None
    kind = kind_of_columns(names)
    if kind is None:
        raise FileProblem(path, f"its columns are {', '.join(names) or 'none'}", remedy=_expected(None))
    return kind


def _table_form(text: str, kind: Kind | None, *, first: bool) -> Form | None:
    if first:
        found = _header_form(text, kind)
        if found is not None:
            return found
    by_tab, by_space = text.split("\t"), trec_columns(text)
    for cells, separator, name in ((by_tab, "\t", "tab-separated"), (by_space, " ", "three columns")):
        if kind != "run" and len(cells) == 3 and _means_a_number(cells[2]):
            names = "query, document and grade"
            return Form("qrels", "table", name, Layout(_separator(separator), False, 3, 0, 1, 2, names=names))
    if len(by_space) == 6:
        return Form("run", "table", "TREC", TREC_RUN)
    if len(by_space) == 4 and (kind == "qrels" or _means_a_number(by_space[3])):
        return Form("qrels", "table", "TREC", TREC_QRELS)
    return None


def _meant(text: str, kind: Kind | None) -> Form | None:
    """The form that a row with a column too few or too many seems to have, so that the message can be about columns."""
    cells = trec_columns(text)
    if len(cells) > 3 and kind != "qrels" and cells[1].upper() == "Q0":
        return Form("run", "table", "TREC", TREC_RUN)
    if len(cells) in (3, 5) and kind != "run" and cells[1] in ("0", "Q0"):
        return Form("qrels", "table", "TREC", TREC_QRELS)
    return None


def _header_form(text: str, kind: Kind | None) -> Form | None:
    for separator, name in (("\t", "TSV"), (",", "CSV"), (";", "CSV"), (" ", "columns")):
        cells = trec_columns(text) if separator == " " else next(csv.reader([text], delimiter=separator), [])
        meant = kind or kind_of_columns(cells)
        layout = layout_of_header(cells, _separator(separator), meant) if meant else None
        if layout is not None and meant is not None:
            return Form(meant, "table", name, layout)
    return None


def _separator(text: str) -> Separator:
    separators: dict[str, Separator] = {" ": " ", "\t": "\t", ",": ",", ";": ";"}
    return separators[text]


def _means_a_number(text: str) -> bool:
    """Whether a number was meant, NaN and infinity too, so that the message can be about the number."""
    return finite(text) is not None or text.strip(" +-").lower() in ("nan", "inf", "infinity")


def _json_form(path: Path, line: int, text: str, kind: Kind | None) -> Form:
    whole = None if text.rstrip().endswith("}") else read_json(path)
    record = whole if isinstance(whole, dict) else json_object(text, path, line)
    if "hits" in record:
        return _of_kind(Form("run", "hits", "JSON lines"), kind, path, line, text)
    meant = kind or kind_of_columns(list(record))
    if whole is None and meant is not None and column_of(list(record), QUERY_NAMES) is not None:
        return Form(meant, "records", "JSON lines")
    if isinstance(next(iter(record.values()), None), dict):
        return Form(kind or _kind_of_values(record), "mapping", "JSON")
    has = ", ".join(map(repr, record)) or "nothing"
    raise FileProblem(path, f"the first record has {has}", line=line, text=text, remedy=_expected(kind))


def _kind_of_values(record: Mapping[str, object]) -> Kind:
    """Grades are whole numbers; scores seldom are."""
    values = [value for judged in record.values() if isinstance(judged, dict) for value in judged.values()]
    return "qrels" if values and all(isinstance(value, int) for value in values) else "run"


def _of_kind(found: Form, kind: Kind | None, path: Path, line: int, text: str) -> Form:
    """The form, if it is of the kind that was asked for."""
    if kind is None or found.kind == kind:
        return found
    problem = f"this looks like {SAID[found.kind]}, expected {SAID[kind]}"
    raise FileProblem(path, problem, line=line, text=text, remedy=f"Were two files exchanged? {EXPECTED[kind]}")


def _expected(kind: Kind | None) -> str:
    return EXPECTED[kind] if kind else f"{EXPECTED['run']} {EXPECTED['qrels']}"
