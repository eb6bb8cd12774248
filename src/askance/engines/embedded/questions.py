"""Questions put to an index's vectors: embedded once, all of a batch together."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import numpy as np
from numpy.typing import NDArray

from askance.engines.embedded.vectors import DocumentVectors
from askance.engines.embedders import embedded_questions
from askance.engines.matches import Matches
from askance.irl.nodes import And, Knn, Node, Relation
from askance.models.embedder import Embedder, Vectors


class Questions:
    """The nearest documents to texts. What was asked is kept as long as this is.

    `embedder` is called when the first text is asked, and must be the documents' model: BadInput else.
    """

    def __init__(self, vectors: DocumentVectors, embedder: Callable[[], Embedder]) -> None:
        self._vectors = vectors
        self._embedder = embedder
        self._made: dict[str, Vectors] = {}
        self._lists: dict[tuple[str, int], Matches] = {}

    def prepare(self, queries: Iterable[Node]) -> None:
        """Embed all texts of these queries together, and look up those that nothing restricts in one pass."""
        asked: dict[str, None] = {}
        free: dict[int, dict[str, None]] = {}
        for query in queries:
            clauses = [node for node in query.walk() if isinstance(node, Knn)]
            asked.update((clause.text, None) for clause in clauses)
            if not any(isinstance(node, And | Relation) for node in query.walk()):
                for clause in clauses:
                    free.setdefault(clause.depth, {})[clause.text] = None
        self._embed(list(asked))
        for depth, texts in free.items():
            vectors = np.array([self._made[text] for text in texts])
            for text, found in zip(texts, self._vectors.nearest_all(vectors, depth), strict=True):
                self._lists[text, depth] = found

    def nearest(self, text: str, depth: int, allowed: NDArray[np.int64] | None) -> Matches:
        """The `depth` nearest documents of those allowed (None: of all)."""
        if allowed is not None:
            return self._vectors.nearest(self._vector(text), depth, allowed)
        if (text, depth) not in self._lists:
            self._lists[text, depth] = self._vectors.nearest(self._vector(text), depth)
        return self._lists[text, depth]

    def place(self, text: str, position: int, allowed: NDArray[np.int64] | None) -> tuple[int, float] | None:
        """At which place of the nearest a document stands, and its cosine; None where it has no vector."""
        return self._vectors.place(self._vector(text), position, allowed)

    def _vector(self, text: str) -> Vectors:
        if text not in self._made:
            self._embed([text])
        return self._made[text]

    def _embed(self, texts: list[str]) -> None:
        new = [text for text in texts if text not in self._made]
        if new:
            embedder = self._embedder()
            self._vectors.check(embedder.card)
            self._made.update(zip(new, embedded_questions(embedder, new), strict=True))
