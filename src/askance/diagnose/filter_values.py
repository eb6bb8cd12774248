"""What filters can ask of the documents of a file, read as an index reads it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from askance.core.errors import FileProblem
from askance.engines.sources import JsonLines

_SHOWN = 8


@dataclass(frozen=True)
class FilterValues:
    """`columns`: key → each document's value as text, "" where it has none. `notes`: what is not among them.

    `read`: False where the file holds what no index takes, so that there are none; `notes` says what.
    """

    columns: Mapping[str, Sequence[str]]
    notes: tuple[str, ...]
    read: bool = True


def filter_values(corpus: Path) -> FilterValues:
    """Text, numbers and truth values beside the text of each document and inside its `metadata`, in the file's order.

    Nothing is raised: a value that an index refuses is a note.
    """
    source = JsonLines(corpus)
    columns: dict[str, list[str]] = {}
    many = 0
    try:
        for document in source:
            for key, value in document.metadata.items():
                column = columns.setdefault(key, [])
                column.extend([""] * (many - len(column)))
                column.append(written(value))
            many += 1
    except FileProblem as problem:
        return FilterValues({}, (f"No filter is looked for in what an index refuses: {problem.message}.",), read=False)
    for column in columns.values():
        column.extend([""] * (many - len(column)))
    return FilterValues(columns, _passed_over(source))


def written(value: str | float | bool) -> str:
    """A value as text: whole numbers without a point, truth values as JSON has them."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float) and value.is_integer() and abs(value) < 2**53:
        return str(int(value))
    return str(value)


def _passed_over(source: JsonLines) -> tuple[str, ...]:
    keys = source.passed_over
    if not keys:
        return ()
    listed = ", ".join(f"{key!r} ({number:,})" for key, number in keys.most_common(_SHOWN))
    more = f" and {len(keys) - _SHOWN:,} more keys" if len(keys) > _SHOWN else ""
    return (f"No filter asks for keys that hold lists, objects or null: {listed}{more}, by documents that have them.",)
