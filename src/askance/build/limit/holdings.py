"""Which documents of any collection hold which items, in one relation."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from askance.core.errors import BadInput, UnknownName
from askance.data.collection import Collection
from askance.data.fields.fitting import learned_where_it_fits
from askance.data.fields.learned import LearnedSchema
from askance.data.fields.pattern import PatternSchema
from askance.data.fields.schema import Fields, Record, Schema
from askance.data.rows import Positions
from askance.text.analyzer import Analyzer


class Splitting:
    """How the documents of a collection are split, and how their items are compared: by their words.

    `relation`: the one that is asked for, None where documents name none. BadInput where nothing splits, UnknownName
    where no document has the relation.
    """

    def __init__(self, collection: Collection, pattern: str | None = None, relation: str | None = None) -> None:
        self._texts = collection.documents.field("text")
        self._schema = _schema(collection, self._records(), pattern)
        self._analyzer = Analyzer()
        self._keys: dict[str, str] = {}
        self.relation = self._asked(relation)

    def key(self, item: str) -> str:
        """The words of an item with one blank between: items are the same where these are."""
        known = self._keys.get(item)
        if known is None:
            known = self._keys[item] = " ".join(self._analyzer.terms(item))
        return known

    def items(self) -> Iterator[tuple[int, tuple[str, ...]]]:
        """(document, its items in the relation as they are written), split anew at each call; those without words and
        documents without items left out."""
        for at, record in enumerate(self._records()):
            fields = self._schema.split(record)
            if not isinstance(fields, Fields):
                continue
            facts = (fact for fact in fields.facts if fact.relation == self.relation)
            found = tuple(item for fact in facts for item in fact.items if self.key(item))
            if found:
                yield at, found

    def _records(self) -> Iterator[Record]:
        return ({"text": text} for text in self._texts)

    def _asked(self, named: str | None) -> str | None:
        counts: Counter[str | None] = Counter()
        for record in self._records():
            fields = self._schema.split(record)
            if isinstance(fields, Fields):
                counts.update({fact.relation for fact in fields.facts if fact.items})
        if named is None:
            return max(counts, key=lambda relation: (counts[relation], relation or ""))
        if named not in counts:
            raise UnknownName("relation", named, [relation for relation in counts if relation is not None])
        return named


def _schema(collection: Collection, records: Iterator[Record], pattern: str | None) -> Schema:
    schema = PatternSchema(pattern) if pattern is not None else learned_where_it_fits(LearnedSchema(), records).schema
    texts = collection.documents.field("text")
    if schema is None or not any(_has_items(schema, text) for text in texts):
        raise BadInput(
            f"the documents of {collection.name!r} do not split into items",
            remedy="Say how they split: a regular expression with groups name, relation, items (--pattern).",
        )
    return schema


def _has_items(schema: Schema, text: str) -> bool:
    fields = schema.split({"text": text})
    return isinstance(fields, Fields) and any(fields.items)


@dataclass(frozen=True, eq=False)
class Holdings:
    """`keys`, `written` [items]: each item's words, and how documents most often write it. `holders` [items]: the
    documents that hold it, rising. `held`: document → its items, rising."""

    keys: Sequence[str]
    written: Sequence[str]
    holders: Sequence[Positions]
    held: dict[int, tuple[int, ...]]

    @cached_property
    def documents(self) -> Sequence[int]:
        """Those that hold anything."""
        return tuple(self.held)

    @classmethod
    def of(cls, splitting: Splitting) -> Holdings:
        writings: dict[str, Counter[str]] = defaultdict(Counter)
        places: dict[str, list[int]] = defaultdict(list)
        numbers: dict[str, int] = {}
        held: dict[int, tuple[int, ...]] = {}
        for document, items in splitting.items():
            for item in items:
                key = splitting.key(item)
                writings[key][item] += 1
                numbers.setdefault(key, len(numbers))
            different = dict.fromkeys(map(splitting.key, items))
            for key in different:
                places[key].append(document)
            held[document] = tuple(sorted(numbers[key] for key in different))
        return cls(
            keys=tuple(numbers),
            written=tuple(min(writings[key], key=lambda one: (-writings[key][one], one)) for key in numbers),
            holders=tuple(np.array(places[key], dtype=np.int32) for key in numbers),
            held=held,
        )
