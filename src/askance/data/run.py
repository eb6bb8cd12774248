"""A run: ranked documents per query by one system."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from askance.core.errors import DataProblem
from askance.data.ids import Ids
from askance.data.rows import Offsets, Positions, frozen, offsets_of, owner_of, pair_keys

_AT_ONCE = 1_000_000  # names that are hashed together


@dataclass(frozen=True, eq=False)
class Run:
    """Ranked lists, best first: the order of the rows is the ranking, scores are what the system said.

    `offsets` int64 [queries + 1], `document` int32 [rows], `score` float64 [rows], read-only. A query without
    rows retrieved nothing.
    """

    name: str
    queries: Ids
    documents: Ids
    offsets: Offsets
    document: Positions
    score: NDArray[np.float64]

    def __post_init__(self) -> None:
        if not np.isfinite(self.score).all():
            row = int(np.flatnonzero(~np.isfinite(self.score))[0])
            query = self.queries[int(owner_of(self.offsets)[row])]
            raise DataProblem(
                f"run {self.name!r}: the score of {self.documents[int(self.document[row])]!r} for query "
                f"{query!r} is {self.score[row]}",
                remedy="Scores must be finite numbers.",
            )
        keys = np.sort(pair_keys(self.offsets, self.document, max(len(self.documents), 1)))
        again = np.flatnonzero(keys[1:] == keys[:-1])
        if len(again):
            query_at, document_at = divmod(int(keys[again[0]]), len(self.documents))
            raise DataProblem(
                f"run {self.name!r}: query {self.queries[query_at]!r} lists the document "
                f"{self.documents[document_at]!r} more than once",
                remedy="Keep one row per query and document.",
            )
        for array in (self.offsets, self.document, self.score):
            array.setflags(write=False)

    @classmethod
    def of(cls, name: str, queries: Ids, documents: Ids, lists: Mapping[str, Sequence[tuple[str, float]]]) -> Run:
        """From {query: [(document, score), …]} in ranking order; DataProblem on unknown ids."""
        for query in lists:
            if query not in queries:
                raise DataProblem(
                    f"run {name!r} answers the query {query!r}, which the collection does not have",
                    remedy="Is this the right collection?",
                )
        rows = [lists.get(query, ()) for query in queries]
        found = [documents.position(document) for row in rows for document, _ in row]
        if None in found:
            unknown = [document for row in rows for document, _ in row][found.index(None)]
            raise DataProblem(
                f"run {name!r} lists the document {unknown!r}, which the collection does not have",
                remedy="Is this the right collection?",
            )
        return cls(
            name,
            queries,
            documents,
            offsets_of([len(row) for row in rows]),
            np.array(found, dtype=np.int32),
            np.array([score for row in rows for _, score in row], dtype=np.float64),
        )

    @classmethod
    def of_distinct(
        cls,
        name: str,
        queries: Ids,
        documents: Ids,
        offsets: Offsets,
        document: Positions,
        score: NDArray[np.float64],
    ) -> Run:
        """From columns that are known to hold finite scores, and each document once per query: both goes unchecked."""
        run = object.__new__(cls)
        names = {"name": name, "queries": queries, "documents": documents}
        columns = {"offsets": frozen(offsets), "document": frozen(document), "score": frozen(score)}
        for field, value in {**names, **columns}.items():
            object.__setattr__(run, field, value)
        return run

    def __len__(self) -> int:
        return len(self.document)

    @cached_property
    def sha256(self) -> str:
        """Hash of queries, documents and scores, in order; the name does not count."""
        digest = hashlib.sha256(self.offsets.astype("<i8").tobytes())
        digest.update(self.score.astype("<f8").tobytes())
        digest.update(b"".join(map(_packed, self.queries)))
        used, row = np.unique(self.document, return_inverse=True)
        packed = [_packed(self.documents[at]) for at in used.tolist()]
        for start in range(0, len(row), _AT_ONCE):
            digest.update(b"".join([packed[at] for at in row[start : start + _AT_ONCE].tolist()]))
        return digest.hexdigest()

    def of_query(self, query: int) -> tuple[Positions, NDArray[np.float64]]:
        """Documents (positions) and scores of the query at `query`, best first."""
        row = slice(self.offsets[query], self.offsets[query + 1])
        return self.document[row], self.score[row]

    def top(self, depth: int) -> Run:
        """The first `depth` of every list."""
        lengths = np.diff(self.offsets)
        rank = np.arange(len(self.document)) - np.repeat(self.offsets[:-1], lengths)
        keep = rank < depth
        return replace(
            self,
            offsets=frozen(offsets_of(np.minimum(lengths, depth))),
            document=frozen(self.document[keep]),
            score=frozen(self.score[keep]),
        )

    def matrix(self, depth: int) -> Positions:
        """Documents at ranks 1…depth, int32 [queries, depth]; −1 where the list ends before."""
        first = self.top(depth)
        lengths = np.diff(first.offsets)
        out = np.full((len(self.queries), depth), -1, dtype=np.int32)
        out[np.arange(depth) < lengths[:, None]] = first.document
        return out


def _packed(name: str) -> bytes:
    """A name behind its length, so that two rows of names never read the same."""
    raw = name.encode("utf-8", "surrogatepass")
    return len(raw).to_bytes(8, "little") + raw
