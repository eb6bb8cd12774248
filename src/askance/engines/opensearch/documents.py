"""A document as an index on OpenSearch holds it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from askance.core.errors import DataProblem
from askance.data.fields.schema import Fields
from askance.engines.item_forms import ItemForms
from askance.engines.opensearch.metadata_keys import entries_of
from askance.engines.opensearch.text_fields import cut_by_client, escaped, lines, sent
from askance.engines.settings import IndexSettings
from askance.engines.stored import Source, content_of, source_of
from askance.engines.words import analyzer_of, keyword

LONGEST_ID = 512  # bytes of UTF-8 that a server takes as `_id`


class Packing:
    """Makes the `_source` of documents. What items are indexed as is kept while there is room: they repeat."""

    def __init__(self, settings: IndexSettings) -> None:
        self.analyzer = analyzer_of(settings.analysis)
        self._by_client = cut_by_client(settings.analysis)
        self.forms = ItemForms(self.analyzer)

    def packed(self, position: int, source: Source, vector: Sequence[float] | None = None) -> Mapping[str, Any]:
        """The `_source`. DataProblem, naming the document, for an identifier or a value that cannot be kept."""
        if not source.id or len(source.id.encode(errors="replace")) > LONGEST_ID:
            raise DataProblem(
                f"the identifier {source.id[:60]!r}… has {len(source.id.encode(errors='replace')):,} bytes; "
                f"OpenSearch takes 1 to {LONGEST_ID}",
                remedy="Give the documents shorter identifiers.",
            )
        try:
            metadata = entries_of(source.metadata)
        except ValueError as problem:
            raise DataProblem(f"document {source.id!r}, metadata: {problem}") from None
        found: dict[str, Any] = {"position": position, "text": self._sent(source.text)}
        record = content_of(source)
        if self._by_client:
            record["text"] = source.text
        if isinstance(source.split, Fields):
            self._put_fields(found, source.split)
        if metadata:
            found["metadata"] = metadata
        if record:
            found["record"] = record
        if vector is not None:
            found["vector"] = vector
        return found

    def _put_fields(self, found: dict[str, Any], fields: Fields) -> None:
        if fields.name:
            found["name"] = self._sent(fields.name)
        if fields.texts:
            found["more"] = {escaped(name): self._sent(text) for name, text in fields.texts.items()}
        items = fields.items
        if not items:
            return
        found["items"] = [self._sent(item) for item in items]
        exact: dict[str, None] = {}
        inside: dict[str, None] = {}
        relations: dict[str, None] = {}
        facts = []
        for fact in fields.facts:
            relation = self.forms.relation(fact.relation)
            if relation and fact.items:
                relations[keyword(relation)] = None
            for item, form in zip(fact.items, self.forms.of(fact.items, fact.relation), strict=True):
                if form.key:
                    exact[keyword(form.key)] = None
                if relation:
                    facts.append(self._lines(item, form.tokens, relation))
                    if form.key:
                        inside[keyword(f"{relation}\x1f{form.key}")] = None
        if not exact:
            relations = {}  # no item has words: there is nothing that stands in a relation
        for name, values in (("exact", exact), ("exact_in", inside), ("relation", relations), ("facts", facts)):
            if values:
                found[name] = list(values)

    def _sent(self, text: str) -> str:
        return sent(self.analyzer, text, self._by_client)

    def _lines(self, item: str, tokens: str, relation: str) -> str:
        """The item's words under its relation: `tokens` has them with blanks between, but for the holes."""
        return lines(self.analyzer, item, relation) if self.analyzer.stop_words else tokens.replace(" ", "\n")


def unpacked(id: str, held: Mapping[str, Any]) -> Source:
    """The document whose `_source` this is."""
    record = held.get("record") or {}
    return source_of(id, record.get("text", held.get("text", "")), record)
