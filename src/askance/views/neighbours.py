"""Words as points: two words are near where the same words stand beside them.

Counts of a word with what stands left of it, right of it, and both at once, turned into positive pointwise mutual
information with smoothed contexts (Levy, Goldberg and Dagan 2015) and reduced by a truncated eigendecomposition.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Points = NDArray[np.float64]

_SMOOTHED = 0.75  # power of the frequency of contexts
_SCALED = 0.5  # power of the singular values
_FEWEST_OF_A_CONTEXT = 2
_MOST_CONTEXTS = 20_000
_EDGE = ""


@dataclass(frozen=True, eq=False)
class Space:
    """`words`, the most frequent first; `frequent`: how many of them made the axes; `points` float64 [words, axes].

    The first axes carry most: a space of fewer axes is a slice of it. Points are not of unit length.
    """

    words: tuple[str, ...]
    frequent: int
    points: Points

    def unit(self, axes: int) -> Points:
        """The points on the first axes, of unit length; a word without any known neighbour stays at 0."""
        points = self.points[:, :axes]
        length = np.linalg.norm(points, axis=1, keepdims=True)
        return np.where(length > 1e-12, points / np.maximum(length, 1e-12), 0.0)


def contexts_of(text: Sequence[str], at: int, *, both: bool) -> Iterator[tuple[str, ...]]:
    """What stands beside the word at a place: left, right, and, if asked for, both as one."""
    left = text[at - 1] if at else _EDGE
    right = text[at + 1] if at + 1 < len(text) else _EDGE
    yield "<", left
    yield ">", right
    if both:
        yield "<>", left, right


def space_of(
    texts: Sequence[Sequence[str]], words: Sequence[str], frequent: int, axes: int, *, both: bool
) -> Space | None:
    """The space of `words`, the first `frequent` of which make its axes; None where they have too few neighbours."""
    from scipy.sparse import csr_matrix

    row_of = {word: row for row, word in enumerate(words)}
    pairs: Counter[tuple[int, tuple[str, ...]]] = Counter()
    for text in texts:
        for at, word in enumerate(text):
            row = row_of.get(word)
            if row is not None:
                pairs.update((row, context) for context in contexts_of(text, at, both=both))
    of_context: Counter[tuple[str, ...]] = Counter()
    for (row, context), count in pairs.items():
        if row < frequent:
            of_context[context] += count
    kept = [context for context, count in of_context.items() if count >= _FEWEST_OF_A_CONTEXT]
    kept = sorted(kept, key=lambda context: (-of_context[context], context))[:_MOST_CONTEXTS]
    column_of = {context: column for column, context in enumerate(kept)}
    entries = [(row, column_of[context], count) for (row, context), count in pairs.items() if context in column_of]
    if not entries or frequent < 2:
        return None
    rows, columns, counts = (np.array(each, dtype=np.int64) for each in zip(*entries, strict=True))
    total = np.bincount(rows, weights=counts, minlength=len(words))
    common = np.array([of_context[context] for context in kept], dtype=np.float64) ** _SMOOTHED
    common /= common.sum()
    information = np.maximum(np.log(counts / total[rows] / common[columns]), 0.0)
    matrix = csr_matrix((information, (rows, columns)), shape=(len(words), len(kept)))
    return _reduced(tuple(words), frequent, matrix @ matrix[:frequent].T, axes)


def _reduced(words: tuple[str, ...], frequent: int, products: object, axes: int) -> Space | None:
    """Points from the products of all words with the frequent ones [words, frequent]."""
    dense = np.asarray(products.toarray())  # type: ignore[attr-defined]
    values, vectors = np.linalg.eigh(dense[:frequent])
    order = np.argsort(-values)[:axes]
    values, vectors = values[order], vectors[:, order]
    strong = values > 1e-9
    if not strong.any():
        return None
    values, vectors = values[strong], vectors[:, strong]
    # products = P Pᵀ = U S² Uᵀ for the frequent ones; a row p of P lies at p V Sᵖ⁻¹·… = (p Pᵀ) U Sᵖ⁻²
    points = dense @ vectors * np.sqrt(values) ** (_SCALED - 2)
    return Space(words, frequent, points)
