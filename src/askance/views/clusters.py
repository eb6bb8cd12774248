"""Classes of words by their neighbours, and how open each is: a vote of many clusterings, fine and coarse.

Each clustering (average linkage on cosine distance, one a space, number of axes and height) puts every frequent word
into a cluster. Words are near where most clusterings put them together. How open a word is, is read from the coarse
ones, which find about what grammar calls parts of speech: the effective number of words of its cluster, exp(entropy),
averaged over the clusterings by its logarithm. Kinds of things and places come out in the tens to hundreds, verbs,
states and small words far below; the border between the two is where it divides the words best (Otsu 1979).
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from askance.views.neighbours import Space, space_of

_AXES = (10, 15, 20, 25, 30)
_FINE = (0.5, 0.6, 0.7)
_COARSE = (0.8, 0.85, 0.9, 0.95)
_FEWEST = 3  # occurrences of a word that is clustered; others join what they are near to
_MOST_WORDS = 1_000
_MOST_RARE = 20_000
_ENOUGH_WORDS = 12
_APART = 0.5  # share of clusterings that part two words of one class at most
_LOOSE = 0.75  # … of one slot
_LEAST_OPEN = 8.0  # effective members, below which nothing is open

Labels = NDArray[np.int64]
Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Cluster:
    """A class. `words`, the most frequent first; `openness`: effective members, see above; `group`: its slot."""

    words: tuple[str, ...]
    openness: float
    group: int


@dataclass(frozen=True)
class Clusters:
    """All classes, the largest first, and from which openness on they are open; infinite where nothing is."""

    classes: tuple[Cluster, ...]
    border: float


def cluster(texts: Sequence[Sequence[str]]) -> Clusters:
    """The classes of the words of these texts; none where there are too few words."""
    counted = Counter(word for text in texts for word in text)
    words = sorted(counted, key=lambda word: (-counted[word], word))
    frequent = min(sum(count >= _FEWEST for count in counted.values()), _MOST_WORDS)
    if frequent < _ENOUGH_WORDS:
        return Clusters((), np.inf)
    words = words[: frequent + _MOST_RARE]
    spaces = [space_of(texts, words, frequent, max(_AXES), both=both) for both in (False, True)]
    usable = [space for space in spaces if space is not None]
    if not usable:
        return Clusters((), np.inf)
    weight = np.array([counted[word] for word in words[:frequent]], dtype=np.float64)
    together, openness = _votes(usable, frequent, weight)
    fine, loose = _cut(1.0 - together, _APART), _cut(1.0 - together, _LOOSE)
    border = _border(openness)
    return Clusters(_classes(words, fine, loose, openness, _nearest(usable, frequent, fine)), border)


def _votes(spaces: Sequence[Space], frequent: int, weight: Floats) -> tuple[Floats, Floats]:
    """Share of clusterings in which two words are together [words, words]; openness of each word [words]."""
    together = np.zeros((frequent, frequent))
    effective, coarse, all_of_them = np.zeros(frequent), 0, 0
    for space in spaces:
        for axes in _AXES:
            tree = _tree(space.unit(axes)[:frequent])
            for height in (*_FINE, *_COARSE):
                labels = _labels(tree, height)
                together += labels[:, None] == labels[None, :]
                all_of_them += 1
                if height in _COARSE:
                    effective += _entropy(labels, weight)[labels]
                    coarse += 1
    return together / all_of_them, np.exp(effective / coarse)


def _tree(points: Floats) -> Floats:
    """Average linkage by cosine distance; a point at 0 is at distance 1 from all."""
    from scipy.cluster.hierarchy import linkage
    from scipy.spatial.distance import pdist

    distance = np.nan_to_num(pdist(points, "cosine"), nan=1.0)
    return np.asarray(linkage(np.maximum(distance, 0.0), "average"), dtype=np.float64)


def _cut(distance: Floats, height: float) -> Labels:
    """Average linkage by these distances, cut at a height."""
    from scipy.cluster.hierarchy import linkage
    from scipy.spatial.distance import squareform

    np.fill_diagonal(distance, 0.0)
    condensed = squareform(distance, checks=False)
    return _labels(np.asarray(linkage(condensed, "average"), dtype=np.float64), height)


def _labels(tree: Floats, height: float) -> Labels:
    from scipy.cluster.hierarchy import fcluster

    return np.asarray(fcluster(tree, height, "distance")).astype(np.int64) - 1


def _entropy(labels: Labels, weight: Floats) -> Floats:
    """Of the words of each cluster, by how often they occur, in nats [clusters]."""
    total = np.bincount(labels, weights=weight)
    share = weight / total[labels]
    return np.asarray(np.bincount(labels, weights=-share * np.log(share)), dtype=np.float64)


def _border(openness: Floats) -> float:
    """Where the logarithms of `openness` divide best in two: the greatest variance between the parts (Otsu 1979)."""
    values = np.sort(np.log(openness))
    below = np.arange(1, len(values))
    sums = np.cumsum(values)
    means = sums[:-1] / below, (sums[-1] - sums[:-1]) / (len(values) - below)
    best = int(np.argmax(below * (len(values) - below) * (means[1] - means[0]) ** 2))
    border = float(np.exp((values[best] + values[best + 1]) / 2))
    return max(border, _LEAST_OPEN)


def _nearest(spaces: Sequence[Space], frequent: int, labels: Labels) -> Labels:
    """The class of each rare word: the one whose middle is nearest; -1 where the word has no known neighbour."""
    nearness = np.zeros((len(spaces[0].words) - frequent, int(labels.max()) + 1))
    for space in spaces:
        points = space.unit(max(_AXES))
        middle = np.zeros((nearness.shape[1], points.shape[1]))
        np.add.at(middle, labels, points[:frequent])
        middle /= np.maximum(np.linalg.norm(middle, axis=1, keepdims=True), 1e-12)
        nearness += points[frequent:] @ middle.T
    if not len(nearness):
        return np.empty(0, dtype=np.int64)
    best = nearness.argmax(axis=1)
    return np.where(nearness[np.arange(len(best)), best] > 0, best, -1)


def _classes(words: Sequence[str], fine: Labels, loose: Labels, openness: Floats, rare: Labels) -> tuple[Cluster, ...]:
    members: defaultdict[int, list[int]] = defaultdict(list)
    for at, label in enumerate((*fine.tolist(), *rare.tolist())):
        if label >= 0:
            members[label].append(at)
    found = []
    for places in members.values():
        clustered = [at for at in places if at < len(fine)]
        group = Counter(loose[clustered].tolist()).most_common(1)[0][0]
        effective = float(np.exp(np.log(openness[clustered]).mean()))
        found.append(Cluster(tuple(words[at] for at in places), effective, int(group)))
    return tuple(sorted(found, key=lambda one: (-len(one.words), one.words)))
