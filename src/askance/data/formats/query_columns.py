"""Properties of queries in columns: which group each belongs to, which slices it is in."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from askance.core.errors import FileProblem
from askance.data.formats.layouts import QUERY_NAMES, column_of
from askance.data.formats.lines import FirstLines, json_object, read_lines

GROUP_NAMES = ("group", "group-id", "cluster", "source")

_QUERY_NAMES = (*QUERY_NAMES, "-id", "id")
_EXPECTED = "The first line names the columns, one of them query; tab- or comma-separated, or JSON lines."


@dataclass(frozen=True, eq=False)
class QueryColumns:
    """Named properties: column → query → value; a query without a value is not in its column.

    `queries`: all that the file has a row for, in its order.
    """

    path: Path
    queries: Sequence[str]
    columns: Mapping[str, Mapping[str, str]]

    def aligned(self, column: str, queries: Sequence[str]) -> list[str | None]:
        """The value of each of `queries`; None where the file has none."""
        values = self.columns[column]
        return [values.get(query) for query in queries]

    def group_column(self) -> str:
        """Which column says what belongs together: the one that is called so, else the only one there is."""
        names = list(self.columns)
        at = column_of(names, GROUP_NAMES)
        if at is None and len(names) != 1:
            raise FileProblem(
                self.path,
                f"none of its columns is called group: {', '.join(map(repr, names))}",
                remedy="Name the column that says which queries belong together: group.",
            )
        return names[at or 0]


def read_query_columns(path: str | Path) -> QueryColumns:
    """Read a table of queries and their properties: CSV, TSV or JSON lines, told by content; plain, gzip or zstd.

    Values are text as they stand; empty ones are none. FileProblem, with its line, on a row of another width, a query
    that comes twice, or where there is no column of queries or none beside it.
    """
    path = Path(path)
    seen = FirstLines(path, "query")
    queries: list[str] = []
    columns: dict[str, dict[str, str]] = {}
    for line, query, values in _rows(path):
        if not query:
            raise FileProblem(path, "a row without a query", line=line, remedy="Give every row its query.")
        seen.note(query, line)
        queries.append(query)
        for name, value in values.items():
            column = columns.setdefault(name, {})
            if value:
                column[query] = value
    if not columns:
        raise FileProblem(path, "it has no properties of queries", remedy=_EXPECTED)
    return QueryColumns(path, queries, columns)


def _rows(path: Path) -> Iterator[tuple[int, str, dict[str, str]]]:
    lines = ((line, text) for line, text in read_lines(path) if text and not text.isspace())
    first = next(lines, None)
    if first is None:
        return
    if first[1].lstrip().startswith("{"):
        yield from _json_row(path, *first)
        for line, text in lines:
            yield from _json_row(path, line, text)
        return
    separator = "\t" if "\t" in first[1] else ","
    names = [name.strip() for name in next(csv.reader([first[1]], delimiter=separator))]
    at = column_of(names, _QUERY_NAMES)
    if at is None or len(set(names)) != len(names):
        problem = "no column is called query" if at is None else "two columns have one name"
        raise FileProblem(path, problem, line=first[0], text=first[1], remedy=_EXPECTED)
    for line, text in lines:
        cells = next(csv.reader([text], delimiter=separator))
        if len(cells) != len(names):
            problem = f"{len(cells)} columns, expected {len(names)}: {', '.join(names)}"
            raise FileProblem(path, problem, line=line, text=text, remedy="Leave a cell empty where nothing is known.")
        yield line, cells[at], {name: cells[place] for place, name in enumerate(names) if place != at}


def _json_row(path: Path, line: int, text: str) -> Iterator[tuple[int, str, dict[str, str]]]:
    record = json_object(text, path, line)
    names = list(record)
    at = column_of(names, _QUERY_NAMES)
    if at is None:
        raise FileProblem(path, "the record has no query", line=line, text=text, remedy=_EXPECTED)
    values = {name: _text(path, line, name, record[name]) for name in names}
    query = values.pop(names[at])
    yield line, query, values


def _text(path: Path, line: int, name: str, value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, str):
        return value
    if isinstance(value, bool | int | float):
        return str(value)
    problem = f"the value of {name!r} is no text, number, true or false"
    raise FileProblem(path, problem, line=line, remedy="Give each query one plain value.")
