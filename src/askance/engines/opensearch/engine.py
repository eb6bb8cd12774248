"""The engine on OpenSearch: an index of a cluster that answers queries of the language as the embedded engine does."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from askance.core.errors import BadInput
from askance.engines.answering import notes_on, runnable
from askance.engines.embedders import embedded_questions
from askance.engines.engine import Answer, EngineCard, Explanation
from askance.engines.explaining import Explaining
from askance.engines.opensearch import aliases, server_fusion
from askance.engines.opensearch.address import Address, address_of
from askance.engines.opensearch.compiling import Compiler, Scope
from askance.engines.opensearch.connection import Connection
from askance.engines.opensearch.counting import Vocabulary
from askance.engines.opensearch.deep import hits as deep_hits
from askance.engines.opensearch.documents import unpacked
from askance.engines.opensearch.many import search_many
from askance.engines.opensearch.meta import Meta, read_meta
from askance.engines.opensearch.placing import PlacingOnServer
from askance.engines.opensearch.problems import NoSuchIndex, Rejected
from askance.engines.opensearch.records import HELD, Records
from askance.engines.opensearch.running import WINDOW, Hits, Routine, Running, Wanted, bare, run, together
from askance.engines.opensearch.text_fields import cut_by_client, path_of
from askance.engines.settings import LEGACY
from askance.engines.stored import Source
from askance.irl.check import EngineFacts
from askance.irl.nodes import Fuse, Knn, Lex, Node

if TYPE_CHECKING:
    from askance.models.embedder import Embedder

_ANSWERED = "hits.total.value,hits.hits._id,hits.hits.sort,hits.hits._score,hits.hits.fields"


class OpenSearchEngine(Vocabulary):
    """An index on a cluster, as it was when it was opened. Also a Vocabulary.

    It keeps to the index that the alias pointed to; where that was replaced since, the engine opens the new one.
    """

    def __init__(self, address: Address, connection: Connection, index: str, meta: Meta) -> None:
        """Use `open`."""
        super().__init__(connection, index, meta)
        self.address = address
        self.index = index
        self.meta = meta
        self._connection = connection
        self._embedder: Embedder | None = None
        self._vectors: dict[str, NDArray[np.float32]] = {}
        self._last: tuple[Node, Explaining] | None = None

    @classmethod
    def open(cls, place: str | Path, embedder: Embedder | None = None) -> OpenSearchEngine:
        """The index at opensearch://HOST/INDEX. Unreachable, Refused; NoSuchIndex; BadInput where it is not one of
        askance's, or half loaded, or the embedder is not that of its vectors."""
        address = address_of(str(place))
        connection = Connection.open(address)
        index, meta = _found(connection, address)
        engine = cls(address, connection, index, meta)
        if embedder is not None and meta.vectors is not None:
            _check(meta, embedder)
            engine._embedder = embedder
        return engine

    def close(self) -> None:
        """Give the connections back."""
        self._connection.close()

    @property
    def card(self) -> EngineCard:
        """What the index holds, and what should be known of its scores and vectors."""
        counts, vectors = self.meta.counts, self.meta.vectors
        notes = []
        if counts.wordless:
            notes.append(f"{counts.wordless:,} documents have no words in their text")
        if counts.outside:
            kinds = ", ".join(f"{kind}: {number:,}" for kind, number in sorted(counts.outside.items()))
            notes.append(f"outside the schema, searchable as text only: {kinds}")
        if self.meta.deleted or self.meta.superseded:
            notes.append(
                f"{self.meta.deleted:,} deleted and {self.meta.superseded:,} updated documents count in the statistics "
                "until the server merges their segments, or the index is compacted"
            )
        notes += self.vector_notes
        notes += self.shard_notes
        return EngineCard(
            name="opensearch",
            place=self.address.shown,
            documents=counts.documents,
            fields=self.meta.fields,
            scale=self.meta.settings.scale,
            has_items=self.has_items,
            vectors=None if vectors is None else str(vectors.model["name"]),
            outside=sum(counts.outside.values()),
            notes=tuple(notes),
        )

    @property
    def vector_notes(self) -> tuple[str, ...]:
        """What a reader of answers should know of the vectors."""
        vectors = self.meta.vectors
        said = []
        if vectors is not None and vectors.without:
            said.append(f"{vectors.without:,} documents have no text, so no vector, and knn does not find them")
        if vectors is not None and vectors.recall:
            found = ", ".join(map(str, vectors.recall))
            of = f"of {vectors.recall[0].questions} of the documents' own vectors"
            said.append(f"nearest documents are found by an approximate graph (HNSW): {found}, {of}")
        return tuple(said)

    @cached_property
    def shards(self) -> int:
        """Of how many shards the index is."""
        told = self._connection.send("GET", f"/{self.index}/_settings")[self.index]["settings"]["index"]
        return int(told["number_of_shards"])

    @property
    def shard_notes(self) -> tuple[str, ...]:
        """How several shards bear on the scores."""
        if self.shards == 1:
            return ()
        if self.address.dfs:
            return (f"{self.shards} shards, words counted over all of them (dfs_query_then_fetch)",)
        return (
            f"{self.shards} shards: idf and average length are each shard's own, so scores differ from those of one "
            "shard; ?dfs=on counts words over all of them",
        )

    def holding(self) -> Mapping[str, int]:
        """Text field → documents with something in it."""
        bodies = [
            {"query": {"exists": {"field": path_of(field)}}, "size": 0, "track_total_hits": True}
            for field in self.meta.fields
        ]
        answers = search_many(self._connection, self.index, bodies)
        return {
            field: int(answer["hits"]["total"]["value"])
            for field, answer in zip(self.meta.fields, answers, strict=True)
        }

    def left_over_notes(self) -> tuple[str, ...]:
        """Indexes beside this one that no alias points to."""
        names = aliases.left_over(self._connection, self.address.index)
        if not names:
            return ()
        listed = ", ".join(names)
        return (f"half-loaded indexes are left of builds that were stopped, or are being loaded: {listed}",)

    @cached_property
    def facts(self) -> EngineFacts:
        """What queries may ask of it."""
        splits = self.meta.splits is not None
        return EngineFacts(
            fields=tuple(dict.fromkeys((*self.meta.fields, *(("name", "items") if splits else ())))),
            metadata_keys=frozenset(self.meta.counts.metadata),
            has_items=splits,
            has_relations=bool(self.relations),
            has_vectors=self.meta.vectors is not None,
        )

    @cached_property
    def outside(self) -> int:
        """How many documents do not follow the schema."""
        return sum(self.meta.counts.outside.values())

    @property
    def embedder(self) -> Embedder:
        """The model of the index's vectors; BadInput where there are none, or it has to be handed over."""
        from askance.engines.embedders import registered

        if self.meta.vectors is None:
            raise BadInput("the index has no vectors", remedy="Build it with an embedder.")
        if self._embedder is None:
            about = self.meta.vectors
            made = registered(about.embedder, dict(about.settings), str(about.model["name"]))
            _check(self.meta, made)
            self._embedder = made
        return self._embedder

    @cached_property
    def compiler(self) -> Compiler:
        """What bodies are compiled with."""
        settings = self.meta.settings
        legacy_server, legacy = self._connection.legacy_scale, settings.scale == "legacy"
        factor = 1.0 if legacy == legacy_server else LEGACY if legacy else 1.0 / LEGACY
        return Compiler(self.analyzer, cut_by_client(settings.analysis), factor, self.meta.counts.metadata)

    @cached_property
    def records(self) -> Records:
        """The documents."""
        return Records(self._send, self.address.shown, self.analyzer)

    @property
    def running(self) -> Running:
        """How queries run here."""
        vectors = self.meta.vectors
        if vectors is None:
            return Running(self.compiler)
        return Running(self.compiler, self._vector, vectors.lookup == "approximate")

    @property
    def _how(self) -> Mapping[str, str]:
        return {"search_type": "dfs_query_then_fetch"} if self.address.dfs else {}

    def search(self, query: Node, limit: int = 10) -> Answer:
        """The best `limit` documents, ties by position. BadQuery where the query cannot run here."""
        return self.search_all([query], limit)[0]

    def search_all(self, queries: Sequence[Node], limit: int = 10) -> list[Answer]:
        """The answers to many queries, in order: all questions are embedded together, all searches sent together."""
        if limit < 0:
            raise BadInput(f"the limit is {limit}", remedy="Ask for 0 documents or more.")
        trees = [runnable(query, self.facts) for query in queries]
        self._embed([node.text for tree in trees for node in tree.walk() if isinstance(node, Knn)])
        try:
            found = run(together([self._top(tree, limit) for tree in trees]), self.ask)
        except NoSuchIndex:
            if not self._reopened():
                raise
            return self.search_all(queries, limit)
        except Rejected as problem:
            raise server_fusion.named(problem) from None
        return [
            Answer(hits.ids, hits.positions, hits.scores, hits.total, self._notes(tree))
            for tree, hits in zip(trees, found, strict=True)
        ]

    def bodies(self, query: Node, limit: int = 10) -> list[Mapping[str, Any]]:
        """The search bodies that the query is asked by, in order: of lists that others are made of, then the rest."""
        tree = runnable(query, self.facts)
        sent: list[Mapping[str, Any]] = []

        def ask(wanted: Sequence[Wanted]) -> list[Hits]:
            sent.extend(one.body() for one in wanted)
            return self.ask(wanted)

        run(self._top(tree, limit), ask)
        return sent

    def _top(self, tree: Node, limit: int) -> Routine[Hits]:
        fused = self.address.server_fusion and isinstance(bare(tree), Fuse)
        return (
            self.running.top_there(tree, limit, self._connection.version[:2])
            if fused
            else self.running.top(tree, limit)
        )

    def ask(self, wanted: Sequence[Wanted]) -> list[Hits]:
        """Answers to searches, in order."""
        near = [at for at, one in enumerate(wanted) if one.limit <= WINDOW]
        bodies = [wanted[at].body() for at in near]
        answers = search_many(self._connection, self.index, bodies, parameters=self._how, filter_path=_ANSWERED)
        found = {at: _hits(answer) for at, answer in zip(near, answers, strict=True)}
        for at, one in enumerate(wanted):
            if at not in found:
                found[at] = self._deep(one)
        return [found[at] for at in range(len(wanted))]

    def explain(self, query: Node, document: str) -> Explanation:
        """What each clause gave to this document, matching or not. UnknownName where there is no such document."""
        position = self.position(document)
        if self._last is None or self._last[0] is not query:
            tree = runnable(query, self.facts)
            self._embed([node.text for node in tree.walk() if isinstance(node, Knn)])
            self._last = (query, Explaining(tree, PlacingOnServer(self.running, self.ask, self._send), self))
        return self._last[1].explain(position)

    def document_at(self, position: int) -> Source:
        """A document as it was indexed."""
        return self.records.at(position)

    def lex_figures(self, clause: Lex, field: str, relation: str | None, position: int) -> Mapping[str, float]:
        """Frequency, idf, length, the length that counts and the average one, as the server counts them (in one shard);
        for several words, of each word."""
        words = self.analyzer.terms(clause.text)
        if clause.match == "phrase" or len(words) == 1:
            return self._figures(clause, field, relation, position)
        found: dict[str, float] = {}
        for word in dict.fromkeys(words):
            figures = self._figures(Lex(word), field, relation, position)
            found |= {key if "length" in key else f"{key} of {word}": value for key, value in figures.items()}
        return found

    def source(self, document: str) -> Source:
        """A document as it was indexed; UnknownName where there is none of that identifier."""
        return self.records.named(document)[1]

    def sources(self) -> Iterator[tuple[int, Source]]:
        """All documents and their positions, in order, a page at a time, as they are when it begins."""
        body = {"query": {"match_all": {}}, "sort": [{"position": "asc"}], "_source": HELD}
        for hit in deep_hits(self._connection, self.index, body, page=1000):
            held = hit["_source"]
            yield int(held["position"]), unpacked(hit["_id"], held)

    def text(self, document: str) -> str:
        """Its text."""
        return self.source(document).text

    def position(self, document: str) -> int:
        """Where a document stands; UnknownName where there is none of that identifier."""
        return self.records.named(document)[0]

    def _figures(self, clause: Lex, field: str, relation: str | None, position: int) -> dict[str, float]:
        body = self.compiler.body(clause, Scope(field, relation if field == "items" else None))
        return self.records.figures(body, field, relation, position)

    def _send(self, bodies: Sequence[Mapping[str, Any]]) -> Sequence[Mapping[str, Any]]:
        return search_many(self._connection, self.index, bodies, parameters=self._how)

    def _deep(self, wanted: Wanted) -> Hits:
        body = wanted.body()
        found = list(deep_hits(self._connection, self.index, body, wanted.limit, parameters=self._how))
        total = int(self._connection.send("POST", f"/{self.index}/_count", {"query": wanted.query})["count"])
        return _as_hits(found, total)

    def _notes(self, tree: Node) -> tuple[str, ...]:
        notes = notes_on(tree, self, self.outside)
        if any(isinstance(node, Knn) for node in tree.walk()):
            notes += self.vector_notes
        return notes + self.shard_notes

    def _embed(self, texts: Sequence[str]) -> None:
        new = list(dict.fromkeys(text for text in texts if text not in self._vectors))
        if new and self.meta.vectors is not None:
            self._vectors.update(zip(new, embedded_questions(self.embedder, new), strict=True))

    def _vector(self, text: str) -> NDArray[np.float32]:
        if text not in self._vectors:
            self._embed([text])
        return self._vectors[text]

    def _reopened(self) -> bool:
        """Whether the alias points to another index now, which this engine then goes on with."""
        index, meta = _found(self._connection, self.address)
        if index == self.index:
            return False
        embedder, address, connection = self._embedder, self.address, self._connection
        self.__dict__.clear()  # what is cached is of the index before
        self.__init__(address, connection, index, meta)  # type: ignore[misc]
        if embedder is not None and meta.vectors is not None and embedder.card.fingerprint == meta.vectors.fingerprint:
            self._embedder = embedder
        return True


