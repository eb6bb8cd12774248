"""Documents of an index on OpenSearch, one at a time, and what the server says of their scores."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from askance.core.errors import UnknownName
from askance.engines.leaves_in_memory import stored_length
from askance.engines.opensearch.compiling import Body
from askance.engines.opensearch.documents import unpacked
from askance.engines.opensearch.placing import explained_body, figures_in
from askance.engines.stored import Source
from askance.engines.words import fact_places
from askance.text.analyzer import Analyzer

_FIGURES = ("frequency", "idf", "length", "length as kept", "mean length")
HELD = ["position", "text", "record"]  # what `documents.unpacked` reads

Send = Callable[[Sequence[Mapping[str, Any]]], Sequence[Mapping[str, Any]]]


class Records:
    """Reads documents by identifier and by position. `send`: the answers to search bodies; `place`: for errors."""

    def __init__(self, send: Send, place: str, analyzer: Analyzer) -> None:
        self._send, self._place, self._analyzer = send, place, analyzer

    def named(self, document: str) -> tuple[int, Source]:
        """The document of an identifier, and its position; UnknownName where there is none."""
        return self._one({"ids": {"values": [document]}}, document)

    def at(self, position: int) -> Source:
        """The document of a position; UnknownName where there is none."""
        return self._one({"term": {"position": position}}, str(position))[1]

    def figures(self, body: Body, field: str, relation: str | None, position: int) -> dict[str, float]:
        """What the score of a lexical clause, compiled, in the document at a position is made of.

        Of a clause that does not match the document, what the server says of the first that it does match.
        """
        here, first = self._send([explained_body(body, position), explained_body(body)])
        hits = here["hits"]["hits"] or first["hits"]["hits"]
        if not hits:
            return {}
        found = figures_in(hits[0]["_explanation"])
        found["length"] = float(self._length(self.at(position), field, relation))
        if not here["hits"]["hits"]:
            found |= {"frequency": 0.0, "length as kept": float(stored_length(int(found["length"])))}
        return {name: found[name] for name in _FIGURES if name in found}

    def _one(self, query: Mapping[str, Any], called: str) -> tuple[int, Source]:
        (answer,) = self._send([{"query": query, "size": 1, "_source": HELD}])
        hits = answer["hits"]["hits"]
        if not hits:
            raise UnknownName("document", called, self._some(), where=self._place)
        held: Mapping[str, Any] = hits[0]["_source"]
        return int(held["position"]), unpacked(hits[0]["_id"], held)

    def _some(self) -> list[str]:
        body = {"query": {"match_all": {}}, "size": 5, "sort": [{"position": "asc"}], "_source": False}
        (answer,) = self._send([body])
        return [hit["_id"] for hit in answer["hits"]["hits"]]

    def _length(self, source: Source, field: str, relation: str | None) -> int:
        """How many words the field of a document has."""
        fields = source.fields
        if field == "items" and relation is not None:
            return sum(1 for _ in fact_places(self._analyzer, fields.facts, 0))
        values = {"text": (source.text,), "name": (fields.name or "",), "items": fields.items}
        held = values.get(field, (fields.texts.get(field, ""),))
        return sum(len(self._analyzer.terms(value)) for value in held)
