"""Loading an index: into a new one beside what answers, counted, and only then put in its place."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict
from itertools import islice
from typing import TYPE_CHECKING

import numpy as np

from askance.core.errors import BadInput, DataProblem
from askance.core.places import cache_folder
from askance.core.progress import Progress, Silent
from askance.data.fields.schema import Fields, Schema
from askance.engines.counting import Counting
from askance.engines.opensearch import aliases
from askance.engines.opensearch.address import address_of
from askance.engines.opensearch.bulk import Action, Loaded, load
from askance.engines.opensearch.connection import Connection
from askance.engines.opensearch.documents import Packing
from askance.engines.opensearch.graph_recall import measured
from askance.engines.opensearch.mapping import MOST_DIMENSIONS, index_body
from askance.engines.opensearch.meta import Meta, Vectored
from askance.engines.opensearch.problems import LoadFailed
from askance.engines.opensearch.text_fields import OWN, cut_by_client, properties_of
from askance.engines.settings import Indexed, IndexSettings
from askance.engines.stored import Source

if TYPE_CHECKING:
    from askance.models.embedder import Embedder
    from askance.models.vectors import VectorStore

BLOCK = 1024  # documents whose texts are embedded together

_TASK = "load documents"


def build(
    documents: Iterable[Indexed],
    place: str,
    *,
    schema: Schema | None = None,
    settings: IndexSettings | None = None,
    embedder: Embedder | None = None,
    replace: bool = False,
    store: VectorStore | None = None,
    progress: Progress | None = None,
) -> Meta:
    """Build the index at `place` from documents, whose order is their position. Memory does not grow with their number.

    They are loaded into a new index; when the server counts as many as were sent, the alias is switched to it. Until
    then, and after any failure, what stood there before answers. BadInput where an index stands there and `replace` is
    not given; DataProblem where two documents have one identifier; LoadFailed, with identifiers, for documents the
    server refused.
    """
    address = address_of(place)
    chosen = settings or IndexSettings()
    with Connection.open(address) as connection:
        before = aliases.behind(connection, address.index)
        if before is not None and not replace:
            raise BadInput(
                f"{address.shown} is an index already",
                remedy="Choose another name, or add --replace: the old one answers until the new one stands.",
            )
        embedding = Embedding.of(chosen, embedder, store, progress)
        meta = Meta(settings=chosen, schema=dict(schema.described()) if schema else None, vectors=embedding.about)
        name = aliases.new_name(address.index)
        body = index_body(meta, shards=address.shards, replicas=address.replicas, dimension=embedding.dimension)
        aliases.make(connection, f"/{name}", body, name)
        try:
            made = _Load(connection, name, meta, schema, embedding, progress or Silent()).run(documents)
            aliases.switch(connection, address.index, name, before)
        except BaseException as problem:
            if not aliases.drop_unused(connection, address.index, name):
                problem.add_note(f"The index {name} is left on the server; unless it answers, DELETE /{name}")
            raise
        if before is not None:
            aliases.drop(connection, before)
    return made


class Embedding:
    """The vectors of documents, a block at a time; none where there is no embedder."""

    def __init__(
        self,
        embedder: Embedder | None,
        about: Vectored | None,
        store: VectorStore | None,
        progress: Progress | None = None,
    ) -> None:
        self.embedder, self.about = embedder, about
        self._store = store
        self._progress = progress
        self.without = 0

    @classmethod
    def of(
        cls,
        settings: IndexSettings,
        embedder: Embedder | None,
        store: VectorStore | None,
        progress: Progress | None = None,
    ) -> Embedding:
        """As the settings say, or of the embedder given. BadInput for what a server does not hold."""
        from askance.engines.embedders import registered

        told = settings.vectors
        if told is None and embedder is None:
            return cls(None, None, None)
        if told is not None and told.precision != "float32":
            raise BadInput(
                f"vectors of precision {told.precision} are kept by the embedded engine only",
                remedy="Leave the precision at float32, or build into a folder.",
            )
        made = embedder or registered(told.embedder if told else None, dict(told.settings) if told else {}, "")
        if made.card.dimension > MOST_DIMENSIONS:
            raise BadInput(
                f"{made.card.name} makes vectors of {made.card.dimension:,} numbers; OpenSearch takes up to "
                f"{MOST_DIMENSIONS:,}",
                remedy="Choose another model.",
            )
        about = Vectored(
            fingerprint=made.card.fingerprint,
            model=asdict(made.card),
            embedder=told.embedder if told else None,
            settings=dict(told.settings) if told else {},
            lookup=told.lookup if told else "exact",
        )
        return cls(made, about, store, progress)

    @property
    def dimension(self) -> int | None:
        return None if self.embedder is None else self.embedder.card.dimension

    def of_texts(self, texts: Sequence[str]) -> list[list[float] | None]:
        """A unit vector for every text that is not blank."""
        if self.embedder is None:
            return [None] * len(texts)
        if self._store is None:
            from askance.models.vectors import VectorStore

            self._store = VectorStore(cache_folder("vectors"))
        worded = [text for text in texts if text.strip()]
        self.without += len(texts) - len(worded)
        made = self._store.open(self.embedder, [], worded, self._progress)
        rows = iter(made.document_rows.tolist())
        return [made.unique[next(rows)].tolist() if text.strip() else None for text in texts]


class Sources:
    """Documents on their way: split, counted, packed, and their further text fields told to the index in time."""

    def __init__(
        self, connection: Connection, name: str, meta: Meta, schema: Schema | None, embedding: Embedding
    ) -> None:
        self._connection, self._name, self._schema, self._embedding = connection, name, schema, embedding
        self.packing = Packing(meta.settings)
        self.fields = dict.fromkeys(meta.fields)
        self.counting = Counting(meta.counts)
        self._by_client = cut_by_client(meta.settings.analysis)

    def split(self, document: Indexed) -> Source:
        """The document with what the schema makes of it."""
        made = self._schema.split(document.record or {"text": document.text}) if self._schema else None
        return Source.of(document, made)

    def actions(self, placed: Iterable[tuple[int, Source]]) -> Iterator[Action]:
        """What is sent of documents at their positions."""
        remaining = iter(placed)
        while block := list(islice(remaining, BLOCK)):
            vectors = self._embedding.of_texts([source.text for _, source in block])
            for (position, source), vector in zip(block, vectors, strict=True):
                self._tell_fields(source)
                self.count(source, 1)
                yield Action("index", source.id, self.packing.packed(position, source, vector))

    def count(self, source: Source, sign: int) -> None:
        """Count a document that comes (1) or goes (−1)."""
        analyzer = self.packing.analyzer
        silent_items = sum(not form.key for form in self.packing.forms.of(source.fields.items, None))
        told = [fact.relation for fact in source.fields.facts if fact.items and fact.relation is not None]
        silent_relations = sum(not self.packing.forms.relation(relation) for relation in told)
        wordless = not analyzer.terms(source.text)
        self.counting.count(source, sign, wordless, silent_items, silent_relations)

    def _tell_fields(self, source: Source) -> None:
        split = source.split
        if not isinstance(split, Fields):
            return
        new = [name for name in split.texts if name not in self.fields]
        taken = [name for name in new if name in ("facts", "exact", "relation", *OWN)]
        if taken:
            raise DataProblem(f"the schema makes a text field {taken[0]!r}; that name is taken", remedy="Rename it.")
        if new:
            more = {"more": {"properties": properties_of(new, self._by_client)}}
            self._connection.send("PUT", f"/{self._name}/_mapping", {"properties": more})
        self.fields.update(dict.fromkeys(new))
        if split.name:
            self.fields.setdefault("name")
        if split.facts:
            self.fields.setdefault("items")


class _Load:
    """One load into one new index."""

    def __init__(
        self,
        connection: Connection,
        name: str,
        meta: Meta,
        schema: Schema | None,
        embedding: Embedding,
        told: Progress,
    ) -> None:
        self._connection, self._name, self._meta, self._told = connection, name, meta, told
        self._embedding = embedding
        self._sources = Sources(connection, name, meta, schema, embedding)
        self._hashes = array("q")

    def run(self, documents: Iterable[Indexed]) -> Meta:
        """Load, count, and say in the index what it is."""
        self._told.start(_TASK, None)
        loaded = load(self._connection, self._name, self._sources.actions(self._placed(documents)))
        self._told.finish(_TASK)
        if loaded.failed:
            raise LoadFailed.of(self._name, loaded.sent, loaded.failed)
        self._connection.send("POST", f"/{self._name}/_refresh")
        self._verify(loaded)
        return self._finish()

    def _placed(self, documents: Iterable[Indexed]) -> Iterator[tuple[int, Source]]:
        for document in documents:
            self._hashes.append(hash(document.id))
            position = self._sources.counting.positions
            self._sources.counting.positions += 1
            yield position, self._sources.split(document)
            if position % 1000 == 999:
                self._told.advance(_TASK, 1000)

    def _verify(self, loaded: Loaded) -> None:
        counted = count_of(self._connection, self._name)
        if counted == len(self._hashes) == loaded.done:
            return
        self._refuse_twins()
        raise LoadFailed(
            f"{self._name}: {len(self._hashes):,} documents were sent, and the server counts {counted:,}",
            remedy="Is somebody else writing to it? Build again; what answered before still does.",
        )

    def _refuse_twins(self) -> None:
        """DataProblem where an identifier came twice: the later document took the place of the earlier one."""
        hashes = np.frombuffer(self._hashes, dtype=np.int64)
        order = np.argsort(hashes, kind="stable")
        same = np.flatnonzero(hashes[order][1:] == hashes[order][:-1])
        for at in same.tolist():
            first, second = sorted((int(order[at]), int(order[at + 1])))
            body = {"query": {"terms": {"position": [first, second]}}, "_source": False, "sort": ["position"]}
            hits = self._connection.send("POST", f"/{self._name}/_search", body)["hits"]["hits"]
            if len(hits) < 2:
                name = hits[0]["_id"] if hits else "?"
                raise DataProblem(
                    f"the identifier {name!r} comes twice: document {first + 1} and document {second + 1}",
                    remedy="Give each document its own identifier, or leave one of them out.",
                )

    def _finish(self) -> Meta:
        vectors = self._meta.vectors
        if vectors is not None:
            recall = measured(self._connection, self._name) if vectors.lookup == "approximate" else ()
            vectors = vectors.model_copy(update={"without": self._embedding.without, "recall": recall})
        made = self._meta.model_copy(
            update={
                "complete": True,
                "fields": ordered(self._sources.fields),
                "counts": self._sources.counting.counts(),
                "vectors": vectors,
            }
        )
        write_meta(self._connection, self._name, made)
        self._connection.send("PUT", f"/{self._name}/_settings", {"index": {"refresh_interval": "1s"}})
        return made


def count_of(connection: Connection, name: str) -> int:
    """How many documents an index holds, as of its last refresh."""
    return int(connection.send("POST", f"/{name}/_count", {"query": {"match_all": {}}})["count"])


def write_meta(connection: Connection, name: str, meta: Meta) -> None:
    """Let an index say what it is."""
    connection.send("PUT", f"/{name}/_mapping", {"_meta": meta.as_mapping()})


def ordered(fields: Iterable[str]) -> tuple[str, ...]:
    """Text fields: those every index has, then the others by name."""
    there = set(fields)
    return (*(name for name in OWN if name in there), *sorted(there.difference(OWN)))
