"""An index, opened: its clauses answered one by one, its counts, its documents."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from askance.core.errors import BadInput, FileProblem, UnknownName
from askance.engines.embedded import lexical
from askance.engines.embedded.compiling import Compiled, Scope, compiled, items_index
from askance.engines.embedded.identifiers import IdentifierTable
from askance.engines.embedded.layout import generation_folder
from askance.engines.embedded.manifest import Manifest, read_manifest
from askance.engines.embedded.postings import Positions, Postings, Scores
from askance.engines.embedded.records import Records
from askance.engines.embedded.segments import EXACT, tantivy_module
from askance.engines.embedded.sloppy import exact_frequency, places_of, sloppy_frequency
from askance.engines.embedded.statistics import FieldStatistics, PhraseFigures, Statistics
from askance.engines.engine import EngineCard
from askance.engines.matches import Matches
from askance.engines.settings import LEGACY
from askance.engines.stored import Source
from askance.engines.words import analyzer_of, key_of
from askance.irl.nodes import Exact, Filter, Lex, Node, exact_tier
from askance.irl.rewrite.near_items import beginning, near_in
from askance.text.analyzer import Analyzer

if TYPE_CHECKING:
    import tantivy

_TRIES = 5
_WRITTEN_FROM = 32  # documents that `written` looks at
_WRITTEN_WAYS = 5
_MOST_BEGINNINGS = 100
_BLANK = "\x1e"  # between the words of a key in the dictionary of terms


class EmbeddedIndex:
    """An index on disk, as it was when it was opened: later changes do not touch it. Open it again to see them.

    It answers clauses (Leaves), whole trees of one field (`search_top`), and counts (Vocabulary). Positions count from
    0 in the order documents came; a deleted one's is not used again.
    """

    def __init__(self, place: Path, manifest: Manifest) -> None:
        """Use `open`."""
        self.place = place
        self.manifest = manifest
        self.folder = generation_folder(place, manifest.generation)
        self.analyzer: Analyzer = analyzer_of(manifest.settings.analysis)
        legacy = manifest.settings.scale == "legacy"
        self.tier_factor = 1.0 if legacy else LEGACY  # exact tiers are the same on both scales
        factor = 1.0 if legacy else 1.0 / LEGACY
        self._postings = {name: Postings(self.folder, entry, factor) for name, entry in manifest.fields.items()}
        self._statistics = {name: FieldStatistics(each, legacy) for name, each in self._postings.items()}
        self._identifiers = IdentifierTable(self.folder)
        self._records = Records(Postings(self.folder, manifest.records, factor), self._identifiers)
        self._text_fields = manifest.text_fields
        self._written: dict[str, tuple[str, ...]] = {}
        self._beginning: dict[str, list[str]] = {}

    @classmethod
    def open(cls, place: Path) -> EmbeddedIndex:
        """Milliseconds, whatever the size. FileProblem where there is no index, or it is damaged or of a newer kind."""
        place = Path(place)
        tantivy_module()
        manifest = read_manifest(place)
        for _ in range(_TRIES):
            try:
                return cls(place, manifest)
            except FileProblem:
                before, manifest = manifest, read_manifest(place)
                if manifest.generation == before.generation:
                    raise
        return cls(place, manifest)

    @property
    def card(self) -> EngineCard:
        """What the index holds."""
        manifest, counts = self.manifest, self.manifest.counts
        notes = []
        if counts.wordless:
            notes.append(f"{counts.wordless:,} documents have no words in their text")
        if counts.outside:
            kinds = ", ".join(f"{kind}: {number:,}" for kind, number in sorted(counts.outside.items()))
            notes.append(f"outside the schema, searchable as text only: {kinds}")
        if manifest.deleted or manifest.superseded:
            notes.append(
                f"{manifest.deleted:,} deleted and {manifest.superseded:,} updated documents count in the statistics "
                "until the index is compacted"
            )
        vectors = manifest.settings.vectors
        return EngineCard(
            name="embedded",
            place=str(self.place),
            documents=counts.documents,
            fields=manifest.text_fields,
            scale=manifest.settings.scale,
            has_items=self.has_items,
            vectors=vectors.embedder if vectors else None,
            outside=sum(counts.outside.values()),
            notes=tuple(notes),
        )

    # Documents

    def source(self, document: str) -> Source:
        """A document as it was indexed; UnknownName where there is none of that identifier."""
        return self._records.at(self.position(document))

    def text(self, document: str) -> str:
        """Its text."""
        return self.source(document).text

    def source_at(self, position: int) -> Source:
        """The document of a position that is not deleted."""
        return self._records.at(position)

    def sources(self) -> Iterator[tuple[int, Source]]:
        """All documents and their positions, in order, one at a time."""
        return ((int(position), self._records.at(int(position))) for position in self.all())

    def position(self, document: str) -> int:
        """Where a document stands; UnknownName where there is none of that identifier."""
        found = self._records.position(document)
        if found is None:
            some = self._identifiers.at(np.arange(min(len(self._identifiers), 1000)))
            raise UnknownName("document", document, some[:5], where=str(self.place))
        return found

    def has(self, document: str) -> bool:
        """Whether there is a document of that identifier."""
        return self._records.position(document) is not None

    def identifiers(self, positions: NDArray[np.int64]) -> tuple[str, ...]:
        """The identifiers at these positions, in their order."""
        return self._identifiers.at(positions)

    # Leaves

    def lex(self, clause: Lex, field: str, relation: str | None) -> Matches:
        """Words in a field, inside a relation or anywhere."""
        key = None if relation is None else self.relation_key(relation)
        within = self.index_of(field, key)
        if within is None:
            return _kept(self._words(clause, field, None), self.related(relation or ""))
        return self._words(clause, within, key)

    def exact(self, clause: Exact, relation: str | None) -> Matches:
        """Documents with exactly this item, all at its tier."""
        key = None if relation is None else self.relation_key(relation)
        within = items_index(key)
        if not self.has_words(within):
            return _NOTHING
        query, tier = self.exact_query(clause, key)
        positions = self._postings[within].positions(query)
        return Matches(positions, np.full(len(positions), tier))

    def filter(self, clause: Filter) -> NDArray[np.int64]:
        """Documents whose metadata passes."""
        return self._records.postings.positions(self.filter_query(clause))

    def related(self, relation: str) -> NDArray[np.int64]:
        """Documents with an item in this relation."""
        if not self.has_items:
            return _NOTHING.positions
        items = self._postings["items"]
        return items.positions(lexical.relation_query(items.schema, self.relation_key(relation)))

    def all(self) -> NDArray[np.int64]:
        """All documents."""
        return self._all

    # A whole tree at once

    def search_top(
        self, node: Node, limit: int, field: str = "text", relation: str | None = None
    ) -> tuple[Positions, Scores, int] | None:
        """The best `limit` of a tree that lies in one field's index, ties by position, and how many match.

        None where it does not: then the clauses have to be asked one by one. UnknownName and BadInput as they say.
        """
        key = None if relation is None else self.relation_key(relation)
        found = self.compiled(node, Scope(field, key))
        if found is None:
            return None
        return self._postings[found.field].top(found.query, limit)

    def among(
        self, node: Node, positions: NDArray[np.int64], field: str = "text", relation: str | None = None
    ) -> Matches:
        """Which of these positions match a tree that `search_top` answers, and their scores; BadInput for another."""
        key = None if relation is None else self.relation_key(relation)
        found = self.compiled(node, Scope(field, key))
        if found is None:
            raise BadInput("this query does not lie in one field's index", remedy="Ask its clauses one by one.")
        return self._postings[found.field].among(found.query, positions)

    def compiled(self, node: Node, scope: Scope | None = None) -> Compiled | None:
        """The query of tantivy that `search_top` asks."""
        return compiled(node, self, scope or Scope())

    # Counts

    @property
    def documents(self) -> int:
        return self.manifest.counts.documents

    @property
    def has_items(self) -> bool:
        return "items" in self._postings

    @property
    def relations(self) -> Mapping[str, int]:
        return self.manifest.counts.relations

    def holders(self, term: str, field: str = "text") -> int:
        return self.holders_of_phrase([term], field)

    def holders_of_phrase(self, terms: Sequence[str], field: str = "text") -> int:
        postings = self._field(field)
        if postings is None or not terms:
            return 0
        return postings.count(lexical.words_query(postings.schema, Lex(""), list(enumerate(terms))))

    def holders_of_item(self, key: str) -> int:
        return self._postings["items"].count(self._key_query(key)) if self.has_items and key else 0

    def written(self, key: str) -> tuple[str, ...]:
        """How an item is written in the first documents that hold it, most frequent first."""
        known = self._written.get(key)
        if known is None:
            known = self._ways(key)
            if len(self._written) < 100_000:
                self._written[key] = known
        return known

    def near_items(self, key: str) -> tuple[str, ...]:
        """Keys of items whose words are those of `key` but for endings, closest first, at most five."""
        return near_in(self._items_beginning(beginning(key)), key)

    # Figures of a field

    def statistics(self, field: str, relation: str | None = None) -> Statistics:
        """N and avgdl of a field."""
        within = self.index_of(field, None if relation is None else self.relation_key(relation)) or field
        return self._statistics[within].statistics if within in self._statistics else Statistics(0, 0.0)

    def idf(self, terms: Sequence[str], field: str) -> float:
        """The sum of the terms' idf in a field."""
        self.index_of(field, None)
        return self._statistics[field].idf(terms) if field in self._statistics else 0.0

    def figures(self, clause: Lex, field: str, relation: str | None, position: int) -> PhraseFigures | None:
        """A phrase in one document: frequency, length, idf, score. None where the field has no words at all."""
        key = None if relation is None else self.relation_key(relation)
        within = self.index_of(field, key) or field
        phrase = lexical.phrase_in(self.analyzer, clause.text, key if within == "facts" else None)
        if within not in self._statistics or not phrase:
            return None
        return self._figures(clause, within, phrase, position)

    # What the compiler and the clauses share

    def index_of(self, field: str, relation: str | None) -> str | None:
        """The index that answers for words in a field; None where that takes another one too."""
        self._field(field)
        if relation is None:
            return field
        return "facts" if field == "items" else None

    def relation_key(self, relation: str) -> str:
        """What is compared of a relation's name."""
        return key_of(self.analyzer, relation)

    def filter_query(self, clause: Filter) -> tantivy.Query:
        """A filter as a query of the records, and of the index of `text`."""
        return lexical.filter_query(self._records.postings, clause, self.manifest.counts.metadata)

    def exact_query(self, clause: Exact, relation: str | None) -> tuple[tantivy.Query, float]:
        """An exact clause as a query of `items_index`, which is there, and what its hits score; `relation`: a key."""
        key = key_of(self.analyzer, clause.text)
        query = lexical.exact_query(self._postings[items_index(relation)].schema, key, relation)
        return query, exact_tier(key.count(" ") + 1)

    def has_words(self, field: str) -> bool:
        """Whether any document has words in a field."""
        return field in self._postings

    def schema_of(self, field: str) -> tantivy.Schema:
        """The schema of a field's index."""
        return self._postings[field].schema

    @cached_property
    def _all(self) -> NDArray[np.int64]:
        import tantivy

        if not self.manifest.deleted:
            return np.arange(self.manifest.counts.positions, dtype=np.int64)
        return self._records.postings.positions(tantivy.Query.all_query())

    def _field(self, name: str) -> Postings | None:
        """The index of a text field, None where no document has words in it; UnknownName where there is no such."""
        if name in self._text_fields:
            return self._postings[name]
        if name in ("name", "items") and self.manifest.splits is not None:
            return None
        raise UnknownName("field", name, self.manifest.text_fields, where=str(self.place))

    def _words(self, clause: Lex, field: str, relation: str | None) -> Matches:
        """Words in one index: `relation`, a key, only for `facts`."""
        postings = self._postings.get(field)
        phrase = lexical.phrase_in(self.analyzer, clause.text, relation)
        if postings is None or not phrase:
            return _NOTHING
        if not lexical.is_sloppy(clause, phrase):
            return postings.matches(lexical.words_query(postings.schema, clause, phrase))
        candidates = postings.positions(lexical.together_query(postings.schema, phrase))
        scores = np.array([self._figures(clause, field, phrase, at).score for at in candidates.tolist()])
        return Matches(candidates[scores > 0], scores[scores > 0])

    def _figures(self, clause: Lex, field: str, phrase: lexical.Phrase, position: int) -> PhraseFigures:
        terms = list(self._records.terms(self.analyzer, field, position, self.manifest.settings.position_gap))
        places = places_of(terms, (term for _, term in phrase))
        sloppy = lexical.is_sloppy(clause, phrase)
        frequency = sloppy_frequency(phrase, places, clause.slop) if sloppy else float(exact_frequency(phrase, places))
        return self._statistics[field].figures(phrase, frequency, len(terms))

    def _key_query(self, key: str) -> tantivy.Query:
        return lexical.key_query(self._postings["items"].schema, key)

    def _items_beginning(self, begin: str) -> list[str]:
        """Keys of items that begin so, in order, from the dictionary of terms; the last ones asked for are kept."""
        if not self.has_items or not begin:
            return []
        if begin not in self._beginning:
            if len(self._beginning) >= _MOST_BEGINNINGS:
                self._beginning.clear()
            self._beginning[begin] = sorted(self._terms_beginning(begin))
        return self._beginning[begin]

    def _terms_beginning(self, begin: str) -> list[str]:
        import tantivy

        changed = self.manifest.deleted or self.manifest.superseded  # then terms may be of documents that are gone
        there = tantivy.Query.all_query() if changed else None
        found = self._postings["items"].searcher.terms_with_prefix(EXACT, begin, there)
        return [term.replace(_BLANK, " ") for term, _ in found]

    def _ways(self, key: str) -> tuple[str, ...]:
        if not self.has_items or not key:
            return ()
        positions, _, _ = self._postings["items"].top(self._key_query(key), _WRITTEN_FROM)
        ways: Counter[str] = Counter()
        for position in positions.tolist():
            items = self._records.at(position).fields.items
            ways.update(item for item in items if key_of(self.analyzer, item) == key)
        return tuple(way for way, _ in ways.most_common(_WRITTEN_WAYS))


def _kept(matches: Matches, positions: NDArray[np.int64]) -> Matches:
    """The matches that are at these positions."""
    keep = np.isin(matches.positions, positions, assume_unique=True)
    return Matches(matches.positions[keep], matches.scores[keep])


_NOTHING = Matches(np.empty(0, dtype=np.int64), np.empty(0))
