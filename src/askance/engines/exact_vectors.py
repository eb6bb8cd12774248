"""Exact nearest neighbours by inner product, in an order that does not depend on the noise of the arithmetic.

One matrix product gives equal rows scores that differ by 4e-7. So each distinct vector is scored once, scores are
rounded to DECIMALS before they order, and equal scores stand by document position.

Scores come in blocks, and few of them are ever sorted: what lies below the depth-th best of the blocks before is left
out, and so is what lies below a bound of the block itself: its columns are dealt into groups, and at least `depth`
scores reach the depth-th highest of the group maxima. Rows of documents that have a few other rows among them are
compared where they lie, these others too: that costs less than a copy.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from askance.core.errors import DataProblem
from askance.core.progress import Progress, Silent
from askance.data.collection import Excluded
from askance.data.rows import Offsets, Positions, offsets_of, owner_of, pair_keys

DECIMALS = 6
_MARGIN = np.float32(2.0 * 10.0**-DECIMALS)  # scores further apart than this stay in order when they are rounded
_LOWEST = np.finfo(np.float32).min

_QUERIES = 256
_STRAY = 0.1  # rows of others among those of documents, at most, that are compared rather than left out by a copy
_DOCUMENTS = 32_768  # so that a block of scores takes 32 MB, one of documents 48 MB at 384 dimensions

Vectors = NDArray[np.float32]
Rows = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Ranked:
    """Ranked documents per query, best first: `document` and `score` [offsets[q]:offsets[q + 1]] for query q."""

    offsets: Offsets
    document: Positions
    score: NDArray[np.float64]

    def top(self, depth: int) -> Ranked:
        """The first `depth` of every list."""
        lengths = np.diff(self.offsets)
        place = np.arange(len(self.document)) - np.repeat(self.offsets[:-1], lengths)
        keep = place < depth
        return Ranked(offsets_of(np.minimum(lengths, depth)), self.document[keep], self.score[keep])


def nearest(
    vectors: Vectors,
    query_rows: Rows,
    document_rows: Rows,
    depth: int,
    excluded: Excluded | None = None,
    progress: Progress | None = None,
) -> Ranked:
    """The best `depth` documents of every query; `excluded` ones are no candidates.

    `vectors` float32 [distinct, dimension], may be memory-mapped; `query_rows` and `document_rows` say which row
    belongs to which query and document. Beyond the result, memory does not grow with the number of documents.
    DataProblem where a score is not a number.
    """
    told = progress or Silent()
    asked, asked_at = np.unique(query_rows, return_inverse=True)
    documents = _Distinct(document_rows)
    most = int(np.diff(excluded.offsets).max(initial=0)) if excluded is not None else 0
    need = max(min(depth + most, len(document_rows)), 0)
    if not need or not len(asked):
        return Ranked(offsets_of(np.zeros(len(query_rows), dtype=np.int64)), *_nothing())
    best = _search(vectors, asked, documents, need, told)
    return _without(_spread(best, asked_at), excluded, len(document_rows)).top(depth)


class _Distinct:
    """Distinct rows, ascending, and the positions that share each of them, ascending."""

    def __init__(self, rows: Rows) -> None:
        self.rows, row_at, shared = np.unique(rows, return_inverse=True, return_counts=True)
        self.offsets = offsets_of(shared)
        self.positions = np.argsort(row_at, kind="stable").astype(np.int32)

    def spread(self, at: Rows) -> tuple[Rows, Positions]:
        """For the distinct rows at `at`: which entry of `at` each sharing position stems from, and the position."""
        shared = np.diff(self.offsets)[at]
        entry = np.repeat(np.arange(len(at)), shared)
        within = np.arange(len(entry)) - np.repeat(np.cumsum(shared) - shared, shared)
        return entry, self.positions[self.offsets[at][entry] + within]


def _search(vectors: Vectors, asked: Rows, documents: _Distinct, need: int, told: Progress) -> Ranked:
    """The best `need` of each asked row. Documents are read once, block by block."""
    blocks = [slice(at, at + _QUERIES) for at in range(0, len(asked), _QUERIES)]
    starts = range(0, len(documents.rows), _DOCUMENTS)
    kept = [Ranked(offsets_of(np.zeros(len(asked[block]), dtype=np.int64)), *_nothing()) for block in blocks]
    widest = int(min(_DOCUMENTS, len(documents.rows)) * (1 + _STRAY))
    room = np.empty(min(_QUERIES, len(asked)) * widest, dtype=np.float32)
    told.start("compare vectors", len(asked) * len(starts))
    for start in starts:
        table, columns = _lying(vectors, documents.rows[start : start + _DOCUMENTS])
        for number, block in enumerate(blocks):
            queries = _taken(vectors, asked[block])
            shape = (len(queries), len(table))
            scores = np.matmul(queries, table.T, out=room[: shape[0] * shape[1]].reshape(shape))
            kept[number] = _better(kept[number], scores, columns, start, documents, need)
            told.advance("compare vectors", len(queries))
    told.finish("compare vectors")
    return Ranked(
        offsets_of(np.concatenate([np.diff(each.offsets) for each in kept])),
        np.concatenate([each.document for each in kept]),
        np.concatenate([each.score for each in kept]),
    )


def _taken(vectors: Vectors, rows: Rows) -> Vectors:
    """These rows of a table; neighbouring rows are not copied."""
    first, last = int(rows[0]), int(rows[-1])
    return vectors[first : last + 1] if last - first + 1 == len(rows) else vectors[rows]


def _lying(vectors: Vectors, rows: Rows) -> tuple[Vectors, NDArray[np.bool_] | None]:
    """A table with these ascending rows, and whether each of its rows is one of them: None where all are."""
    first, last = int(rows[0]), int(rows[-1])
    if last - first + 1 == len(rows) or last - first + 1 > len(rows) * (1 + _STRAY):
        return _taken(vectors, rows), None
    mine = np.zeros(last - first + 1, dtype=np.bool_)
    mine[rows - first] = True
    return vectors[first : last + 1], mine


def _better(
    kept: Ranked, scores: Vectors, columns: NDArray[np.bool_] | None, start: int, documents: _Distinct, need: int
) -> Ranked:
    """What is kept of each query, with what a block of scores has to add to it. `columns`: those that count."""
    if columns is not None:
        scores[:, np.flatnonzero(~columns)] = -np.inf
    bound = np.maximum(np.maximum(_bound(scores, need), _reached(kept, need)) - _MARGIN, _LOWEST)
    at = np.flatnonzero(scores >= bound[:, None])
    query, column = np.divmod(at, scores.shape[1])
    if columns is not None:
        column = (np.cumsum(columns) - 1)[column]
    entry, document = documents.spread(column + start)
    query = np.concatenate([owner_of(kept.offsets), query[entry]])
    document = np.concatenate([kept.document, document])
    rounded = np.round(scores.ravel()[at].astype(np.float64), DECIMALS)
    score = np.concatenate([kept.score, rounded[entry]])
    order = _order(query, score, document)
    lengths = np.bincount(query, minlength=len(scores))
    return Ranked(offsets_of(lengths), document[order], score[order]).top(need)


def _order(query: Rows, score: NDArray[np.float64], document: Positions) -> Rows:
    """By query, then the best score, then the document's position; a query has no document twice.

    As one whole number where that has room, which sorts ten times as fast.
    """
    if not len(query):
        return query
    highest, lowest = float(score.max()), float(score.min())
    steps = (highest - lowest) * 10.0**DECIMALS + 2
    wide = int(document.max()) + 1
    if not (int(query.max()) + 1) * steps * wide < 2.0**62 or not max(abs(highest), abs(lowest)) < 2.0**20:
        return np.lexsort((document, -score, query))
    down = np.rint((highest - score) * 10.0**DECIMALS).astype(np.int64)
    return np.argsort((query * int(steps) + down) * wide + document)


def _reached(kept: Ranked, need: int) -> Vectors:
    """Per list the score of its last place, −∞ where it is not full [lists]."""
    full = np.diff(kept.offsets) >= need
    found = np.full(len(full), -np.inf, dtype=np.float32)
    found[full] = kept.score[kept.offsets[1:][full] - 1]
    return found


def _bound(scores: Vectors, need: int) -> Vectors:
    """Per row a value that at least `need` scores reach, −∞ where there are fewer [rows]."""
    columns = scores.shape[1]
    groups = min(columns, max(4 * need, 256))
    width = columns // groups
    maxima = scores[:, : groups * width].reshape(len(scores), width, groups).max(axis=1)
    rest = columns - groups * width
    np.maximum(maxima[:, :rest], scores[:, groups * width :], out=maxima[:, :rest])
    if np.isnan(maxima).any():
        raise DataProblem("a vector score is not a number", remedy="Do the vectors hold only finite numbers?")
    if groups < need:
        return np.full(len(scores), -np.inf, dtype=np.float32)
    return np.partition(maxima, groups - need, axis=1)[:, groups - need]


def _spread(best: Ranked, asked_at: Rows) -> Ranked:
    """The lists of distinct vectors given to all queries that have them."""
    lengths = np.diff(best.offsets)[asked_at]
    offsets = offsets_of(lengths)
    take = np.arange(offsets[-1]) - np.repeat(offsets[:-1] - best.offsets[asked_at], lengths)
    return Ranked(offsets, best.document[take], best.score[take])


def _without(ranked: Ranked, excluded: Excluded | None, documents: int) -> Ranked:
    if excluded is None:
        return ranked
    never = pair_keys(excluded.offsets, excluded.document, documents)
    allowed = ~np.isin(pair_keys(ranked.offsets, ranked.document, documents), never)
    lengths = np.bincount(owner_of(ranked.offsets)[allowed], minlength=len(ranked.offsets) - 1)
    return Ranked(offsets_of(lengths), ranked.document[allowed], ranked.score[allowed])


def _nothing() -> tuple[Positions, NDArray[np.float64]]:
    return np.empty(0, dtype=np.int32), np.empty(0)
