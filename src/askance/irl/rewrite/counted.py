"""A vocabulary in memory, counted from texts: for tests, and for collections without an index."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence

from askance.data.fields.schema import Fields, Record, Schema
from askance.irl.rewrite.near_items import near_in
from askance.text.analyzer import Analyzer

_WRITINGS = 5


class CountedVocabulary:
    """Counts over some texts. `outside`: how many do not follow the schema; their text is counted all the same."""

    def __init__(self, analyzer: Analyzer, has_items: bool) -> None:
        self.analyzer = analyzer
        self.has_items = has_items
        self.documents = 0
        self.outside = 0
        self.relations: dict[str, int] = {}
        self._values: dict[str, dict[int, list[tuple[str, ...]]]] = defaultdict(dict)
        self._holders: dict[str, dict[str, list[int]]] = defaultdict(dict)
        self._items: Counter[str] = Counter()
        self._writings: dict[str, Counter[str]] = {}
        self._sorted: list[str] | None = None

    @classmethod
    def of(
        cls, texts: Iterable[str | Record], analyzer: Analyzer | None = None, schema: Schema | None = None
    ) -> CountedVocabulary:
        """Counts each text once; a record has its text under "text"."""
        made = cls(analyzer if analyzer is not None else Analyzer(), schema is not None)
        for text in texts:
            made._add({"text": text} if isinstance(text, str) else text, schema)
        return made

    def holders(self, term: str, field: str = "text") -> int:
        return len(self._holders[field].get(term, ()))

    def holders_of_phrase(self, terms: Sequence[str], field: str = "text") -> int:
        """Never across two items: they are far apart."""
        wanted = tuple(terms)
        if not wanted:
            return 0
        rarest = min((self._holders[field].get(term, []) for term in wanted), key=len)
        values = self._values[field]
        return sum(any(_within(wanted, value) for value in values[document]) for document in rarest)

    def holders_of_item(self, key: str) -> int:
        return self._items[key]

    def written(self, key: str) -> tuple[str, ...]:
        writings = self._writings.get(key, Counter())
        return tuple(sorted(writings, key=lambda writing: (-writings[writing], writing))[:_WRITINGS])

    def near_items(self, key: str) -> tuple[str, ...]:
        if self._sorted is None:
            self._sorted = sorted(self._items)
        return near_in(self._sorted, key)

    def _add(self, record: Record, schema: Schema | None) -> None:
        self._note("text", [str(record["text"])])
        if schema is not None:
            fields = schema.split(record)
            if isinstance(fields, Fields):
                self._add_fields(fields)
            else:
                self.outside += 1
        self.documents += 1

    def _add_fields(self, fields: Fields) -> None:
        if fields.name is not None:
            self._note("name", [fields.name])
        for name, text in fields.texts.items():
            self._note(name, [text])
        self._note("items", fields.items)
        self._items.update({self._key(item) for item in fields.items})
        for item in fields.items:
            self._writings.setdefault(self._key(item), Counter())[item] += 1
        for relation in {fact.relation for fact in fields.facts if fact.relation is not None}:
            self.relations[relation] = self.relations.get(relation, 0) + 1

    def _note(self, field: str, values: Sequence[str]) -> None:
        cut = [tuple(self.analyzer.terms(value)) for value in values]
        self._values[field][self.documents] = cut
        holders = self._holders[field]
        for term in {term for value in cut for term in value}:
            holders.setdefault(term, []).append(self.documents)

    def _key(self, item: str) -> str:
        return " ".join(self.analyzer.terms(item))


def _within(wanted: tuple[str, ...], value: tuple[str, ...]) -> bool:
    length = len(wanted)
    return any(value[at : at + length] == wanted for at in range(len(value) - length + 1))
