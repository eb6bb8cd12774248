"""Evaluation that lets the index do whole trees where it can, and so takes no more hits than are asked for."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from askance.engines.evaluate import Evaluation, NearestDocuments, Positions, Scope, added, rounded, without
from askance.engines.fusion import Ranking
from askance.engines.matches import Leaves, Matches
from askance.engines.selection import best
from askance.irl.nodes import Boost, Knn, Node, Or


class WholeTrees(Leaves, Protocol):
    """An index that answers trees at once, where they lie in one field; None where they do not."""

    def search_top(
        self, node: Node, limit: int, field: str = "text", relation: str | None = None
    ) -> tuple[Positions, NDArray[np.float64], int] | None:
        """The best `limit`, ties by position, their scores, and how many match in all."""
        ...

    def among(self, node: Node, positions: Positions, field: str = "text", relation: str | None = None) -> Matches:
        """Which of these positions match a tree that `search_top` answers, and their scores."""
        ...


_EVERYWHERE = Scope()


class IndexEvaluation(Evaluation):
    """One query over an embedded index."""

    def __init__(self, index: WholeTrees, vectors: NearestDocuments | None) -> None:
        super().__init__(index, vectors)
        self._index = index

    def top(self, node: Node, limit: int, scope: Scope | None = None) -> tuple[Ranking, int]:
        """The best `limit` of what the clause matches, ties by position, and how many match in all."""
        scope = scope or _EVERYWHERE
        found = self._index.search_top(node, limit, scope.field, scope.relation)
        if found is not None:
            positions, scores, total = found
            return Ranking(positions, scores), total
        if isinstance(node, Or):
            nearest = [part for part in node.parts if _is_knn(part)]
            words = [part for part in node.parts if not _is_knn(part)]
            mixed = self._words_and_nearest(words, nearest, limit, scope) if nearest and words else None
            if mixed is not None:
                return mixed
        return super().top(node, limit, scope)

    def _words_and_nearest(
        self, words: Sequence[Node], nearest: Sequence[Node], limit: int, scope: Scope
    ) -> tuple[Ranking, int] | None:
        """Of an or of words and vectors: the best by words, and by words those that are near.

        What is neither among the best by words nor near has the score of its words alone, and so at least `limit`
        documents before it. None where the words do not lie in one field's index.
        """
        lexical = words[0] if len(words) == 1 else Or(tuple(words))
        near = added([self.unrounded(part, scope) for part in nearest])
        first = self._index.search_top(lexical, limit + len(near.positions), scope.field, scope.relation)
        if first is None:
            return None
        positions, scores, total = first
        order = np.argsort(positions, kind="stable")
        known = Matches(positions[order], scores[order])
        if total > len(positions):  # else these are all there are
            unknown = without(near.positions, known.positions)
            known = added([known, self._index.among(lexical, unknown, scope.field, scope.relation)])
        found = rounded(added([known, near]))
        chosen = best(found.scores, limit)
        both = int(np.isin(near.positions, known.positions, assume_unique=True).sum())
        return Ranking(found.positions[chosen], found.scores[chosen]), total + len(near.positions) - both


def _is_knn(node: Node) -> bool:
    while isinstance(node, Boost):
        node = node.child
    return isinstance(node, Knn)
