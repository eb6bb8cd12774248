"""Runs and judgments for and from ir_measures: named tuples, or frames with its columns."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import polars

from askance.core.errors import DataProblem
from askance.data.convert.frames import judgments_from_frame, run_from_frame
from askance.data.convert.values import as_integers, finite_numbers, identifiers, other_tool
from askance.data.formats.layouts import VALUE, Kind
from askance.data.judgments import Judgments
from askance.data.rows import owner_of
from askance.data.run import Run


def run_from_ir_measures(scored: Iterable[Any], name: str = "run") -> Run:
    """A run from ScoredDoc tuples (query_id, doc_id, score); an iterator is read once, and to its end."""
    return run_from_frame(_frame(scored, "run"), name)


def judgments_from_ir_measures(qrels: Iterable[Any]) -> Judgments:
    """Judgments from Qrel tuples (query_id, doc_id, relevance)."""
    return judgments_from_frame(_frame(qrels, "qrels"))


def run_to_ir_measures(run: Run) -> list[Any]:
    """ScoredDoc tuples in ranking order; MissingExtra without ir_measures."""
    scored = other_tool("ir_measures").ScoredDoc
    queries, documents = run.queries.names, run.documents.names
    owners = owner_of(run.offsets).tolist()
    return [
        scored(queries[query], documents[document], score)
        for query, document, score in zip(owners, run.document.tolist(), run.score.tolist(), strict=True)
    ]


def judgments_to_ir_measures(judgments: Judgments) -> list[Any]:
    """Qrel tuples; DataProblem on a fractional grade, which it cannot hold; MissingExtra without ir_measures."""
    qrel = other_tool("ir_measures").Qrel
    queries, documents = judgments.queries.names, judgments.documents.names
    owners = owner_of(judgments.offsets).tolist()
    grades = as_integers(judgments.grade.tolist(), "ir_measures")
    return [
        qrel(queries[query], documents[document], grade)
        for query, document, grade in zip(owners, judgments.document.tolist(), grades, strict=True)
    ]


def _frame(rows: Iterable[Any], kind: Kind) -> polars.DataFrame:
    """The tuples as a frame; they are taken by field, whatever stands behind the first three."""
    names = ("query_id", "doc_id", "score" if kind == "run" else "relevance")
    listed = list(rows)
    for at, row in enumerate(listed):
        if not all(hasattr(row, name) for name in names):
            fields = ", ".join(getattr(row, "_fields", ())) or type(row).__name__
            raise DataProblem(
                f"row {at} has {fields}, expected {', '.join(names)}",
                remedy=f"Give tuples of ir_measures: {'ScoredDoc' if kind == 'run' else 'Qrel'}.",
            )
    query, document, value = ([getattr(row, name) for row in listed] for name in names)
    return polars.DataFrame(
        {
            "query": polars.Series(identifiers(query, "query", lambda at: f"row {at}"), dtype=polars.String),
            "document": polars.Series(identifiers(document, "document", lambda at: f"row {at}"), dtype=polars.String),
            VALUE[kind]: finite_numbers(value, VALUE[kind], lambda at: f"row {at}"),
        }
    )
