"""Runs and judgments as dictionaries: {query: {document: score or grade}}."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import chain
from typing import Any

import numpy as np
from polars import Series, String

from askance.core.errors import DataProblem
from askance.data.convert.values import finite_numbers, identifiers, once
from askance.data.formats.layouts import SAID, VALUE, Kind
from askance.data.ids import Ids
from askance.data.interning import Interner
from askance.data.judgments import Judgments
from askance.data.pair_columns import PairColumns
from askance.data.run import Run

Scores = Mapping[str, Mapping[str, float]]


def run_from_dict(scores: Scores, name: str = "run") -> Run:
    """A run from {query: {document: score}}, rows in the order given; a query with {} retrieved nothing.

    Whole numbers as keys become their digits, numpy's numbers are numbers. DataProblem, naming query and document, on
    other keys (7.0 could be "7" or "7.0"), on what is no finite number, and where 7 and "7" stand side by side.
    """
    return _pairs(scores, "run").run(name)


def judgments_from_dict(grades: Scores) -> Judgments:
    """Judgments from {query: {document: grade}}; keys and numbers as of `run_from_dict`. Grades stay as they are."""
    return _pairs(grades, "qrels").judgments()


def run_to_dict(run: Run) -> dict[str, dict[str, float]]:
    """{query: {document: score}} in ranking order, {} for queries that retrieved nothing."""
    names = run.documents.names
    score = run.score.tolist()
    document = [names[at] for at in run.document.tolist()]
    bounds = run.offsets.tolist()
    return {
        query: dict(zip(document[start:end], score[start:end], strict=True))
        for query, start, end in zip(run.queries, bounds, bounds[1:], strict=False)
    }


def judgments_to_dict(judgments: Judgments) -> dict[str, dict[str, float]]:
    """{query: {document: grade}}, {} for queries without a judgment."""
    lists = Run.of_distinct(
        "", judgments.queries, judgments.documents, judgments.offsets, judgments.document, judgments.grade
    )
    return run_to_dict(lists)


def _pairs(given: Any, kind: Kind) -> PairColumns:
    """The rows of a dictionary."""
    if not isinstance(given, Mapping) or not all(isinstance(row, Mapping) for row in given.values()):
        rows = given.values() if isinstance(given, Mapping) else [given]
        odd = next(row for row in rows if not isinstance(row, Mapping))
        raise DataProblem(
            f"{SAID[kind]} as a dictionary holds {type(odd).__name__}, expected {{query: {{document: {VALUE[kind]}}}}}",
            remedy="Give every query a dictionary of its documents.",
        )
    lengths = [len(row) for row in given.values()]
    owners = np.repeat(np.arange(len(given), dtype=np.int32), lengths)
    keys = list(given)

    def where(at: int) -> str:
        return f"query {keys[owners[at]]!r}"

    def where_value(at: int) -> str:
        return f"query {keys[owners[at]]!r}, document {flat[at]!r}"

    flat = list(chain.from_iterable(given.values()))
    queries = identifiers(keys, "query", lambda at: f"query {at + 1} of {SAID[kind]}")
    documents = identifiers(flat, "document", where)
    values = list(chain.from_iterable(row.values() for row in given.values()))
    interner = Interner()
    try:
        document = interner.positions(Series("document", documents, dtype=String))
    except UnicodeEncodeError as error:
        raise DataProblem(
            f"the document {error.object!r} holds half a character", remedy="Write it as valid Unicode text."
        ) from None
    number = finite_numbers(values, VALUE[kind], where_value)
    return once(PairColumns(Ids(queries), interner.ids(), owners, document, number), kind)
