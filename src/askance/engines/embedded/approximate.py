"""Nearest vectors by a graph that is searched in part: quick on very many vectors, and not always right.

HNSW (Malkov and Yashunin 2016) as usearch has it. Built by one thread, so that the same vectors give the same graph.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from askance.core.errors import FileProblem, MissingExtra
from askance.core.files import write_whole
from askance.core.progress import Progress, Silent
from askance.models.embedder import Vectors

CONNECTIVITY = 16
EXPANSION_BUILDING = 128
EXPANSION_SEARCHING = 256  # candidates kept while searching; never fewer than twice what is asked for

_AT_ONCE = 4096


class Graph:
    """A graph over rows of vectors."""

    def __init__(self, index: Any) -> None:
        self._index = index

    @classmethod
    def made(cls, vectors: Vectors, progress: Progress | None = None) -> Graph:
        """The graph of these rows; MissingExtra where usearch is not installed."""
        told = progress or Silent()
        index = _empty(vectors.shape[1])
        told.start("link neighbours", len(vectors))
        for start in range(0, len(vectors), _AT_ONCE):
            block = np.array(vectors[start : start + _AT_ONCE])
            index.add(np.arange(start, start + len(block)), block, threads=1)
            told.advance("link neighbours", len(block))
        told.finish("link neighbours")
        return cls(index)

    @classmethod
    def open(cls, path: Path, shape: tuple[int, ...]) -> Graph:
        """A stored graph, memory-mapped; FileProblem where it is not that of vectors of this shape."""
        index = _empty(shape[1])
        remedy = "Build the index again: askance index DOCS --into DIR"
        try:
            index.view(str(path))
        except (RuntimeError, OSError, ValueError) as problem:
            raise FileProblem(path, f"is missing or damaged ({problem})", remedy=remedy) from problem
        if (len(index), index.ndim) != shape:
            raise FileProblem(path, f"is of {len(index)} vectors, expected {shape[0]}", remedy=remedy)
        return cls(index)

    def save(self, path: Path) -> None:
        """Write the graph, whole or not at all."""
        write_whole(path, bytes(self._index.save()))

    def nearest(self, question: Vectors, depth: int) -> NDArray[np.int64]:
        """The rows found nearest, `depth` of them or all, ascending."""
        if not len(self._index):
            return np.empty(0, dtype=np.int64)
        self._index.expansion_search = max(EXPANSION_SEARCHING, 2 * depth)
        found = self._index.search(question, min(depth, len(self._index)))
        return np.sort(np.asarray(found.keys).astype(np.int64))


def check_installed() -> None:
    """MissingExtra where usearch is not installed."""
    _empty(1)


def _empty(dimension: int) -> Any:
    try:
        from usearch.index import Index
    except ImportError:
        raise MissingExtra("the approximate lookup", "pip install 'askance[approximate]'") from None
    return Index(
        ndim=dimension,
        metric="ip",
        dtype="f32",
        connectivity=CONNECTIVITY,
        expansion_add=EXPANSION_BUILDING,
        expansion_search=EXPANSION_SEARCHING,
    )
