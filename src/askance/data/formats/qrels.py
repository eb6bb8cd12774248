"""Judgments from files: tab-separated as BEIR has them, four columns as TREC has them, or JSON lines."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

from askance.core.errors import FileProblem
from askance.data.formats.identifiers import identifier
from askance.data.formats.lines import read_json_lines, read_lines
from askance.data.formats.numbers import finite, finite_under
from askance.data.formats.pairs import Pairs, Row

_SPACE = re.compile(r"[ \t\v\f\r]+")
_QUERY_KEYS = ("query-id", "query_id")
_DOCUMENT_KEYS = ("corpus-id", "corpus_id")
_EXPECTED = (
    "Judgments are rows of query-id, corpus-id and score parted by tabs (with that header or without), "
    "TREC rows of query, 0, document and grade, or JSON lines with these three keys."
)


def read_qrels(path: Path) -> dict[str, dict[str, float]]:
    """{query: {document: grade}} of a judgments file in any of the three forms, told by its first row.

    Grades are kept as given, fractions and negative ones too. FileProblem, with its line, on a row of another form, a
    grade that is no finite number, and a pair that comes twice.
    """
    return Pairs(path, judged_rows(path)).values()


def judged_rows(path: Path) -> Iterator[Row[float]]:
    """The rows of a judgments file, as `read_qrels` reads them; nothing is checked across rows."""
    first = next(((line, text) for line, text in data_lines(path)), None)
    if first is None:
        return iter(())
    if first[1].startswith("{"):
        return _json_rows(path)
    return _column_rows(path, _columns_of(path, *first))


def trec_columns(text: str) -> list[str]:
    """The columns of a TREC line: what runs of ASCII white space part."""
    return _SPACE.split(text.strip(" \t\v\f\r"))


def is_comment(text: str, columns: int) -> bool:
    """Whether a TREC line is a comment: it begins with #, and is no row of an identifier that does."""
    return text.startswith("#") and (text[1:2].isspace() or len(trec_columns(text)) != columns)


class _Columns(NamedTuple):
    """Which column holds what, how many there are, how a line is split, and whether the first row is a header."""

    query: int
    document: int
    grade: int
    width: int
    split: Callable[[str], list[str]]
    header: bool


def data_lines(path: Path) -> Iterator[tuple[int, str]]:
    """Lines that are neither blank nor comments."""
    for line, text in read_lines(path):
        if text and not text.isspace() and not (text.startswith("#") and _is_comment(text)):
            yield line, text


def _is_comment(text: str) -> bool:
    return "\t" not in text and is_comment(text, 4)


def _columns_of(path: Path, line: int, text: str) -> _Columns:
    by_tab = text.split("\t")
    for split, cells in ((_by_tab, by_tab), (trec_columns, trec_columns(text))):
        names = [cell.strip().replace("_", "-").lower() for cell in cells]
        if sorted(names) == ["corpus-id", "query-id", "score"]:
            at = names.index
            return _Columns(at("query-id"), at("corpus-id"), at("score"), 3, split, header=True)
        if len(cells) == 3 and _means_a_number(cells[2]):
            return _Columns(0, 1, 2, 3, split, header=False)
    cells = trec_columns(text)
    if len(cells) == 4 and _means_a_number(cells[3]):
        return _Columns(0, 2, 3, 4, trec_columns, header=False)
    raise FileProblem(path, "this is no row of judgments", line=line, text=text, remedy=_EXPECTED)


def _means_a_number(text: str) -> bool:
    """Whether a number was meant, NaN and infinity too, so that the message can be about the number."""
    return finite(text) is not None or text.strip(" +-").lower() in ("nan", "inf", "infinity")


def _by_tab(text: str) -> list[str]:
    return text.split("\t")


def _column_rows(path: Path, columns: _Columns) -> Iterator[Row[float]]:
    rows = data_lines(path)
    if columns.header:
        next(rows)
    for line, text in rows:
        cells = columns.split(text)
        if len(cells) != columns.width:
            problem = f"{len(cells)} columns, expected {columns.width} as in the first row"
            raise FileProblem(path, problem, line=line, text=text, remedy=_EXPECTED)
        grade = finite(cells[columns.grade])
        if grade is None:
            problem = f"the grade {cells[columns.grade]!r} is no finite number"
            raise FileProblem(path, problem, line=line, text=text, remedy="Use a number such as 0, 1 or 0.5.")
        query, document = cells[columns.query], cells[columns.document]
        if not query or not document:
            raise FileProblem(path, "an identifier is empty", line=line, text=text, remedy="Fill it in.")
        yield Row(line, query, document, grade)


def _json_rows(path: Path) -> Iterator[Row[float]]:
    for line, record in read_json_lines(path):
        query = identifier(record, _QUERY_KEYS, path, line)
        document = identifier(record, _DOCUMENT_KEYS, path, line)
        yield Row(line, query, document, finite_under(record, "score", path, line))
