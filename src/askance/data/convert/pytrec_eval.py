"""Runs and judgments for and from pytrec_eval: plain dictionaries, freed of what makes it crash."""

from __future__ import annotations

from askance.data.convert.dicts import judgments_from_dict, judgments_to_dict, run_from_dict, run_to_dict
from askance.data.convert.values import as_integers
from askance.data.judgments import Judgments
from askance.data.run import Run

run_from_pytrec_eval = run_from_dict
judgments_from_pytrec_eval = judgments_from_dict


def run_to_pytrec_eval(run: Run) -> dict[str, dict[str, float]]:
    """{query: {document: score}} with Python's own text and numbers, which is all it takes.

    Queries that retrieved nothing are left out: an empty one makes it crash, or answer wrongly for those after it. It
    answers for the rest, so that a mean over its answers is over fewer queries.
    """
    return {query: row for query, row in run_to_dict(run).items() if row}


def judgments_to_pytrec_eval(judgments: Judgments) -> dict[str, dict[str, int]]:
    """{query: {document: grade}} for RelevanceEvaluator.

    Grades below 0 say "not judged" there; they are left out, and so are queries without any other, since it crashes or
    never ends on a query whose grades are all below 0. DataProblem on a fractional grade.
    """
    found: dict[str, dict[str, int]] = {}
    for query, row in judgments_to_dict(judgments).items():
        grades = dict(zip(row, as_integers(row.values(), "pytrec_eval"), strict=True))
        judged = {document: grade for document, grade in grades.items() if grade >= 0}
        if judged:
            found[query] = judged
    return found