def _found(connection: Connection, address: Address) -> tuple[str, Meta]:
    """The index behind the alias, and what it says of itself."""
    index = aliases.behind(connection, address.index)
    if index is None:
        raise NoSuchIndex.of(address)
    mapping = connection.send("GET", f"/{index}/_mapping")[index]["mappings"]
    return index, read_meta(mapping, address.shown)


def _check(meta: Meta, embedder: Embedder) -> None:
    about = meta.vectors
    assert about is not None
    if embedder.card.fingerprint != about.fingerprint:
        raise BadInput(
            f"questions would be embedded by {embedder.card.name} ({embedder.card.fingerprint}), the documents of this "
            f"index were by {about.model['name']} ({about.fingerprint})",
            remedy="Vectors of two models cannot be compared: use the index's model, or build the index again.",
        )


def _hits(answer: Mapping[str, Any]) -> Hits:
    found = answer.get("hits", {})
    return _as_hits(found.get("hits", []), int(found.get("total", {}).get("value", 0)))


def _as_hits(found: Sequence[Mapping[str, Any]], total: int) -> Hits:
    return Hits(
        tuple(hit["_id"] for hit in found),
        np.array([_position(hit) for hit in found], dtype=np.int64),
        np.array([_score(hit) for hit in found], dtype=np.float32).astype(np.float64),
        total,
    )


def _score(hit: Mapping[str, Any]) -> float:
    return float(hit["sort"][0] if "sort" in hit else hit["_score"])


def _position(hit: Mapping[str, Any]) -> int:
    return int(hit["sort"][1] if "sort" in hit else hit["fields"]["position"][0])
