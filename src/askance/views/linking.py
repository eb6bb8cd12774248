"""Classes of words that stand for each other: joined where they fill the same frames.

A frame is a text with one place left open. Words that frames connect are one class, unless a few stray frames are all
that holds two parts together: the parts are found by the second singular vector of the matrix of words and frames
(Dhillon 2001) and cut where the fewest frames reach into both. Time is near linear in the (frame, word) pairs.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Counts = NDArray[np.int64]
Part = tuple[list[str], list[list[str]]]  # words, and the frames that they fill

_STRAY = 0.1  # of the frames of the smaller part: what may reach into both and yet not make them one
_SMALLEST = 2  # words of a part
_WORTH_CUTTING = 6  # words of a class
_DENSE = 300  # words up to which all singular vectors are computed


def linked(frames: Sequence[Sequence[str]]) -> list[frozenset[str]]:
    """Classes of two or more words, the largest first. `frames`: the distinct words that fill each, two or more."""
    left = _connected(frames)
    classes = []
    while left:
        words, inside = left.pop()
        parts = _cut(words, inside)
        if parts:
            left += parts
        else:
            classes.append(frozenset(words))
    return sorted((each for each in classes if len(each) > 1), key=lambda one: (-len(one), min(one)))


def _connected(frames: Sequence[Sequence[str]]) -> list[Part]:
    """The connected parts; words sorted."""
    parent: dict[str, str] = {}

    def root(word: str) -> str:
        while parent.setdefault(word, word) != word:
            parent[word] = word = parent[parent[word]]
        return word

    for fillers in frames:
        for word in fillers[1:]:
            parent[root(word)] = root(fillers[0])
    words: defaultdict[str, list[str]] = defaultdict(list)
    for word in sorted(parent):
        words[root(word)].append(word)
    inside: defaultdict[str, list[list[str]]] = defaultdict(list)
    for fillers in frames:
        inside[root(fillers[0])].append(list(fillers))
    return [(words[top], inside[top]) for top in words]


def _cut(words: list[str], frames: list[list[str]]) -> list[Part]:
    """The parts that strays held together, words of no frame left out; nothing where they are one."""
    if len(words) < _WORTH_CUTTING:
        return []
    row_of = {word: row for row, word in enumerate(words)}
    rows = np.array([row_of[word] for fillers in frames for word in fillers], dtype=np.int64)
    columns = np.repeat(np.arange(len(frames)), [len(fillers) for fillers in frames])
    order = np.argsort(_second(rows, columns, len(words), len(frames)), kind="stable")
    left = _best_cut(order, rows, columns, len(frames))
    if left is None:
        return []
    first = {words[at] for at in order[:left].tolist()}
    parts: list[Part] = []
    for mine in (first, set(words) - first):
        within = ([word for word in fillers if word in mine] for fillers in frames)
        parts += _connected([fillers for fillers in within if len(fillers) > 1])
    return parts


def _second(rows: Counts, columns: Counts, words: int, frames: int) -> Floats:
    """The words' coordinates on the second singular vector, each row scaled by its number of frames [words]."""
    from scipy.sparse import csr_matrix
    from scipy.sparse.linalg import svds

    of_word, of_frame = np.bincount(rows, minlength=words), np.bincount(columns, minlength=frames)
    scaled = 1.0 / np.sqrt(of_word[rows] * of_frame[columns])
    matrix = csr_matrix((scaled, (rows, columns)), shape=(words, frames))
    if words <= _DENSE or frames <= _DENSE:
        products = matrix @ matrix.T if words <= frames else matrix.T @ matrix
        values, vectors = np.linalg.eigh(products.toarray())
        second = vectors[:, -2] if len(values) > 1 else np.zeros(len(values))
        if words > frames:
            second = matrix @ second
    else:
        start = np.linspace(1.0, 2.0, min(words, frames))  # the same in every run, and not the first vector itself
        left, values, _ = svds(matrix, k=2, v0=start)
        second = left[:, int(np.argmin(values))]
    return np.asarray(np.round(second / np.sqrt(of_word), 9), dtype=np.float64)


def _best_cut(order: Counts, rows: Counts, columns: Counts, frames: int) -> int | None:
    """How many words of `order` are the left part, where the smallest share of frames reaches into both.

    None where even that is more than strays.
    """
    words = len(order)
    place = np.empty(words, dtype=np.int64)
    place[order] = np.arange(words)
    first, last = np.full(frames, words), np.full(frames, -1)
    np.minimum.at(first, columns, place[rows])
    np.maximum.at(last, columns, place[rows])
    cuts = np.arange(_SMALLEST, words - _SMALLEST + 1)
    reach_left = np.searchsorted(np.sort(first), cuts, side="left")  # frames with a word before the cut
    reach_right = frames - np.searchsorted(np.sort(last), cuts, side="left")
    both = reach_left + reach_right - frames
    share = both / np.maximum(np.minimum(reach_left, reach_right), 1)
    best = int(np.argmin(share))
    return int(cuts[best]) if share[best] <= _STRAY else None
