"""Why a clause that stands alone does not match a document: one plain sentence, found by looking at the document."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Protocol

from askance.data.fields.schema import Fields, Outside
from askance.irl.nodes import Exact, Filter, Lex
from askance.text.analyzer import Analyzer

Value = str | float | bool


class Document(Protocol):
    """A document as it was indexed. `split`: what the schema made of it, None where there is no schema."""

    @property
    def text(self) -> str: ...

    @property
    def split(self) -> Fields | Outside | None: ...

    @property
    def metadata(self) -> Mapping[str, Value]: ...


def why_no_words(clause: Lex, field: str, relation: str | None, document: Document, analyzer: Analyzer) -> str:
    """Why a lex clause, in a field and a relation, does not match."""
    look = _Looking(clause.text, document, analyzer)
    if not look.words:
        return "there are no words in it"
    if relation is not None and not look.items(relation):
        return look.other_relation(relation)
    values = look.values(field, relation)
    held = [analyzer.terms(value) for value in values]
    if not any(held):
        return look.empty(field)
    there = {word for words in held for word in words}
    missing = [word for word in dict.fromkeys(look.words) if word not in there]
    if missing and (clause.match != "any" or len(missing) == len(set(look.words))):
        return look.missing(missing, field, relation)
    if not any(set(look.words) <= set(words) for words in held):
        return "the words stand in different items"
    if clause.slop:
        return f"the words stand further apart than slop {clause.slop} allows"
    return "the words do not stand next to one another in this order"


def why_no_item(clause: Exact, relation: str | None, document: Document, analyzer: Analyzer) -> str:
    """Why an exact clause, in a relation, does not match."""
    look = _Looking(clause.text, document, analyzer)
    if not look.words:
        return "there are no words in it"
    items = look.items(relation)
    if relation is not None and (not items or any(look.is_exactly(item) for item in look.items(None))):
        return look.other_relation(relation)
    if not items:
        return look.empty("items")
    longer = next((item for item in items if look.in_phrase(item)), None)
    if longer is not None:
        return f"no item is exactly this; the longer item {_quoted(longer)} holds it"
    if look.name and look.in_phrase(look.name):
        return f"no item is exactly this; only the name {_quoted(look.name)} holds it"
    if any(set(look.words) <= set(analyzer.terms(item)) for item in items):
        return "no item is exactly this; an item holds the words, in another order or with others between"
    if look.in_phrase(document.text):
        return "no item is exactly this; only the text holds it"
    return "no item is exactly this, and none holds the words"


def why_not_through(clause: Filter, document: Document) -> str:
    """Why a filter does not let the document through."""
    value = document.metadata.get(clause.key)
    if value is None:
        return f"the document has no {_quoted(clause.key)}"
    if clause.values:
        return f"its {clause.key} is {_shown(value)}, not {' or '.join(map(_shown, clause.values))}"
    bounds = [f"from {_shown(clause.low)}"] if clause.low is not None else []
    bounds += [f"to {_shown(clause.high)}"] if clause.high is not None else []
    return f"its {clause.key} is {_shown(value)}, not {' '.join(bounds)}"


class _Looking:
    """Looks for the words of a text in the parts of a document."""

    def __init__(self, text: str, document: Document, analyzer: Analyzer) -> None:
        self.words = analyzer.terms(text)
        self._text, self._document, self._analyzer = text, document, analyzer
        split = document.split
        self._fields = split if isinstance(split, Fields) else Fields()
        self._outside = split if isinstance(split, Outside) else None
        self.name = self._fields.name or ""

    def items(self, relation: str | None) -> list[str]:
        """The items, in a relation or in any."""
        if relation is None:
            return list(self._fields.items)
        asked = self._analyzer.terms(relation)
        return [
            item
            for fact in self._fields.facts
            if fact.relation is not None and self._analyzer.terms(fact.relation) == asked
            for item in fact.items
        ]

    def values(self, field: str, relation: str | None) -> list[str]:
        """What the field holds."""
        if field == "items":
            return self.items(relation)
        if field == "text":
            return [self._document.text]
        value = self.name if field == "name" else self._fields.texts.get(field)
        return [value] if value else []

    def is_exactly(self, item: str) -> bool:
        """Whether the item's words are those of the text."""
        return self._analyzer.terms(item) == self.words

    def in_phrase(self, value: str) -> bool:
        """Whether the value holds the text as a phrase."""
        asked = [(token.term, token.position) for token in self._analyzer.tokens(self._text)]
        there = {(token.position, token.term) for token in self._analyzer.tokens(value)}
        first = asked[0][1]
        return any(
            all((place + at - first, word) in there for word, at in asked)
            for place, term in there
            if term == asked[0][0]
        )

    def other_relation(self, relation: str) -> str:
        """Where nothing stands in the relation, or not this."""
        others = [fact for fact in self._fields.facts if any(map(self.in_phrase, fact.items))]
        for fact in others:
            if fact.relation is None:
                return "the document does not say in which relation it stands"
            if self._analyzer.terms(fact.relation) != self._analyzer.terms(relation):
                return f"it stands in another relation, {_quoted(fact.relation)}"
        return f"nothing in the document stands in the relation {_quoted(relation)}"

    def empty(self, field: str) -> str:
        """Where the field holds no words."""
        if self._outside is not None and field != "text":
            return f"the document does not follow the schema ({self._outside.why}), so it has no {field}"
        return f"the document has no {field}" if field != "text" else "the document has no words"

    def missing(self, words: Sequence[str], field: str, relation: str | None) -> str:
        """Where the field lacks words; and what holds them, if the document does elsewhere."""
        elsewhere = next(self._elsewhere(field, relation), None)
        if elsewhere is not None:
            return elsewhere
        if len(words) == len(set(self.words)):
            return f"the {_named(field)} holds none of the words" if len(words) > 1 else _lacks(field, words)
        return _lacks(field, words)

    def _elsewhere(self, field: str, relation: str | None) -> Iterator[str]:
        if field == "items" and relation is not None and any(map(self.in_phrase, self.items(None))):
            yield self.other_relation(relation)
        if field == "items" and self.name and self.in_phrase(self.name):
            yield "only the name holds it"
        if field in ("items", "name") and self.in_phrase(self._document.text):
            place = "an item" if field == "name" and any(map(self.in_phrase, self._fields.items)) else "the text"
            yield f"only {place} holds it"


def _lacks(field: str, words: Sequence[str]) -> str:
    return f"the {_named(field)} does not hold {', '.join(map(_quoted, words))}"


def _named(field: str) -> str:
    return field if field in ("text", "name") else f"field {field}"


def _quoted(text: str) -> str:
    cut = text if len(text) <= 80 else f"{text[:80]}…"
    return f"'{cut}'"


def _shown(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return _quoted(value) if isinstance(value, str) else f"{value:g}"
