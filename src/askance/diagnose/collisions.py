"""Winners that hold what is asked for in the wrong place: in their name, or inside a longer item.

Where the documents split into names and items by the schema learned from them (at least half must), what a query asks
for is found by the rules of the query language and by what gold holds whole of the question, and looked for in the
document at rank 1. Else nothing is said.

A document whose sentence fits and whose items are no usual ones stands outside the schema; what its list holds around
what is asked for is a longer item all the same.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from askance.data.collection import Collection
from askance.data.fields.fitting import learned_where_it_fits
from askance.data.fields.learned import FramedSchema, LearnedSchema
from askance.data.fields.schema import Record
from askance.diagnose.asked_of_gold import Terms, held_whole, settled
from askance.diagnose.causes import LONGER_ITEM, NAME
from askance.diagnose.waterfall import Lost
from askance.irl.lint.asked import asked_by
from askance.irl.lint.counts import CorpusVocabulary
from askance.irl.lint.findings import Asked
from askance.irl.lint.foretell import Corpus, read_corpus
from askance.irl.lint.words import UNKNOWN
from askance.irl.nodes import Relation
from askance.irl.rewrite.rewriter import rewrite
from askance.irl.rewrite.rules import Rules
from askance.irl.rewrite.template_words import shared_by

_KINDS = {NAME: "item in name", LONGER_ITEM: "item in item"}
_UNUSUAL_ITEMS = ("unknown item", "unknown items")  # why a document stands outside whose sentence fits


class Holders:
    """The documents of a collection split into names and items, when that is first asked for."""

    def __init__(self, collection: Collection) -> None:
        self._collection = collection
        self._corpus: Corpus | None = None
        self._schema: FramedSchema | None = None
        self._read = False
        self._rules = Rules()
        self._vocabulary: CorpusVocabulary | None = None
        self._asked: dict[int, list[Asked]] = {}
        self._template: frozenset[int] | None = None

    def holding(self, query: int, document: int, gold: int) -> dict[str, str]:
        """In what the document holds an item that the query asks for: kind of holding → as written there.

        `gold`: the document that should stand there; what it holds whole of the question is asked for whole.
        """
        corpus = self._opened()
        if corpus is None:
            return {}
        found: dict[str, str] = {}
        asked = self._asked_by(query, corpus)
        relations = {terms: each.relation for each in asked if (terms := tuple(corpus.words.numbers(each.text)))}
        for terms in self._settled(query, gold, list(relations), corpus):
            begins = corpus.words.phrase(terms)
            low, high = np.searchsorted(corpus.words.document(begins), (document, document + 1))
            local = (begins[low:high] - corpus.words.offsets[document]).tolist()
            relation = relations.get(terms, next(iter(relations.values()), None))
            like = None if relation is None else corpus.holdings.like_relation(relation)
            if local:
                for kind, inside in corpus.places.causes(document, local, len(terms), like):
                    found.setdefault(kind, inside)
                around = self._unusual_item_around(corpus, document, list(terms))
                if around is not None:
                    found.setdefault(_KINDS[LONGER_ITEM], around)
        return found

    def _settled(self, query: int, gold: int, asked: list[Terms], corpus: Corpus) -> list[Terms]:
        question = corpus.words.numbers(self._collection.queries.field("text")[query])
        whole = held_whole(question, self._items_of(gold, corpus))
        shared = self._shared(corpus)
        return settled(asked, whole, lambda term: term in shared)

    def _items_of(self, document: int, corpus: Corpus) -> list[list[int]]:
        """The items of a document as term numbers, also where it stands outside the schema for them alone."""
        if corpus.holdings.outside[document]:
            return [list(corpus.words.numbers(item)) for item in self._unusual_items(corpus, document)]
        forms = corpus.holdings.form[corpus.holdings.of_document(document)].tolist()
        return [list(corpus.holdings.terms[key]) for key in corpus.holdings.key[forms].tolist()]

    def _shared(self, corpus: Corpus) -> frozenset[int]:
        """Words that more than half of the questions have, as term numbers."""
        if self._template is None:
            words = shared_by(self._collection.queries.field("text"), corpus.words.analyzer)
            self._template = frozenset(corpus.words.known.get(word, UNKNOWN) for word in words)
        return self._template

    def _unusual_item_around(self, corpus: Corpus, document: int, terms: list[int]) -> str | None:
        """Of a document that stands outside for its items alone: the part of its list that holds the terms and more."""
        for item in self._unusual_items(corpus, document):
            held = list(corpus.words.numbers(item))
            ends = range(len(terms), len(held) + 1)
            if len(held) > len(terms) and any(held[end - len(terms) : end] == terms for end in ends):
                return item.strip()
        return None

    def _unusual_items(self, corpus: Corpus, document: int) -> Iterator[str]:
        """The parts of the list of a document that stands outside the schema for its items alone."""
        if self._schema is None or corpus.holdings.outside[document] not in _UNUSUAL_ITEMS:
            return
        text = self._collection.documents.field(self._schema.field)[document]
        for part in self._schema.parts(text):
            item = part
            for frame in self._schema.frames:
                item = (item.partition(frame.between)[2] or item if frame.between else item).removesuffix(frame.end)
            yield item

    def _opened(self) -> Corpus | None:
        if not self._read and "text" in self._collection.documents.fields:
            schema = learned_where_it_fits(LearnedSchema(), self._records()).schema
            if schema is not None:
                self._schema = schema if isinstance(schema, FramedSchema) else None
                texts = self._collection.documents.field("text")
                split = ((text, schema.split(each)) for text, each in zip(texts, self._records(), strict=True))
                self._corpus = read_corpus(self._collection.documents.ids.names, split)
                if not len(self._corpus.holdings.form):
                    self._corpus = None
        self._read = True
        return self._corpus

    def _records(self) -> Iterator[Record]:
        fields = self._collection.documents.fields
        for row in zip(*fields.values(), strict=True):
            yield dict(zip(fields, row, strict=True))

    def _asked_by(self, query: int, corpus: Corpus) -> list[Asked]:
        if query not in self._asked:
            if self._vocabulary is None:
                self._vocabulary = CorpusVocabulary(corpus)
            question = self._collection.queries.field("text")[query]
            written = rewrite(question, vocabulary=self._vocabulary, extractor=self._rules, without_knn=True)
            relation = next((node.name for node in written.query.walk() if isinstance(node, Relation)), None)
            name = self._collection.queries.ids[query]
            self._asked[query] = [
                asked
                for asked in asked_by(name, question, written.keywords, relation, corpus.words, corpus.holdings)
                if asked.text
            ]
        return self._asked[query]


class HeldElsewhere:
    """The reason `name`, or `longer item`."""

    def __init__(self, cause: str, holders: Holders) -> None:
        self.cause = cause
        self._holders = holders

    def why(self, lost: Lost) -> str | None:
        if lost.winner is None:
            return None
        inside = self._holders.holding(lost.query, lost.winner, lost.gold).get(_KINDS[self.cause])
        if inside is None:
            return None
        return f"rank 1 is called {inside[:60]!r}" if self.cause == NAME else f"rank 1 holds {inside[:60]!r}"
