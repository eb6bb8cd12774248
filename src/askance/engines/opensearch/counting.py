"""Counts that the rewriting of questions asks of an index on OpenSearch. What was asked once is kept."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from askance.core.errors import UnknownName
from askance.engines.opensearch.connection import Connection
from askance.engines.opensearch.documents import unpacked
from askance.engines.opensearch.meta import Meta
from askance.engines.opensearch.text_fields import LINES, path_of
from askance.engines.words import analyzer_of, key_of, keyword
from askance.irl.rewrite.near_items import beginning, near_in

_WRITTEN_FROM = 32  # documents that `written` looks at
_WRITTEN_WAYS = 5
_MOST_KEPT = 100_000
_MOST_BEGINNING = 10_000  # items that begin alike and are looked at


class Vocabulary:
    """Counts of one index, as of its last refresh."""

    def __init__(self, connection: Connection, index: str, meta: Meta) -> None:
        self._connection, self._index, self._meta = connection, index, meta
        self.analyzer = analyzer_of(meta.settings.analysis)
        self._counted: dict[str, int] = {}
        self._written: dict[str, tuple[str, ...]] = {}
        self._beginning: dict[str, list[str]] = {}

    @property
    def documents(self) -> int:
        """How many documents there are."""
        return self._meta.counts.documents

    @property
    def has_items(self) -> bool:
        """Whether documents were split into items."""
        return "items" in self._meta.fields

    @property
    def relations(self) -> Mapping[str, int]:
        """Relation as written → documents that have it."""
        return self._meta.counts.relations

    def holders(self, term: str, field: str = "text") -> int:
        """How many documents have the term in the field."""
        return self.holders_of_phrase([term], field)

    def holders_of_phrase(self, terms: Sequence[str], field: str = "text") -> int:
        """How many documents have the terms next to one another and in order in the field."""
        if not terms or not self._has(field):
            return 0
        asked = {"query": "\n".join(terms), "analyzer": LINES}
        kind = "match_phrase" if len(terms) > 1 else "match"
        return self._count({kind: {path_of(field): asked}})

    def holders_of_item(self, key: str) -> int:
        """How many documents hold exactly this item."""
        return self._count({"term": {"exact": keyword(key)}}) if self.has_items and key else 0

    def written(self, key: str) -> tuple[str, ...]:
        """How an item is written in the first documents that hold it, most frequent first."""
        if not self.has_items or not key:
            return ()
        if key not in self._written:
            self._make_room(self._written)
            self._written[key] = self._ways(key)
        return self._written[key]

    def near_items(self, key: str) -> tuple[str, ...]:
        """Keys of items whose words are those of `key` but for endings, closest first, at most five."""
        begin = beginning(key)
        if not self.has_items or not begin:
            return ()
        if begin not in self._beginning:
            self._make_room(self._beginning)
            self._beginning[begin] = self._items_beginning(begin)
        return near_in(self._beginning[begin], key)

    def _has(self, field: str) -> bool:
        """Whether any document has words in a text field; UnknownName where there is no such."""
        if field in self._meta.fields:
            return True
        if field in ("name", "items") and self._meta.splits is not None:
            return False
        raise UnknownName("field", field, self._meta.fields, where=self._index)

    def _count(self, query: Mapping[str, Any]) -> int:
        kept = repr(query)
        if kept not in self._counted:
            self._make_room(self._counted)
            self._counted[kept] = int(
                self._connection.send("POST", f"/{self._index}/_count", {"query": query})["count"]
            )
        return self._counted[kept]

    def _ways(self, key: str) -> tuple[str, ...]:
        body = {
            "query": {"bool": {"filter": [{"term": {"exact": keyword(key)}}]}},
            "size": _WRITTEN_FROM,
            "sort": [{"position": "asc"}],
            "_source": ["record"],
        }
        ways: Counter[str] = Counter()
        for hit in self._connection.send("POST", f"/{self._index}/_search", body)["hits"]["hits"]:
            items = unpacked(hit["_id"], hit["_source"]).fields.items
            ways.update(item for item in items if key_of(self.analyzer, item) == key)
        return tuple(way for way, _ in ways.most_common(_WRITTEN_WAYS))

    def _items_beginning(self, begin: str) -> list[str]:
        asked = {
            "terms": {
                "field": "exact",
                "include": re.sub(r"([^\w ])", r"\\\1", begin) + ".*",
                "size": _MOST_BEGINNING,
                "order": {"_key": "asc"},
            }
        }
        body = {"size": 0, "query": {"prefix": {"exact": begin}}, "aggs": {"items": asked}}
        found = self._connection.send("POST", f"/{self._index}/_search", body)["aggregations"]["items"]["buckets"]
        return sorted(bucket["key"] for bucket in found)

    def _make_room(self, kept: dict[Any, Any]) -> None:
        if len(kept) >= _MOST_KEPT:
            kept.clear()
