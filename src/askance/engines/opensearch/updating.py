"""Changing an index: a copy of it is changed, counted, and put in its place; a change holds whole or not at all.

The copy shares the files of the index (the server clones by hard links), so it costs what the change costs. What
answers is closed to writers meanwhile, and goes on answering until the copy does.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import TYPE_CHECKING, Any

from askance.core.errors import AskanceError, BadInput, DataProblem
from askance.core.progress import Progress, Silent
from askance.data.fields.kinds import schema_of
from askance.data.fields.schema import Schema
from askance.engines.opensearch import aliases
from askance.engines.opensearch.address import address_of
from askance.engines.opensearch.building import BLOCK, Embedding, Sources, count_of, ordered, write_meta
from askance.engines.opensearch.bulk import Action, load
from askance.engines.opensearch.connection import Connection
from askance.engines.opensearch.documents import unpacked
from askance.engines.opensearch.graph_recall import measured
from askance.engines.opensearch.meta import Meta, read_meta
from askance.engines.opensearch.problems import LoadFailed, NoSuchIndex
from askance.engines.settings import Indexed
from askance.engines.stored import Source

if TYPE_CHECKING:
    from askance.models.embedder import Embedder
    from askance.models.vectors import VectorStore

_TASK = "change the index"
_FREE = {"settings": {"index.blocks.write": None}}


def change(
    place: str,
    *,
    put: Iterable[Indexed] = (),
    delete: Sequence[str] = (),
    compact: bool = False,
    schema: Schema | None = None,
    embedder: Embedder | None = None,
    store: VectorStore | None = None,
    progress: Progress | None = None,
) -> Meta:
    """Delete what `delete` names, then update or add what `put` holds; an updated document keeps its position.

    Documents are split by the index's own schema; `schema`: the same again, needed where it is a function. `compact`:
    merge the index into one segment, so that what was deleted or replaced does not count any more; positions stay.
    NoSuchIndex; DataProblem where an identifier comes twice in the batch, or one to delete is not there; BadInput where
    the embedder or the schema is not that of the index. After an error the index is as it was.
    """
    address = address_of(place)
    told = progress or Silent()
    with Connection.open(address) as connection:
        before = aliases.behind(connection, address.index)
        if before is None:
            raise NoSuchIndex.of(address)
        meta = read_meta(connection.send("GET", f"/{before}/_mapping")[before]["mappings"], address.shown)
        name = aliases.new_name(address.index)
        connection.send("PUT", f"/{before}/_settings", {"index": {"blocks.write": True}})
        try:
            aliases.make(connection, f"/{before}/_clone/{name}", _FREE, name)
            batch = _Batch(connection, name, meta, _same(schema, meta), embedder, store)
            told.start(_TASK, None)
            made = batch.run(delete, put, told, compact)
            told.finish(_TASK)
            aliases.switch(connection, address.index, name, before)
        except BaseException as problem:
            if not aliases.drop_unused(connection, address.index, name):
                problem.add_note(f"The index {name} may be left on the server; unless it answers, DELETE /{name}")
            _open_again(connection, before, problem)
            raise
        aliases.drop(connection, before)
    return made


class _Batch:
    """Applies a change to the copy."""

    def __init__(
        self,
        connection: Connection,
        name: str,
        meta: Meta,
        schema: Schema | None,
        embedder: Embedder | None,
        store: VectorStore | None,
    ) -> None:
        self._connection, self._name, self._meta = connection, name, meta
        self._embedding = _embedding(meta, embedder, store)
        self._sources = Sources(connection, name, meta, schema, self._embedding)
        self._seen: dict[str, int] = {}
        self._superseded, self._deleted = meta.superseded, meta.deleted

    def run(self, delete: Sequence[str], put: Iterable[Indexed], told: Progress, compact: bool) -> Meta:
        self._load(self._removals(delete))
        self._load(self._sources.actions(self._placed(put, told)))
        self._connection.send("POST", f"/{self._name}/_refresh")
        counts = self._sources.counting.counts()
        counted = count_of(self._connection, self._name)
        if counted != counts.documents:
            raise LoadFailed(
                f"{self._name}: after the change the index should hold {counts.documents:,} documents, and the server "
                f"counts {counted:,}",
                remedy="Is somebody else writing to it? The index is as it was; change it again.",
            )
        if compact:
            parameters = {"max_num_segments": "1"}
            self._connection.send("POST", f"/{self._name}/_forcemerge", parameters=parameters, timeout=3600)
            self._superseded = self._deleted = 0
        return self._finish()

    def _finish(self) -> Meta:
        vectors = self._meta.vectors
        if vectors is not None:
            recall = measured(self._connection, self._name) if vectors.lookup == "approximate" else ()
            without = vectors.without + self._embedding.without
            vectors = vectors.model_copy(update={"without": without, "recall": recall})
        made = self._meta.model_copy(
            update={
                "fields": ordered(self._sources.fields),
                "counts": self._sources.counting.counts(),
                "vectors": vectors,
                "superseded": self._superseded,
                "deleted": self._deleted,
            }
        )
        write_meta(self._connection, self._name, made)
        return made

    def _load(self, actions: Iterable[Action]) -> None:
        loaded = load(self._connection, self._name, actions)
        if loaded.failed:
            raise LoadFailed.of(self._name, loaded.sent, loaded.failed)

    def _removals(self, delete: Sequence[str]) -> Iterator[Action]:
        for start in range(0, len(delete), BLOCK):
            block = delete[start : start + BLOCK]
            for id in block:
                self._see(id)
            held = self._held(block)
            for id in block:
                if id not in held:
                    raise DataProblem(
                        f"the identifier {id!r} is not in the index, which has {self._meta.counts.documents:,} "
                        "documents",
                        remedy="Leave it out.",
                    )
                self._gone(held[id][1])
                self._deleted += 1
                yield Action("delete", id, None)

    def _placed(self, put: Iterable[Indexed], told: Progress) -> Iterator[tuple[int, Source]]:
        remaining = iter(put)
        while block := list(islice(remaining, BLOCK)):
            for document in block:
                self._see(document.id)
            held = self._held([document.id for document in block])
            for document in block:
                source = self._sources.split(document)
                if document.id in held:
                    position, before = held[document.id]
                    self._gone(before)
                    self._superseded += 1
                else:
                    position = self._sources.counting.positions
                    self._sources.counting.positions += 1
                yield position, source
            told.advance(_TASK, len(block))

    def _gone(self, source: Source) -> None:
        self._sources.count(source, -1)
        if self._meta.vectors is not None and not source.text.strip():
            self._embedding.without -= 1

    def _see(self, id: str) -> None:
        number = len(self._seen) + 1
        if self._seen.setdefault(id, number) != number:
            raise DataProblem(
                f"the identifier {id!r} comes twice in one batch",
                remedy="Leave one of them out, or make two batches.",
            )

    def _held(self, ids: Sequence[str]) -> dict[str, tuple[int, Source]]:
        """The documents of these identifiers that are there, with their positions."""
        body = {"docs": [{"_id": id, "_source": ["position", "text", "record"]} for id in ids]}
        answer: Mapping[str, Any] = self._connection.send("POST", f"/{self._name}/_mget", body)
        found = {}
        for one in answer["docs"]:
            if "error" in one:
                raise LoadFailed(f"{self._name}: {one['_id']!r} cannot be read: {one['error'].get('reason')}")
            if one.get("found"):
                held = one["_source"]
                found[one["_id"]] = (int(held["position"]), unpacked(one["_id"], held))
        return found


def _embedding(meta: Meta, embedder: Embedder | None, store: VectorStore | None) -> Embedding:
    if meta.vectors is None:
        return Embedding(None, None, None)
    from askance.engines.embedders import registered

    about = meta.vectors
    made = embedder or registered(about.embedder, dict(about.settings), str(about.model["name"]))
    if made.card.fingerprint != about.fingerprint:
        raise BadInput(
            f"the documents would be embedded by {made.card.name} ({made.card.fingerprint}), those of this index were "
            f"by {about.model['name']} ({about.fingerprint})",
            remedy="Vectors of two models cannot be compared: use the index's model, or build the index again.",
        )
    return Embedding(made, about, store)


def _same(schema: Schema | None, meta: Meta) -> Schema | None:
    """The schema of the index; BadInput where the one given is another."""
    if meta.splits is None:
        if schema is not None:
            raise BadInput("a schema is given, and the index was built without one", remedy="Build it again.")
        return None
    made = schema or schema_of(dict(meta.splits))
    if json.dumps(dict(made.described()), sort_keys=True) != json.dumps(dict(meta.splits), sort_keys=True):
        raise BadInput(
            "the schema given is not the one that the index was built with",
            remedy="Give the same one, or build the index again with replace.",
        )
    return made


def _open_again(connection: Connection, name: str, problem: BaseException) -> None:
    """Let writers write to an index whose copy failed."""
    try:
        connection.send("PUT", f"/{name}/_settings", {"index": {"blocks.write": None}})
    except NoSuchIndex:
        return
    except AskanceError:
        problem.add_note(f"The index {name} is still closed to writers: set its index.blocks.write to null.")
