"""The clauses that stand alone, answered by brute force over lists of words: what other indexes are held against.

Every document is looked at for every clause, and nothing is prepared but the words. For a few thousand documents.

The words of a phrase that stand next to one another are one occurrence; with a slop, occurrences are found as Lucene's
sloppy matcher finds them: the foremost word is moved on while it stays behind the next one, and the least distance on
the way counts. Inside a relation, items are looked for in a field of their own, whose words are pairs of a relation and
a word of an item: its statistics and lengths are over all items that stand in some relation.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from askance.core.errors import BadInput, UnknownName
from askance.data.fields.schema import Fields
from askance.engines.matches import Matches
from askance.engines.settings import POSITION_GAP, Scale
from askance.irl.nodes import Exact, Filter, Lex, exact_tier
from askance.irl.rewrite.near_items import near_in
from askance.text.analyzer import Analyzer

Value = str | float | bool
Stream = list[tuple[str, int]]  # terms and their places


@dataclass(frozen=True)
class Held:
    """A document: its text, what a schema made of it, what filters ask for, and whether it was deleted since."""

    text: str
    fields: Fields = field(default_factory=Fields)
    metadata: Mapping[str, Value] = field(default_factory=dict)
    deleted: bool = False


class LeavesInMemory:
    """Leaves over a list of documents; a position is a place in the list. Also a Vocabulary."""

    def __init__(
        self,
        documents: Sequence[Held],
        analyzer: Analyzer | None = None,
        k1: float = 1.2,
        b: float = 0.75,
        position_gap: int = POSITION_GAP,
        scale: Scale = "lucene",
    ) -> None:
        self.analyzer = analyzer or Analyzer()
        self._held = documents
        self._k1, self._b, self._gap = k1, b, position_gap
        self._factor = k1 + 1.0 if scale == "legacy" else 1.0
        self._texts = {"text", "name", "items"}.union(*(document.fields.texts for document in documents))

    # -- Leaves

    def lex(self, clause: Lex, field: str, relation: str | None) -> Matches:
        if field not in self._texts:
            raise UnknownName("field", field, sorted(self._texts))
        within = self._key(relation) if relation is not None and field == "items" else None
        asked = [(_paired(within, token.term), token.position) for token in self.analyzer.tokens(clause.text)]
        streams = self._streams(field, relation)
        if not asked:
            return _matches({})
        related = None if relation is None or field == "items" else set(self.related(relation).tolist())
        found = {}
        for position, score in self._scored(clause, asked, streams):
            if related is None or position in related:
                found[position] = score
        return _matches(found)

    def exact(self, clause: Exact, relation: str | None) -> Matches:
        words = self.analyzer.terms(clause.text)
        score = exact_tier(len(words))  # on either scale
        holders = (at for at, _ in self._live() if words and " ".join(words) in self._keys(at, relation))
        return _matches(dict.fromkeys(holders, score))

    def filter(self, clause: Filter) -> NDArray[np.int64]:
        keys = sorted({key for _, document in self._live() for key in document.metadata})
        if clause.key not in keys:
            raise UnknownName("metadata key", clause.key, keys)
        kept = [at for at, document in self._live() if clause.key in document.metadata]
        return _positions([at for at in kept if _passes(self._held[at].metadata[clause.key], clause)])

    def related(self, relation: str) -> NDArray[np.int64]:
        return _positions([at for at, _ in self._live() if self._keys(at, relation)])

    def all(self) -> NDArray[np.int64]:
        return _positions([at for at, _ in self._live()])

    # -- Vocabulary

    @property
    def documents(self) -> int:
        return len(self.all())

    @property
    def has_items(self) -> bool:
        return any(document.fields.facts for _, document in self._live())

    @property
    def relations(self) -> Mapping[str, int]:
        found: dict[str, int] = {}
        for _, document in self._live():
            for name in {fact.relation for fact in document.fields.facts if fact.relation is not None}:
                found[name] = found.get(name, 0) + 1
        return found

    def holders(self, term: str, field: str = "text") -> int:
        return sum(any(term == word for word, _ in stream) for stream in self._streams(field, None).values())

    def holders_of_phrase(self, terms: Sequence[str], field: str = "text") -> int:
        asked = [(term, place) for place, term in enumerate(terms)]
        return sum(bool(_occurrences(asked, stream, 0)) for stream in self._streams(field, None).values())

    def holders_of_item(self, key: str) -> int:
        return sum(key in self._keys(at, None) for at, _ in self._live())

    def written(self, key: str) -> tuple[str, ...]:
        found: dict[str, int] = {}
        for _, document in self._live():
            for item in document.fields.items:
                if self._key(item) == key:
                    found[item] = found.get(item, 0) + 1
        return tuple(sorted(found, key=lambda item: -found[item])[:5])

    def near_items(self, key: str) -> tuple[str, ...]:
        return near_in(sorted({held for at, _ in self._live() for held in self._keys(at, None)}), key)

    # -- inside

    def _live(self) -> Iterator[tuple[int, Held]]:
        return ((at, document) for at, document in enumerate(self._held) if not document.deleted)

    def _items(self, at: int, relation: str | None) -> list[str]:
        asked = None if relation is None else self._key(relation)
        return [
            item
            for fact in self._held[at].fields.facts
            if asked is None or (fact.relation is not None and asked and self._key(fact.relation) == asked)
            for item in fact.items
        ]

    def _keys(self, at: int, relation: str | None) -> set[str]:
        return {self._key(item) for item in self._items(at, relation)}

    def _key(self, written: str) -> str:
        return " ".join(self.analyzer.terms(written))

    def _values(self, at: int, field: str, relation: str | None) -> list[tuple[str | None, str]]:
        """What the field holds: the relation's key, inside a relation, and the text."""
        held = self._held[at]
        if field == "text":
            return [(None, held.text)]
        if field == "name":
            return [(None, held.fields.name or "")]
        if field != "items":
            return [(None, held.fields.texts.get(field, ""))]
        if relation is None:
            return [(None, item) for item in held.fields.items]
        facts = [(self._key(fact.relation), fact.items) for fact in held.fields.facts if fact.relation is not None]
        return [(key, item) for key, items in facts if key for item in items]

    def _streams(self, field: str, relation: str | None) -> dict[int, Stream]:
        """The words of the field, document by document; documents without words are left out."""
        found = {}
        for at, _ in self._live():
            stream: Stream = []
            start = 0
            for key, value in self._values(at, field, relation):
                tokens = self.analyzer.tokens(value)
                stream += [(_paired(key, token.term), start + token.position) for token in tokens]
                start += (tokens[-1].position + 1 if tokens else 0) + self._gap
            if stream:
                found[at] = stream
        return found

    def _scored(self, clause: Lex, asked: Stream, streams: Mapping[int, Stream]) -> Iterator[tuple[int, float]]:
        average = sum(map(len, streams.values())) / max(len(streams), 1)
        holders = {term: sum(any(w == term for w, _ in s) for s in streams.values()) for term, _ in asked}
        idf = {term: math.log(1 + (len(streams) - n + 0.5) / (n + 0.5)) for term, n in holders.items()}
        for position, stream in streams.items():
            norm = self._k1 * (1 - self._b + self._b * stored_length(len(stream)) / average)
            if clause.match == "phrase" or len(asked) == 1:
                weight = sum(idf[term] for term, _ in asked)
                frequency = _occurrences(asked, stream, clause.slop)
                if frequency:
                    yield position, self._factor * weight * frequency / (frequency + norm)
                continue
            counts = [sum(word == term for word, _ in stream) for term, _ in asked]
            if any(counts) and (clause.match == "any" or all(counts)):
                parts = [
                    float(np.float32(self._factor * idf[term] * n / (n + norm)))
                    for (term, _), n in zip(asked, counts, strict=True)
                ]
                yield position, sum(parts)


