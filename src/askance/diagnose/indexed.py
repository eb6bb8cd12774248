"""Gold that was never indexed: the index says so, or lists that hold everything else do."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from askance.diagnose.case import Case, IndexSeen, System
from askance.diagnose.causes import NEVER_INDEXED
from askance.diagnose.waterfall import Lost
from askance.text.analyzer import Analyzer


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
    excluded ones); or, of a system that matches words: it had room for more, and gold holds a word of the query.
    """

    cause = NEVER_INDEXED

    def __init__(self, case: Case, system: System) -> None:
        self._case, self._system = case, system
        self._listed = np.zeros(len(case.collection.documents), dtype=np.bool_)
        self._listed[system.run.document] = True
        self._ever = int(self._listed.sum())
        self._analyzer = system.analyzer or Analyzer()

    def why(self, lost: Lost) -> str | None:
        if lost.rank is not None or self._listed[lost.gold]:
            return None
        listed, _ = self._system.run.of_query(lost.query)
        excluded = self._case.collection.excluded
        barred = 0 if excluded is None else int(self._listed[excluded.of_query(lost.query)].sum())
        if len(listed) and len(listed) >= self._ever - barred:
            return "it is in no list, and this list holds every document that any list holds"
        if self._system.reads == "words" and len(listed) < self._system.depth and self._case.texts is not None:
            shared = self._shared(self._case.texts, lost)
            if shared:
                return f"it holds {', '.join(shared[:3])}, the list has room for more, and it is in no list"
        return None

    def _shared(self, texts: tuple[Sequence[str], Sequence[str]], lost: Lost) -> list[str]:
        terms = set(self._analyzer.terms(texts[1][lost.gold]))
        return [term for term in dict.fromkeys(self._analyzer.terms(texts[0][lost.query])) if term in terms]
