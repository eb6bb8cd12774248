"""What is said of (query, document) pairs, as columns in the order it was said: where runs and judgments come from."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from askance.data.ids import Ids
from askance.data.judgments import Judgments
from askance.data.rows import Positions, frozen, offsets_of
from askance.data.run import Run

NO_RANK = -1


@dataclass(frozen=True, eq=False)
class PairColumns:
    """Rows of a file, frame or dictionary; rows of one query need not stand together.

    `query`, `document` int32 [rows]: positions in `queries` and `documents`; `value` float64 [rows]: score or grade,
    finite. `rank` int32 [rows]: what a rank column says, NO_RANK where it says no whole number; None: there is none.
    `line` int64 [rows]: where each row stands, None where nobody noted it. `tags`: all names in a tag column.
    """

    queries: Ids
    documents: Ids
    query: Positions
    document: Positions
    value: NDArray[np.float64]
    rank: Positions | None = None
    line: NDArray[np.int64] | None = None
    tags: tuple[str, ...] = ()

    def __len__(self) -> int:
        return len(self.query)

    def keys(self) -> NDArray[np.int64]:
        """One number per (query, document) pair [rows]."""
        keys = self.query.astype(np.int64)
        keys *= max(len(self.documents), 1)
        keys += self.document
        return keys

    def has_repeats(self) -> bool:
        """Whether a pair comes twice."""
        keys = self.keys()
        if (keys[1:] > keys[:-1]).all():
            return False
        keys.sort()
        return bool((keys[1:] == keys[:-1]).any())

    def repeats(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Rows whose pair came before, in their order, and for each the row where it came first."""
        keys = self.keys()
        order = np.argsort(keys, kind="stable")
        same = keys[order][1:] == keys[order][:-1]
        if not same.any():
            nothing = np.zeros(0, dtype=np.int64)
            return nothing, nothing
        begins = np.flatnonzero(np.concatenate(([True], ~same)))
        first = order[np.repeat(begins, np.diff(np.append(begins, len(order))))]
        again = np.flatnonzero(np.concatenate(([False], same)))
        rows, firsts = order[again], first[again]
        by_row = np.argsort(rows)
        return rows[by_row], firsts[by_row]

    def without_repeats(self) -> PairColumns:
        """Only the first row of each pair."""
        keep = np.ones(len(self), dtype=np.bool_)
        keep[self.repeats()[0]] = False
        return replace(
            self,
            query=self.query[keep],
            document=self.document[keep],
            value=self.value[keep],
            rank=None if self.rank is None else self.rank[keep],
            line=None if self.line is None else self.line[keep],
        )

    def by_query(self) -> NDArray[np.int64] | None:
        """The rows sorted by query, those of one query in the order given; None where they are already."""
        if (self.query[1:] >= self.query[:-1]).all():
            return None
        return np.argsort(self.query, kind="stable")

    def run(self, name: str) -> Run:
        """Ranked lists in the order given, whatever the scores; the caller has seen to it that no pair comes twice."""
        order = self.by_query()
        return Run.of_distinct(
            name,
            self.queries,
            self.documents,
            self._offsets(),
            self.document if order is None else self.document[order],
            self.value if order is None else self.value[order],
        )

    def judgments(self) -> Judgments:
        """Grades, sorted by document within a query; the caller has seen to it that no pair comes twice."""
        keys = self.keys()
        document, grade = self.document, self.value
        if not (keys[1:] > keys[:-1]).all():
            order = np.argsort(keys)
            document, grade = document[order], grade[order]
        return Judgments(self.queries, self.documents, frozen(self._offsets()), frozen(document), frozen(grade))

    def _offsets(self) -> NDArray[np.int64]:
        return offsets_of(np.bincount(self.query, minlength=len(self.queries)))
