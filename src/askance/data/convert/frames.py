"""Runs and judgments as data frames of pandas and polars."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from askance.core.errors import DataProblem
from askance.data.convert.values import identifiers, once, other_tool
from askance.data.formats.frames import pairs_of_frame
from askance.data.formats.layouts import (
    DOCUMENT_NAMES,
    GRADE_NAMES,
    QUERY_NAMES,
    RANK_NAMES,
    SCORE_NAMES,
    Kind,
    column_of,
)
from askance.data.judgments import Judgments
from askance.data.pair_columns import PairColumns
from askance.data.rows import Offsets, owner_of
from askance.data.run import Run

if TYPE_CHECKING:
    import polars


def run_from_frame(frame: Any, name: str = "run") -> Run:
    """A run from a frame of pandas or polars with columns for query, document and score, rows in the order given.

    The columns may have any of their usual names (query_id, qid, doc_id, docno, score …). Identifiers are text or whole
    numbers, which become their digits. DataProblem, naming column and type, on anything else, and on repeated pairs.
    """
    return _pairs(frame, "run").run(name)


def judgments_from_frame(frame: Any) -> Judgments:
    """Judgments from a frame with columns for query, document and grade (relevance, label, score …)."""
    return _pairs(frame, "qrels").judgments()


def run_to_polars(run: Run) -> polars.DataFrame:
    """Columns query, document, score and rank (from 1), in ranking order."""
    frame = _frame(run, run.offsets, "score", run.score)
    rank = np.arange(1, len(run) + 1) - np.repeat(run.offsets[:-1], np.diff(run.offsets))
    return frame.with_columns(rank=rank)


def judgments_to_polars(judgments: Judgments) -> polars.DataFrame:
    """Columns query, document and grade."""
    return _frame(judgments, judgments.offsets, "grade", judgments.grade)


def run_to_pandas(run: Run) -> Any:
    """Columns query, document, score and rank (from 1), in ranking order; MissingExtra without pandas."""
    return _to_pandas(run_to_polars(run))


def judgments_to_pandas(judgments: Judgments) -> Any:
    """Columns query, document and grade; MissingExtra without pandas."""
    return _to_pandas(judgments_to_polars(judgments))


def is_pandas(frame: object) -> bool:
    return type(frame).__module__.partition(".")[0] == "pandas"


def is_polars(frame: object) -> bool:
    return type(frame).__module__.partition(".")[0] == "polars"


def _pairs(frame: Any, kind: Kind) -> PairColumns:
    if is_pandas(frame):
        frame = _from_pandas(frame, kind)
    elif is_polars(frame) and hasattr(frame, "collect"):
        frame = frame.collect()
    if not is_polars(frame) or not hasattr(frame, "schema"):
        raise DataProblem(f"{type(frame).__name__} is no frame of pandas or polars", remedy="Turn it into one.")
    return once(pairs_of_frame(frame, kind, "the frame"), kind)


def _from_pandas(frame: Any, kind: Kind) -> polars.DataFrame:
    """The columns that matter. Column by column, since polars asks for pyarrow to take a whole frame."""
    import polars

    names = [str(name) for name in frame.columns]
    wanted = (QUERY_NAMES, DOCUMENT_NAMES, SCORE_NAMES if kind == "run" else GRADE_NAMES, RANK_NAMES)
    places = {at for at in (column_of(names, several) for several in wanted) if at is not None}
    taken = {names[at]: _series(names[at], frame.iloc[:, at]) for at in sorted(places)}
    if len(taken) < 3:  # what is missing is said with all columns there are
        return polars.DataFrame({name: _series(name, frame.iloc[:, at]) for at, name in enumerate(names)})
    return polars.DataFrame(taken)


def _series(name: str, column: Any) -> polars.Series:
    import polars

    if isinstance(column.dtype, np.dtype) and column.dtype.kind in "iufb":
        return polars.Series(name, column.to_numpy())
    values = [None if _is_missing(one) else one for one in column.tolist()]
    there = [one for one in values if one is not None]
    if all(isinstance(one, float | np.floating) for one in there):
        return polars.Series(name, [None if one is None else float(one) for one in values], dtype=polars.Float64)
    if not all(type(one) is str for one in there):
        # a column of objects may hold text and whole numbers side by side
        rows = [at for at, one in enumerate(values) if one is not None]
        texts = iter(identifiers(there, f"entry of the column {name!r}", lambda at: f"the frame, row {rows[at]}"))
        values = [None if one is None else next(texts) for one in values]
    return polars.Series(name, values, dtype=polars.String)


def _is_missing(one: object) -> bool:
    return one is None or one != one or type(one).__name__ == "NAType"


def _frame(rows: Run | Judgments, offsets: Offsets, name: str, values: np.ndarray[Any, Any]) -> polars.DataFrame:
    import polars

    query = rows.queries.column.gather(owner_of(offsets))
    document = rows.documents.column.gather(rows.document)
    return polars.DataFrame([query.alias("query"), document.alias("document"), polars.Series(name, values)])


def _to_pandas(frame: polars.DataFrame) -> Any:
    pandas = other_tool("pandas")
    text = {name: frame[name].to_list() for name in ("query", "document")}
    figures = {name: frame[name].to_numpy().copy() for name in frame.columns if name not in text}
    return pandas.DataFrame({**text, **figures})
