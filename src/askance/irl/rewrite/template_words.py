"""Which words of a question belong to its template: the collection says, and other questions where there are some."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence

from askance.irl.rewrite.vocabulary import Vocabulary
from askance.text.analyzer import Analyzer

_LEAST_QUESTIONS = 3


class TemplateWords:
    """Words that say nothing of what is asked for.

    A word is one where at least half of the documents have it outside their items ("likes"); where there are no items
    to tell from, where nine in ten documents have it; or where more than half of a batch of questions have it.
    """

    def __init__(self, vocabulary: Vocabulary, shared: frozenset[str] = frozenset()) -> None:
        self._vocabulary, self._shared = vocabulary, shared
        self._known: dict[str, bool] = {}

    def __call__(self, term: str) -> bool:
        known = self._known.get(term)
        if known is None:
            known = self._known[term] = term in self._shared or self._is_common(term)
        return known

    def all_of(self, terms: Sequence[str]) -> bool:
        return all(map(self, terms))

    def _is_common(self, term: str) -> bool:
        vocabulary = self._vocabulary
        holders = vocabulary.holders(term)
        if not vocabulary.has_items:
            return 10 * holders >= 9 * vocabulary.documents
        if 2 * holders < vocabulary.documents:
            return False
        return 2 * (holders - vocabulary.holders(term, "items")) >= vocabulary.documents


def shared_by(questions: Sequence[str], analyzer: Analyzer) -> frozenset[str]:
    """Words that more than half of the questions have; none where there are fewer than three questions."""
    if len(questions) < _LEAST_QUESTIONS:
        return frozenset()
    counts: Counter[str] = Counter()
    for question in questions:
        counts.update(set(analyzer.terms(question)))
    return frozenset(term for term, count in counts.items() if 2 * count > len(questions))


def rarity(holders: int, documents: int) -> float:
    """ln(1 + (N − n + ½) / (n + ½)), as BM25 weighs a word."""
    return math.log(1 + (documents - holders + 0.5) / (holders + 0.5))
