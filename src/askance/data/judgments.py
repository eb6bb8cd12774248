"""Judgments: query → document → grade, one set per tier."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from askance.core.errors import DataProblem
from askance.data.ids import Ids
from askance.data.rows import Offsets, Positions, frozen, offsets_of, pair_keys


@dataclass(frozen=True, eq=False)
class Judgments:
    """Grades of documents for queries, rows sorted by document position.

    `offsets` int64 [queries + 1], `document` int32 [rows] and `grade` float64 [rows] are read-only. A document is
    gold where its grade reaches the threshold that the caller names (1 unless told).
    """

    queries: Ids
    documents: Ids
    offsets: Offsets
    document: Positions
    grade: NDArray[np.float64]

    @classmethod
    def of(cls, queries: Ids, documents: Ids, grades: Mapping[str, Mapping[str, float]]) -> Judgments:
        """From {query: {document: grade}}; DataProblem on an unknown id or a grade that is no number."""
        rows: list[list[tuple[int, float]]] = [[] for _ in range(len(queries))]
        for query, judged in grades.items():
            at = queries.position(query)
            if at is None:
                raise DataProblem(
                    f"judgments name the query {query!r}, which the collection does not have",
                    remedy="Remove the row or add the query.",
                )
            for name, grade in judged.items():
                document = documents.position(name)
                if document is None:
                    raise DataProblem(
                        f"judgments of query {query!r} name the document {name!r}, which the collection does not have",
                        remedy="Remove the row or add the document.",
                    )
                rows[at].append((document, float(grade)))
        flat = [pair for row in rows for pair in sorted(row)]
        grade_column = np.array([grade for _, grade in flat], dtype=np.float64)
        if not np.isfinite(grade_column).all():
            raise DataProblem("a grade is not a finite number", remedy="Use numbers, e.g. 0, 1, 2.")
        return cls(
            queries,
            documents,
            frozen(offsets_of([len(row) for row in rows])),
            frozen(np.array([document for document, _ in flat], dtype=np.int32)),
            frozen(grade_column),
        )

    def __len__(self) -> int:
        return len(self.document)

    def of_query(self, query: int) -> tuple[Positions, NDArray[np.float64]]:
        """Positions of the judged documents of the query at `query`, and their grades."""
        row = slice(self.offsets[query], self.offsets[query + 1])
        return self.document[row], self.grade[row]

    def gold_counts(self, threshold: float = 1.0) -> NDArray[np.int64]:
        """How many documents are gold, per query [queries]."""
        before = np.concatenate(([0], np.cumsum(self.grade >= threshold)))
        return (before[self.offsets[1:]] - before[self.offsets[:-1]]).astype(np.int64)

    @cached_property
    def _keys(self) -> NDArray[np.int64]:
        return pair_keys(self.offsets, self.document, len(self.documents))

    def grades_of(self, offsets: Offsets, document: Positions) -> NDArray[np.float64]:
        """The grade of each (row, document) pair of another flat column over the same queries; NaN where unjudged."""
        found = np.full(len(document), np.nan)
        if len(self._keys) == 0:
            return found
        wanted = pair_keys(offsets, document, len(self.documents))
        at = np.minimum(np.searchsorted(self._keys, wanted), len(self._keys) - 1)
        there = self._keys[at] == wanted
        found[there] = self.grade[at[there]]
        return found
