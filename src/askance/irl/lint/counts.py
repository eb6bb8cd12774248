"""Counts over a corpus, as the rewriting asks for them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from askance.core.errors import UnknownName
from askance.irl.lint.foretell import Corpus
from askance.irl.lint.words import Words
from askance.irl.rewrite.near_items import near_in
from askance.text.analyzer import Analyzer

_WRITINGS = 5


class CorpusVocabulary:
    """The vocabulary of a corpus: fields text, items and name. What was asked once is kept."""

    def __init__(self, corpus: Corpus) -> None:
        self._corpus = corpus
        self._known: dict[tuple[str, tuple[str, ...]], int] = {}

    @property
    def analyzer(self) -> Analyzer:
        return self._corpus.words.analyzer

    @property
    def documents(self) -> int:
        return len(self._corpus.ids)

    @property
    def has_items(self) -> bool:
        return len(self._corpus.holdings.form) > 0

    @cached_property
    def relations(self) -> Mapping[str, int]:
        holdings = self._corpus.holdings
        width = len(holdings.relations)
        document = np.repeat(np.arange(self.documents), np.diff(holdings.offsets))
        pairs = np.unique(document * width + holdings.relation)
        counts = np.bincount(pairs % width, minlength=width).tolist()
        return {name: counts[at] for at, name in enumerate(holdings.relations) if at}

    def holders(self, term: str, field: str = "text") -> int:
        return self.holders_of_phrase((term,), field)

    def holders_of_phrase(self, terms: Sequence[str], field: str = "text") -> int:
        asked = (field, tuple(terms))
        if asked not in self._known:
            self._known[asked] = self._count(*asked)
        return self._known[asked]

    def holders_of_item(self, key: str) -> int:
        number = self._number(key)
        if number is None:
            return 0
        holdings = self._corpus.holdings
        return len(np.unique(holdings.document(holdings.of_key(number))))

    def written(self, key: str) -> tuple[str, ...]:
        number = self._number(key)
        return () if number is None else tuple(self._corpus.holdings.written(number)[:_WRITINGS])

    def near_items(self, key: str) -> tuple[str, ...]:
        return near_in(self._sorted, key)

    def _count(self, field: str, terms: tuple[str, ...]) -> int:
        if field not in ("text", "items", "name"):
            raise UnknownName("field", field, ("text", "items", "name"))
        words = {"text": lambda: self._corpus.words, "items": lambda: self._keys, "name": lambda: self._names}[field]()
        found = np.unique(words.document(words.phrase([words.known.get(term, -1) for term in terms])))
        return len(found) if field != "items" else len(self._holders(found))

    def _holders(self, keys: NDArray[np.int64]) -> NDArray[np.int64]:
        holdings = self._corpus.holdings
        held = [holdings.of_key(key) for key in keys.tolist()]
        return np.unique(holdings.document(np.concatenate([np.empty(0, dtype=np.int64), *held])))

    def _number(self, key: str) -> int | None:
        known = self._corpus.words.known
        return self._corpus.holdings.keys.get(tuple(known.get(term, -1) for term in key.split(" ") if term))

    @cached_property
    def _keys(self) -> Words:
        """The words of each different item, as if it were a document."""
        return self._column(self._corpus.holdings.terms)

    @cached_property
    def _names(self) -> Words:
        return self._column([self._corpus.words.numbers(name or "") for name in self._corpus.holdings.names])

    def _column(self, rows: Sequence[Sequence[int]]) -> Words:
        words = self._corpus.words
        flat = np.array([number for row in rows for number in row], dtype=np.int32)
        lengths = np.array([len(row) for row in rows], dtype=np.int64)
        return Words(self.analyzer, words.known, flat, lengths)

    @cached_property
    def _sorted(self) -> list[str]:
        terms = list(self._corpus.words.known)
        return sorted(" ".join(terms[number] for number in key) for key in self._corpus.holdings.terms)
