"""Vectors that say nothing of their document, and vectors of another model."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from askance.core.errors import AskanceError
from askance.diagnose.case import Case, System, VectorsSeen
from askance.diagnose.causes import MISSING_VECTOR, WRONG_MODEL
from askance.diagnose.waterfall import Lost
from askance.measure.judged import Counts, Mask, Values

MOST_EMBEDDED = 200  # texts that are embedded again, to see whether their vectors are those of the model

_LEAST_LENGTH = 1e-6
_SAME = 0.99  # cosine of a text's vector, kept and made again: int8 and batch mates move it by less
_SHARED_BY = 3
_FAR = 5.0  # deviations from the median, estimated from the median deviation
_FIRST = 10
_CORE, _AT_ONCE = 2_000, 2_000  # rows
_LOOKED_AT = 10  # queries by which it is told whether a run ranks by these vectors
_CLOSE = 2e-3  # of a score, where vectors may be kept in 8 bits


def scores_are_cosines(case: Case, system: System, seen: VectorsSeen) -> bool:
    """Whether some list has the scores that the vectors' own model gives: cosines c, or (1 + c)/2.

    Up to ten queries are embedded; one list whose first five scores agree is enough. False where the model is not here.
    """
    if seen.embedder is None or case.texts is None:
        return False
    asked = [query for query in case.queries if len(system.run.of_query(query)[0])]
    asked = asked[:: max(1, len(asked) // _LOOKED_AT)][:_LOOKED_AT]
    try:
        questions = seen.embedder.embed([case.texts[0][query] for query in asked], "query") if asked else ()
    except AskanceError:
        return False
    for query, question in zip(asked, questions, strict=True):
        listed, scores = (column[:5] for column in system.run.of_query(query))
        rows = seen.rows[listed]
        if (rows < 0).any() or len(question) != seen.vectors.shape[1]:
            continue
        cosines = seen.vectors[rows].astype(np.float64) @ question.astype(np.float64)
        if any(np.abs(scores - told).max() < _CLOSE for told in (cosines, (1.0 + cosines) / 2.0)):
            return True
    return False


class NoVector:
    """The reason `missing vector`: none, one of no length, or one that several different texts share."""

    cause = MISSING_VECTOR

    def __init__(self, seen: VectorsSeen, documents: Sequence[str] | None) -> None:
        self._seen, self._documents = seen, documents

    def why(self, lost: Lost) -> str | None:
        row = int(self._seen.rows[lost.gold])
        if row < 0:
            return "it has none"
        if not np.isfinite(self._seen.vectors[row]).all():
            return "its vector holds what is no finite number"
        if self._lengths[row] < _LEAST_LENGTH:
            return "its vector is nothing but zeros"
        shared = self._texts_of(row)
        if shared >= _SHARED_BY:
            return f"{shared} different texts have this one vector"
        return None

    @cached_property
    def _lengths(self) -> Values:
        lengths: Values = np.linalg.norm(self._seen.vectors.astype(np.float64), axis=1)
        return lengths

    @cached_property
    def _alike(self) -> Counts:
        """For each row, the number of the vector it is; equal vectors have one number."""
        _, inverse = np.unique(np.ascontiguousarray(self._seen.vectors), axis=0, return_inverse=True)
        return np.asarray(inverse, dtype=np.int64).ravel()

    def _texts_of(self, row: int) -> int:
        if self._documents is None:
            return 0
        rows = np.flatnonzero(self._alike == self._alike[row])
        return len({self._documents[at] for at in np.flatnonzero(np.isin(self._seen.rows, rows)).tolist()})


class OtherModel:
    """The reason `wrong model`. What is known decides, in this order.

    The system's model is not the one of the vectors. The model of the vectors is here: gold's text embedded again gives
    another vector; or the question embedded by it puts gold first, and rank 1 of the list behind its tenth place. It is
    not here: gold's vector stands apart. Its nearest one, of the half that lies nearest to the mean of all, is less
    than half as near (in cosine) as is usual, and five deviations less.
    """

    cause = WRONG_MODEL

    def __init__(self, case: Case, system: System, seen: VectorsSeen) -> None:
        self._case, self._system, self._seen = case, system, seen
        self._left = MOST_EMBEDDED
        self._again: dict[int, float] = {}

    def why(self, lost: Lost) -> str | None:
        mine, theirs = self._system.fingerprint, self._seen.fingerprint
        if mine and theirs and mine != theirs:
            return f"questions are embedded by another model than documents ({self._seen.model})"
        row = int(self._seen.rows[lost.gold])
        if row < 0:
            return None
        if self._seen.embedder is None or self._case.texts is None:
            return "its vector stands apart from all others" if self._apart[row] else None
        if self._made_again(lost.gold, row) < _SAME:
            return f"{self._seen.model} gives its text another vector"
        return self._by_question(lost, row)

    def _embed(self, texts: Sequence[str], kind: str) -> Values | None:
        """None where the model fails, or enough was embedded."""
        if self._seen.embedder is None or self._left <= 0:
            return None
        self._left -= len(texts)
        try:
            made = self._seen.embedder.embed(texts, "query" if kind == "query" else "document")
        except AskanceError:
            self._left = 0
            return None
        return made.astype(np.float64)

    def _made_again(self, document: int, row: int) -> float:
        """Cosine of the kept vector and the one that is made now; 1 where it cannot be made."""
        if row not in self._again:
            assert self._case.texts is not None
            made = self._embed([self._case.texts[1][document]], "document")
            kept = self._seen.vectors[row].astype(np.float64)
            if made is not None and made.shape[1] != len(kept):
                self._again[row] = 0.0
            else:
                self._again[row] = 1.0 if made is None else float(made[0] @ kept / max(np.linalg.norm(kept), 1e-12))
        return self._again[row]

    def _by_question(self, lost: Lost, row: int) -> str | None:
        if lost.winner is None or self._case.texts is None:
            return None
        question = self._embed([self._case.texts[0][lost.query]], "query")
        if question is None:
            return None
        cosines = self._seen.vectors @ question[0].astype(np.float32)
        of_winner = int(self._seen.rows[lost.winner])
        place = int((cosines > cosines[of_winner]).sum()) + 1 if of_winner >= 0 else _FIRST + 1
        if cosines[row] >= cosines.max() and place > _FIRST:
            return f"{self._seen.model}'s own vector of the question puts it first, and rank 1 at place {place:,}"
        return None

    @cached_property
    def _apart(self) -> Mask:
        """Which rows stand apart [distinct]: far from every vector of the half that lies nearest to the mean.

        Rows that hold what is no finite number are not among them, and none is held against them.
        """
        apart: Mask = np.zeros(len(self._seen.vectors), dtype=np.bool_)
        finite = np.isfinite(self._seen.vectors).all(axis=1)
        if finite.any():
            apart[finite] = _apart(self._seen.vectors[finite])
        return apart


def _apart(given: NDArray[np.float32]) -> Mask:
    vectors = given / np.maximum(np.linalg.norm(given, axis=1, keepdims=True), 1e-12)
    towards = vectors @ vectors.mean(axis=0)
    core = np.flatnonzero(towards >= np.median(towards))
    core = core[:: max(1, len(core) // _CORE)]
    nearest = np.full(len(vectors), -1.0)
    for start in range(0, len(vectors), _AT_ONCE):
        cosines = vectors[start : start + _AT_ONCE] @ vectors[core].T
        itself = np.arange(start, start + len(cosines))[:, None] == core
        nearest[start : start + len(cosines)] = np.where(itself, -1.0, cosines).max(axis=1)
    median = float(np.median(nearest))
    deviation = 1.4826 * float(np.median(np.abs(nearest - median)))
    apart: Mask = (nearest < median - _FAR * max(deviation, 1e-9)) & (nearest < median / 2)
    return apart
