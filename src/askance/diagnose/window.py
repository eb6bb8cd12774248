"""Gold that a model's window cut off before what it shares with the query.

How it is decided: the document is longer than the window; of the words that the query and the document have in common,
weighted by how rare they are in the corpus (idf as in BM25), those that stand behind the cut alone weigh at least as
much as those before it. The cut is the longest beginning, ended at white space, that the window holds. Where gold
shares no word with the query this tells nothing, and the cause is another one.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cached_property
from math import log

from askance.diagnose.case import Window
from askance.diagnose.causes import CUT
from askance.diagnose.waterfall import Lost
from askance.text.analyzer import Analyzer

_END_OF_WORD = re.compile(r"(?<=\S)(?=\s|$)")


class BehindTheCut:
    """The reason `cut`."""

    cause = CUT

    def __init__(self, window: Window, texts: tuple[Sequence[str], Sequence[str]]) -> None:
        self._window, (self._queries, self._documents) = window, texts
        self._analyzer = Analyzer()
        self._read: dict[int, str] = {}

    def why(self, lost: Lost) -> str | None:
        read = self.read(lost.gold)
        whole = self._documents[lost.gold]
        if len(read) >= len(whole):
            return None
        asked = set(self._analyzer.terms(self._queries[lost.query]))
        before = asked & set(self._analyzer.terms(read))
        behind = (asked & set(self._analyzer.terms(whole))) - before
        if not behind or self._weight(behind) < self._weight(before):
            return None
        words = ", ".join(sorted(behind, key=lambda word: (-self._weight([word]), word))[:3])
        return f"{words} stand only behind its first {self._window.tokens:,} tokens"

    def read(self, document: int) -> str:
        """What the model reads of a document."""
        if document not in self._read:
            self._read[document] = self._cut(self._documents[document])
        return self._read[document]

    def _cut(self, text: str) -> str:
        if int(self._window.count([text])[0]) <= self._window.tokens:
            return text
        ends = [0, *(match.start() for match in _END_OF_WORD.finditer(text))]
        low, high = 0, len(ends) - 1  # the beginning of `low` words fits, that of `high` does not
        while high - low > 1:
            middle = (low + high) // 2
            fits = int(self._window.count([text[: ends[middle]]])[0]) <= self._window.tokens
            low, high = (middle, high) if fits else (low, middle)
        return text[: ends[low]]

    def _weight(self, words: Iterable[str]) -> float:
        n = len(self._documents)
        return sum(log(1.0 + (n - self._holders[word] + 0.5) / (self._holders[word] + 0.5)) for word in words)

    @cached_property
    def _holders(self) -> Counter[str]:
        """How many documents hold each word."""
        return Counter(word for text in self._documents for word in set(self._analyzer.terms(text)))
