"""Gold whose words the analyzer takes for others than the query's, or a winner with which it equates too much.

How it is decided: another usual analyzer (English stems, no stems, Unicode forms and apostrophes brought together, no
stop words dropped) finds more of the query's words in gold, or fewer in rank 1; and by BM25 over the whole corpus under
that analyzer gold stands before what is at rank 1 now.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from askance.diagnose.case import Case, System
from askance.diagnose.causes import ANALYZER
from askance.diagnose.waterfall import Lost
from askance.engines.bm25 import BM25Index
from askance.text.analyzer import Analyzer

_LOOKED_AT = 30  # queries by which it is told whether a run matches words
_FIRST = 10
_ALIKE = 0.5


class WordForms:
    """The corpus under each analyzer, indexed when it is first asked for; shared by the systems of a case."""

    def __init__(self, texts: tuple[Sequence[str], Sequence[str]]) -> None:
        self.queries, self.documents = texts
        self._indices: dict[Analyzer, BM25Index] = {}

    def index(self, analyzer: Analyzer) -> BM25Index:
        if analyzer not in self._indices:
            self._indices[analyzer] = BM25Index(self.documents, analyzer)
        return self._indices[analyzer]

    def matched(self, analyzer: Analyzer, query: int, document: int) -> list[str]:
        """The words of the query that the document holds, as the analyzer takes them."""
        held = set(analyzer.terms(self.documents[document]))
        return [term for term in dict.fromkeys(analyzer.terms(self.queries[query])) if term in held]

    def above(self, analyzer: Analyzer, query: int, document: int, other: int | None) -> bool:
        """Whether a document scores more than another under an analyzer."""
        found, scores = self.index(analyzer).scores(analyzer.terms(self.queries[query]))
        known = dict(zip(found.tolist(), scores.tolist(), strict=True))
        others: float = known.get(other, 0.0) if other is not None else 0.0
        return bool(known.get(document, 0.0) > others)


class OtherForms:
    """The reason `analyzer`."""

    cause = ANALYZER

    def __init__(self, system: System, forms: WordForms, analyzer: Analyzer | None) -> None:
        self._forms = forms
        self._own = system.analyzer or analyzer or Analyzer()
        self._others = {name: each for name, each in _others(self._own).items() if each != self._own}

    def why(self, lost: Lost) -> str | None:
        own = self._forms.matched(self._own, lost.query, lost.gold)
        for name, other in self._others.items():
            more = self._forms.matched(other, lost.query, lost.gold)
            new = [word for word in more if word not in own]
            gains = len(more) > len(own) and new
            sheds = lost.winner is not None and self._sheds(other, lost.query, lost.winner)
            if (gains or sheds) and self._forms.above(other, lost.query, lost.gold, lost.winner):
                what = f"finds {', '.join(new[:3])} in it" if gains else "finds less of the query in rank 1"
                return f"an analyzer {name} {what}, and puts it before rank 1"
        return None

    def _sheds(self, other: Analyzer, query: int, winner: int) -> bool:
        return self._own.stemmer is not None and len(self._forms.matched(other, query, winner)) < len(
            self._forms.matched(self._own, query, winner)
        )


def _others(own: Analyzer) -> dict[str, Analyzer]:
    return {
        "that keeps stop words": replace(own, stop_words=frozenset()),
        "that brings Unicode forms and apostrophes together": replace(own, normalize="nfkc", fold_apostrophes=True),
        "with English stems": replace(own, stemmer="english"),
        "without stems": replace(own, stemmer=None),
    }


def matches_words(case: Case, system: System, forms: WordForms, analyzer: Analyzer | None) -> bool:
    """Whether a run of unknown origin ranks as words do: its first ten and BM25's have half their documents in common.

    The mean over the first queries that found something, up to 30.
    """
    if system.reads != "unknown":
        return system.reads == "words"
    own = system.analyzer or analyzer or Analyzer()
    shares: list[float] = []
    for query in case.queries:
        listed, _ = system.run.of_query(query)
        if len(listed) and len(shares) < _LOOKED_AT:
            first = listed[:_FIRST]
            found, _ = forms.index(own).search(forms.queries[query], len(first))
            shares.append(float(np.isin(first, found).mean()))
    return bool(shares) and float(np.mean(shares)) >= _ALIKE
