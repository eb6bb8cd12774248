"""Tables in memory as pairs: which columns hold what, and what may stand in them."""

from __future__ import annotations

from typing import TYPE_CHECKING, NoReturn

import numpy as np

from askance.core.errors import DataProblem
from askance.data.formats.layouts import (
    DOCUMENT_NAMES,
    GRADE_NAMES,
    QUERY_NAMES,
    RANK_NAMES,
    SAID,
    SCORE_NAMES,
    TAG_NAMES,
    VALUE,
    Kind,
    column_of,
)
from askance.data.formats.table_blocks import whole_ranks
from askance.data.interning import Interner
from askance.data.pair_columns import PairColumns

if TYPE_CHECKING:
    from polars import DataFrame, Series

_FLOAT_IDS = "A number can be written in several ways (7, 7.0), an identifier in one: turn the column into text."


def pairs_of_frame(frame: DataFrame, kind: Kind, where: str, first_row: int = 0) -> PairColumns:
    """The rows of a frame that has columns for query, document and score (or grade), under any of their usual names.

    Identifiers are text, or whole numbers, which become their digits. `where`: what the frame is, for messages, which
    count rows from `first_row`. DataProblem, naming column and type, on anything else, also on what is missing.
    """
    values = SCORE_NAMES if kind == "run" else GRADE_NAMES
    query = _text(_column(frame, QUERY_NAMES, "query", kind, where), where, first_row)
    document = _text(_column(frame, DOCUMENT_NAMES, "document", kind, where), where, first_row)
    value = _numbers(_column(frame, values, VALUE[kind], kind, where), where, first_row)
    rank = tag = None
    if kind == "run":
        rank, tag = (_optional(frame, names) for names in (RANK_NAMES, TAG_NAMES))
    queries, documents = Interner(), Interner()
    at_query, at_document = queries.grouped_positions(query), documents.positions(document)
    return PairColumns(
        queries.ids(),
        documents.ids(),
        at_query,
        at_document,
        value.to_numpy().astype(np.float64),
        None if rank is None else whole_ranks(rank),
        tags=() if tag is None else tuple(str(name) for name in tag.unique(maintain_order=True)),
    )


def _column(frame: DataFrame, names: tuple[str, ...], what: str, kind: Kind, where: str) -> Series:
    at = column_of(frame.columns, names)
    if at is None:
        listed = ", ".join(f"{name!r} ({dtype})" for name, dtype in frame.schema.items()) or "none"
        raise DataProblem(
            f"{where} has no column for the {what} of {SAID[kind]}; its columns are {listed}",
            remedy=f"Name it {what!r} (or {', '.join(map(repr, names[:4]))}).",
        )
    return frame.to_series(at)


def _optional(frame: DataFrame, names: tuple[str, ...]) -> Series | None:
    at = column_of(frame.columns, names)
    return None if at is None else frame.to_series(at)


def _text(column: Series, where: str, first_row: int) -> Series:
    import polars

    if column.dtype.is_integer() or column.dtype in (polars.Categorical, polars.Enum):
        column = column.cast(polars.String)
    if column.dtype != polars.String and len(column):
        remedy = _FLOAT_IDS if column.dtype.is_float() else "Identifiers are text, or whole numbers."
        raise DataProblem(
            f"{where}: the column {column.name!r} has the type {column.dtype} ({column[0]!r} …), expected identifiers",
            remedy=remedy,
        )
    column = column.cast(polars.String)
    empty = (column.is_null() | (column == "")).arg_true()
    if len(empty):
        found = "missing" if column[empty[0]] is None else "empty"
        _refuse(column, int(empty[0]), f"an identifier is {found}", "Fill it in.", where, first_row)
    return column


def _numbers(column: Series, where: str, first_row: int) -> Series:
    import polars

    if not (column.dtype.is_numeric() and column.dtype != polars.Boolean) and len(column):
        raise DataProblem(
            f"{where}: the column {column.name!r} has the type {column.dtype} ({column[0]!r} …), expected numbers",
            remedy="Turn it into numbers.",
        )
    if column.null_count():
        row = int(column.is_null().arg_true()[0])
        _refuse(column, row, "a number is missing", "Fill it in, or leave the row out.", where, first_row)
    numbers = column.cast(polars.Float64)
    odd = (~numbers.is_finite()).arg_true()
    if len(odd):
        _refuse(column, int(odd[0]), f"{numbers[odd[0]]} is no finite number", "Use numbers.", where, first_row)
    return numbers


def _refuse(column: Series, row: int, found: str, remedy: str, where: str, first_row: int) -> NoReturn:
    raise DataProblem(f"{where}, column {column.name!r}, row {row + first_row}: {found}", remedy=remedy)
