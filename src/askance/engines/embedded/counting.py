"""What the manifest counts of documents, as they come and go."""

from __future__ import annotations

from askance.data.fields.schema import Outside
from askance.engines.embedded.manifest import Counts
from askance.engines.embedded.metadata import KINDS, kind_of
from askance.engines.embedded.stored import Source


class Counting:
    """Counts documents. `wordless`, and items and relations without words, are told by who analyses them."""

    def __init__(self, start: Counts) -> None:
        self.counts = start.model_copy(deep=True)

    def count(self, source: Source, sign: int, wordless: bool, silent_items: int, silent_relations: int) -> None:
        """Add a document (`sign` 1) or take it away (-1)."""
        counts = self.counts
        counts.documents += sign
        counts.wordless += sign * wordless
        counts.items_without_words += sign * silent_items
        counts.relations_without_words += sign * silent_relations
        if isinstance(source.split, Outside):
            _add(counts.outside, source.split.kind, sign)
        facts = source.fields.facts
        counts.with_items += sign * any(fact.items for fact in facts)
        for relation in {fact.relation for fact in facts if fact.relation is not None and fact.items}:
            _add(counts.relations, relation, sign)
        for key, value in source.metadata.items():
            _add(counts.metadata.setdefault(key, {}), KINDS[kind_of(value)], sign)


def _add(table: dict[str, int], name: str, amount: int) -> None:
    now = table.get(name, 0) + amount
    if now:
        table[name] = now
    else:
        table.pop(name, None)
