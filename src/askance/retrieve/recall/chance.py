"""Whether a likeness stands above chance: held against tasks of as many words, drawn at random from the collection's.

The best score of each of 400 such tasks over the whole collection is what a task gets that has its words and means
nothing. As it is the best over all trajectories, the number of them is corrected for. A score stands above chance where
at most 2.5 % of these do as well, the upper half of a two-sided level of 5 %.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np

from askance.retrieve.recall.likeness import Floats, Likeness
from askance.text.analyzer import Analyzer

LEVEL = 0.05
DRAWS = 400

_ANALYZER = Analyzer()
_ROUNDING = 1e-9


class RandomTasks:
    """Best scores of random tasks, by their length; `texts` are those that the likeness compares with."""

    def __init__(self, texts: Sequence[str], likeness: Likeness, seed: int) -> None:
        counted = Counter(word for text in texts for word in _ANALYZER.terms(text))
        self._words = sorted(counted)
        self._share = np.array([counted[word] for word in self._words], dtype=np.float64)
        self._likeness, self._seed = likeness, seed
        self._best: dict[int, Floats] = {}

    def p(self, score: float, length: int) -> float:
        """The one-sided p of a score for a task of `length` words: (1 + draws that do as well) / (1 + draws)."""
        if not self._words or length < 1:
            return 1.0
        return float(1 + np.count_nonzero(self.best(length) >= score - _ROUNDING)) / (1 + DRAWS)

    def best(self, length: int) -> Floats:
        """The best score of each random task [draws]."""
        if length not in self._best:
            rng = np.random.default_rng([self._seed, length])
            drawn = rng.choice(len(self._words), (DRAWS, length), p=self._share / self._share.sum())
            tasks = [" ".join(self._words[at] for at in row) for row in drawn]
            self._best[length] = self._likeness.scores(tasks).max(axis=1)
        return self._best[length]