def _paired(key: str | None, term: str) -> str:
    return term if key is None else f"{key}\x1f{term}"


def stored_length(length: int) -> int:
    """A length as Lucene's one byte keeps it: what lies above 24 to four binary digits, the rest cut."""
    above = length - 24
    if above < 16:
        return length
    drop = above.bit_length() - 4
    return 24 + (above >> drop << drop)


def _occurrences(asked: Stream, stream: Stream, slop: int) -> float:
    """How often the phrase occurs: whole occurrences, or with a slop the sum of 1 / (1 + distance)."""
    places = [[at - place for word, at in stream if word == term] for term, place in asked]
    if slop == 0 or len(asked) == 1:
        return float(len(set(places[0]).intersection(*places[1:])))
    if len({term for term, _ in asked}) < len(asked):
        raise BadInput(
            "a phrase in which a word stands twice is searched with a slop",
            remedy="Brute force does not know such phrases: ask the index on disk.",
        )
    return _sloppy(places, slop) if all(places) else 0.0


def _sloppy(places: Sequence[Sequence[int]], slop: int) -> float:
    at = [0] * len(places)  # which occurrence of each word is looked at
    total = 0.0
    while True:
        now = [one[i] for one, i in zip(places, at, strict=True)]
        first, end = min(range(len(now)), key=lambda word: (now[word], word)), max(now)
        others = min(now[word] for word in range(len(now)) if word != first)
        distance = end - now[first]
        while True:
            at[first] += 1
            if at[first] == len(places[first]):
                return total + (1 / (1 + distance) if distance <= slop else 0.0)
            moved = places[first][at[first]]
            if moved > others:
                break
            distance = min(distance, end - moved)
        if distance <= slop:
            total += 1 / (1 + distance)


def _passes(value: Value, clause: Filter) -> bool:
    if clause.values:
        return any(value == one and isinstance(value, bool) == isinstance(one, bool) for one in clause.values)
    if isinstance(value, bool):
        return False
    for bound, sign in ((clause.low, 1), (clause.high, -1)):
        if bound is None:
            continue
        if isinstance(bound, str) != isinstance(value, str):
            return False
        ahead = bound > value if sign > 0 else bound < value  # type: ignore[operator]
        if ahead:
            return False
    return True


def _positions(found: Sequence[int]) -> NDArray[np.int64]:
    return np.array(found, dtype=np.int64)


def _matches(found: Mapping[int, float]) -> Matches:
    scores = np.array(list(found.values()), dtype=np.float64)
    return Matches(_positions(list(found)), scores.astype(np.float32).astype(np.float64))
