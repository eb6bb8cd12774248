"""What the manifest counts of documents, as they come and go."""

from __future__ import annotations

from pydantic import BaseModel

from askance.data.fields.schema import Outside
from askance.engines.metadata import KINDS, kind_of
from askance.engines.stored import Source


class Counts(BaseModel):
    """What was counted. `documents`: not deleted; `positions`: given so far, deleted ones among them.

    `wordless`: documents whose text has no words. `outside`: documents that do not follow the schema, by kind.
    `items_without_words`, `relations_without_words`: they can be read, and never be asked for.
    `relations`: as written → documents. `metadata`: key → kind ("text", "number", "yes or no") → documents.
    """

    documents: int = 0
    positions: int = 0
    wordless: int = 0
    with_items: int = 0
    items_without_words: int = 0
    relations_without_words: int = 0
    outside: dict[str, int] = {}
    relations: dict[str, int] = {}
    metadata: dict[str, dict[str, int]] = {}

    @property
    def deleted(self) -> int:
        """Positions whose document is gone."""
        return self.positions - self.documents


class Counting:
    """Counts documents, from `start` on. Plain numbers: this runs once for every document."""

    def __init__(self, start: Counts) -> None:
        self.positions = start.positions
        self._documents, self._wordless, self._with_items = start.documents, start.wordless, start.with_items
        self._silent_items, self._silent_relations = start.items_without_words, start.relations_without_words
        self._outside, self._relations = dict(start.outside), dict(start.relations)
        self._metadata = {key: dict(kinds) for key, kinds in start.metadata.items()}

    def count(self, source: Source, sign: int, wordless: bool, silent_items: int, silent_relations: int) -> None:
        """Add a document (`sign` 1) or take it away (-1); its items and relations without words are told."""
        self._documents += sign
        if wordless:
            self._wordless += sign
        split = source.split
        if isinstance(split, Outside):
            _add(self._outside, split.kind, sign)
        elif split is not None and split.facts:
            self._silent_items += sign * silent_items
            self._silent_relations += sign * silent_relations
            holding = [fact for fact in split.facts if fact.items]
            self._with_items += sign * bool(holding)
            for relation in {fact.relation for fact in holding}:
                if relation is not None:
                    _add(self._relations, relation, sign)
        for key, value in source.metadata.items():
            _add(self._metadata.setdefault(key, {}), KINDS[kind_of(value)], sign)

    def counts(self) -> Counts:
        """What has been counted."""
        return Counts(
            documents=self._documents,
            positions=self.positions,
            wordless=self._wordless,
            with_items=self._with_items,
            items_without_words=self._silent_items,
            relations_without_words=self._silent_relations,
            outside=self._outside,
            relations=self._relations,
            metadata={key: kinds for key, kinds in self._metadata.items() if kinds},
        )


def _add(table: dict[str, int], name: str, amount: int) -> None:
    now = table.get(name, 0) + amount
    if now:
        table[name] = now
    else:
        table.pop(name, None)
