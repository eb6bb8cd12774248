"""Tables row by row: slow, careful, and able to say of each line what is wrong with it."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from askance.data.formats.layouts import VALUE, Kind, Layout
from askance.data.formats.lines import read_lines
from askance.data.formats.numbers import finite
from askance.data.formats.qrels import is_comment, trec_columns
from askance.data.pair_columns import NO_RANK
from askance.data.problems import Problem

NUMBERS = {"score": "Scores must be finite numbers.", "grade": "Use a number such as 0, 1 or 0.5."}
_MOST_RANK = 2**31 - 1


class Entry(NamedTuple):
    """One row: where it stands, and what it says. `rank` NO_RANK: none that is a whole number."""

    line: int
    query: str
    document: str
    value: float
    rank: int = NO_RANK
    tag: str = ""


class WithoutHits(str):
    """A query that is named and has no rows."""


def table_rows(path: Path, layout: Layout, kind: Kind) -> Iterator[Entry | Problem]:
    """Every row of a table, or what is wrong with it. FileProblem where the file cannot be read on."""
    for line, text, cells in _rows(path, layout):
        yield _entry(line, text, cells, layout, kind)


def _rows(path: Path, layout: Layout) -> Iterator[tuple[int, str, list[str]]]:
    """Lines that are neither blank nor comments nor the header, and their cells."""
    rows = _quoted_rows(path, layout) if layout.separator in ",;" else _plain_rows(path, layout)
    header = layout.header
    for row in rows:
        if header:
            header = False
        else:
            yield row


def _plain_rows(path: Path, layout: Layout) -> Iterator[tuple[int, str, list[str]]]:
    for line, text in read_lines(path):
        if not text or text.isspace():
            continue
        if layout.by_space:
            if not is_comment(text, layout.width):
                yield line, text, trec_columns(text)
        elif not text.startswith("#") or "\t" in text:
            yield line, text, text.split(layout.separator)


def _quoted_rows(path: Path, layout: Layout) -> Iterator[tuple[int, str, list[str]]]:
    """Rows of CSV; one that holds a line end in quotes stands on the line where it begins."""
    texts: list[str] = []

    def lines() -> Iterator[str]:
        for _, text in read_lines(path):
            texts.append(text)
            yield text + "\n"

    reader = csv.reader(lines(), delimiter=layout.separator)
    line = 1
    for cells in reader:
        if cells and (len(cells) > 1 or cells[0].strip()):
            yield line, "\n".join(texts), cells
        texts.clear()
        line = reader.line_num + 1


def _entry(line: int, text: str, cells: list[str], layout: Layout, kind: Kind) -> Entry | Problem:
    if len(cells) != layout.width:
        problem = f"{len(cells)} columns, expected {layout.width}: {layout.names}"
        return Problem("error", problem, _remedy(len(cells), layout), line, text)
    what = VALUE[kind]
    value = finite(cells[layout.value])
    if value is None:
        return Problem("error", f"the {what} {cells[layout.value]!r} is no finite number", NUMBERS[what], line, text)
    query, document = cells[layout.query], cells[layout.document]
    if not query or not document:
        missing = "document" if query else "query"
        return Problem("error", f"the identifier of the {missing} is empty", "Fill it in.", line, text)
    rank = NO_RANK if layout.rank is None else whole_rank(cells[layout.rank])
    return Entry(line, query, document, value, rank, "" if layout.tag is None else cells[layout.tag])


def _remedy(found: int, layout: Layout) -> str:
    if not layout.by_space:
        return "Give every row as many cells as the header." if layout.header else "Write three columns in every row."
    if found < layout.width:
        return "Was the line cut? Write all columns, parted by spaces or tabs."
    return "Identifiers and tags hold no white space in a TREC file; where they do, write JSON lines or a TSV table."


def whole_rank(text: str) -> int:
    """The whole number from 0 on that `text` writes; NO_RANK where it writes none."""
    value = finite(text)
    return int(value) if value is not None and value.is_integer() and 0 <= value <= _MOST_RANK else NO_RANK
