"""Items as they are indexed: their keys, and their words under a relation."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from askance.engines.words import fact_term, in_relation, key_of, key_term
from askance.text.analyzer import Analyzer

_MOST_CACHED = 100_000


class ItemForm(NamedTuple):
    """An item as it is indexed: its key, the key as one term; under its relation its terms, and both as one term.

    Empty where it has no words; the last two also where there is no relation with words.
    """

    key: str
    term: str
    tokens: str
    fact: str


class ItemForms:
    """Items as they are indexed. They repeat: each is analysed once, while there is room."""

    def __init__(self, analyzer: Analyzer) -> None:
        self._analyzer = analyzer
        self._known: dict[str | None, dict[str, ItemForm]] = {}
        self._relations: dict[str | None, str] = {}
        self._size = 0

    def of(self, items: Sequence[str], relation: str | None) -> list[ItemForm]:
        """Of each item in a relation (as it is written), in order."""
        known = self._known.get(relation, {})
        try:
            return list(map(known.__getitem__, items))
        except KeyError:
            return [known.get(item) or self._made(item, relation) for item in items]

    def relation(self, written: str | None) -> str:
        """The key of a relation; empty for none, and for one without words."""
        key = self._relations.get(written)
        if key is None:
            key = "" if written is None else key_of(self._analyzer, written)
            self._make_room()
            self._relations[written] = key
        return key

    def _made(self, item: str, relation: str | None) -> ItemForm:
        key, under = key_of(self._analyzer, item), self.relation(relation)
        form = ItemForm(key, key_term(key), "", "")
        if key and under:
            tokens = " ".join(in_relation(under, term) for term in key.split(" "))
            form = ItemForm(key, key_term(key), tokens, fact_term(under, key))
        self._make_room()
        self._known.setdefault(relation, {})[item] = form
        return form

    def _make_room(self) -> None:
        if self._size >= _MOST_CACHED:
            self._known.clear()
            self._relations.clear()
            self._size = 0
        self._size += 1
