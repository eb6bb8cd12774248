"""Gold that was never indexed: the index says so, or lists that hold everything else do."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from askance.diagnose.case import Case, IndexSeen, System
from askance.diagnose.causes import NEVER_INDEXED
from askance.diagnose.waterfall import Lost
from askance.text.analyzer import Analyzer

_RARE = math.log(1e-4)
"""What lists would look like so seldom by chance is no chance; as for filters."""


class NotInIndex:
    """The reason `never indexed`, from the index itself."""

    cause = NEVER_INDEXED

    def __init__(self, index: IndexSeen) -> None:
        self._index = index

    def why(self, lost: Lost) -> str | None:
        return None if self._index.holds[lost.gold] else f"the index {self._index.place} does not hold it"


class InNoList:
    """The reason `never indexed`, from the lists alone, where they leave nothing else to think.

    Gold stands in no list of the system. And the list of the query holds every document that any list holds (but for
    excluded ones), which lists drawn by chance would do in fewer than 1 of 10,000 cases: one list alone always does,
    and says nothing of where it was cut off. Or, of a system that matches words: it had room for more, and gold holds
    a word of the query.
    """

    cause = NEVER_INDEXED

    def __init__(self, case: Case, system: System, matches_words: bool) -> None:
        self._case, self._system, self._matches_words = case, system, matches_words
        self._listed = np.zeros(len(case.collection.documents), dtype=np.bool_)
        self._listed[system.run.document] = True
        self._ever = int(self._listed.sum())
        self._chance = _chance_within(self._ever, len(self._listed), np.diff(system.run.offsets))
        self._analyzer = system.analyzer or Analyzer()

    def why(self, lost: Lost) -> str | None:
        if lost.rank is not None or self._listed[lost.gold]:
            return None
        listed, _ = self._system.run.of_query(lost.query)
        excluded = self._case.collection.excluded
        barred = 0 if excluded is None else int(self._listed[excluded.of_query(lost.query)].sum())
        others = float(self._chance.sum() - self._chance[lost.query])
        if len(listed) and len(listed) >= self._ever - barred and others < _RARE:
            return "it is in no list, and this list holds every document that any list holds"
        if self._matches_words and len(listed) < self._system.depth and self._case.texts is not None:
            shared = self._shared(self._case.texts, lost)
            if shared:
                return f"it holds {', '.join(shared[:3])}, the list has room for more, and it is in no list"
        return None

    def _shared(self, texts: tuple[Sequence[str], Sequence[str]], lost: Lost) -> list[str]:
        terms = set(self._analyzer.terms(texts[1][lost.gold]))
        return [term for term in dict.fromkeys(self._analyzer.terms(texts[0][lost.query])) if term in terms]


def _chance_within(some: int, all_of_them: int, lengths: NDArray[np.int64]) -> NDArray[np.float64]:
    """For each list, the logarithm of the chance that as many documents, drawn from all, lie among `some` of them.

    C(some, n) / C(all, n) for a list of n documents.
    """

    def log_falling(count: int, n: int) -> float:
        return math.lgamma(count + 1) - math.lgamma(count - n + 1)

    return np.array([log_falling(some, n) - log_falling(all_of_them, n) for n in lengths.tolist()])
