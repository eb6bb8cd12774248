"""Changing an index: documents added, updated, deleted in one batch, which holds whole or not at all.

The new generation shares the segment files of the old one (hard links: tantivy never writes to a segment again), and
only what the batch says is written. Readers that are open go on with the old generation.
"""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterable
from pathlib import Path

from askance.core.errors import BadInput, DataProblem
from askance.core.progress import Progress, Silent
from askance.data.fields.schema import Schema
from askance.engines.embedded.building import Beside, completed, split_by
from askance.engines.embedded.identifiers import IdentifierWriter
from askance.engines.embedded.layout import Change, changed_index
from askance.engines.embedded.manifest import Manifest
from askance.engines.embedded.opening import EmbeddedIndex
from askance.engines.embedded.writing import GenerationWriter
from askance.engines.settings import Indexed
from askance.engines.stored import Source

_WRITTEN_ANEW = ("meta.json", ".managed.json")  # what tantivy replaces in place; segment files are never written again
_TASK = "change the index"


def add(
    place: Path, documents: Iterable[Indexed], *, schema: Schema | None = None, beside: Beside | None = None
) -> Manifest:
    """Add documents, each at the next position; DataProblem where an identifier is in the index already."""
    return change(place, add=documents, schema=schema, beside=beside)


def update(
    place: Path, documents: Iterable[Indexed], *, schema: Schema | None = None, beside: Beside | None = None
) -> Manifest:
    """Replace documents, which keep their positions; DataProblem where an identifier is not in the index."""
    return change(place, update=documents, schema=schema, beside=beside)


def delete(place: Path, identifiers: Iterable[str], *, beside: Beside | None = None) -> Manifest:
    """Delete documents; DataProblem where an identifier is not in the index."""
    return change(place, delete=identifiers, beside=beside)


def change(
    place: Path,
    *,
    put: Iterable[Indexed] = (),
    add: Iterable[Indexed] = (),
    update: Iterable[Indexed] = (),
    delete: Iterable[str] = (),
    schema: Schema | None = None,
    beside: Beside | None = None,
    progress: Progress | None = None,
) -> Manifest:
    """One batch: what `delete` names, then what `update`, `put` (update or add) and `add` hold, in this order.

    Documents are split by the index's own schema; `schema`: the same again, needed where it is a function. `beside`
    as in `build_index`. DataProblem where an identifier comes twice in the batch, or is (not) there against what was
    asked; IndexBusy where another process writes; FileProblem. After an error the index is as it was.
    """
    place = Path(os.path.abspath(place))
    told = progress or Silent()
    with changed_index(place) as under_way:
        before = under_way.before
        assert before is not None
        index = EmbeddedIndex(place, before)
        _link(index.folder, under_way.folder, before)
        batch = _Batch(index, under_way, before, schema)
        told.start(_TASK, None)
        try:
            for identifier in delete:
                batch.delete(identifier)
            for documents, known in ((update, True), (put, None), (add, False)):
                for document in documents:
                    batch.put(document, known)
                    told.advance(_TASK)
            if not batch.size:
                return before
            manifest = batch.finish()
        finally:
            batch.close()
        completed(under_way, manifest, beside, index.folder)
        told.finish(_TASK)
    return manifest


def compact(place: Path, *, beside: Beside | None = None, progress: Progress | None = None) -> Manifest:
    """Write the index anew from the documents that are left: as if it had just been built of them, in their order.

    Positions count from 0 again, without holes, and nothing that was deleted or updated counts any more.
    """
    place = Path(os.path.abspath(place))
    told = progress or Silent()
    with changed_index(place) as under_way:
        before = under_way.before
        assert before is not None
        index = EmbeddedIndex(place, before)
        writer = GenerationWriter(under_way.folder, before.settings)
        identifiers = IdentifierWriter(under_way.folder)
        told.start(_TASK, before.counts.documents)
        try:
            for _, source in index.sources():
                identifiers.append(source.id)
                writer.put(writer.give_position(), source)
                told.advance(_TASK)
            counts, fields, records = writer.finish()
        finally:
            identifiers.close()
            writer.close()
        manifest = Manifest.of(under_way.generation, before.settings, before.splits, counts, fields, records)
        completed(under_way, manifest, beside, index.folder)
        told.finish(_TASK)
    return manifest


class _Batch:
    """Applies a batch to a generation whose folder has the files of the one before."""

    def __init__(self, index: EmbeddedIndex, change: Change, before: Manifest, schema: Schema | None) -> None:
        self.size = 0
        self._index, self._change, self._before = index, change, before
        self._given = schema
        self._schema: Schema | None = None
        self._seen: dict[str, int] = {}
        self._superseded = before.superseded
        self._writer = GenerationWriter(change.folder, before.settings, before)
        self._identifiers = IdentifierWriter(change.folder, index.folder)

    def delete(self, identifier: str) -> None:
        self._see(identifier)
        position = self._position(identifier)
        self._writer.remove(position, self._index.source_at(position))

    def put(self, document: Indexed, known: bool | None) -> None:
        """`known`: whether it must be in the index (True), must not (False), or may."""
        self._see(document.id)
        source = self._split(document)
        there = self._index.has(document.id)
        if known is False and there:
            raise DataProblem(
                f"the identifier {document.id!r} is in the index already", remedy="Update it, or add it under another."
            )
        if known or there:
            position = self._position(document.id)
            self._writer.remove(position, self._index.source_at(position))
            self._superseded += 1
        else:
            position = self._writer.give_position()
            self._identifiers.append(document.id)
        self._writer.put(position, source)

    def finish(self) -> Manifest:
        before = self._before
        self._identifiers.close()
        counts, fields, records = self._writer.finish()
        return Manifest.of(
            self._change.generation, before.settings, before.splits, counts, fields, records, self._superseded
        )

    def close(self) -> None:
        self._identifiers.close()
        self._writer.close()

    def _see(self, identifier: str) -> None:
        self.size += 1
        if identifier in self._seen:
            raise DataProblem(
                f"the identifier {identifier!r} comes twice in one batch: as number {self._seen[identifier]} and as "
                f"number {self.size}",
                remedy="Leave one of them out, or make two batches.",
            )
        self._seen[identifier] = self.size

    def _position(self, identifier: str) -> int:
        if not self._index.has(identifier):
            raise DataProblem(
                f"the identifier {identifier!r} is not in the index, which has {self._before.counts.documents:,} "
                "documents",
                remedy="Add the document instead, or leave it out.",
            )
        return self._index.position(identifier)

    def _split(self, document: Indexed) -> Source:
        splits = self._before.splits
        if splits is None:
            if self._given is not None:
                raise BadInput("a schema is given, and the index was built without one", remedy="Build it again.")
            return Source.of(document, None)
        if self._schema is None:
            self._schema = self._given or _schema_of(dict(splits))
            if json.dumps(dict(self._schema.described()), sort_keys=True) != json.dumps(dict(splits), sort_keys=True):
                raise BadInput(
                    "the schema given is not the one that the index was built with",
                    remedy="Give the same one, or build the index again with replace.",
                )
        return split_by(self._schema, document)


def _schema_of(described: dict[str, object]) -> Schema:
    from askance.data.fields.kinds import schema_of

    return schema_of(described)


def _link(old: Path, new: Path, manifest: Manifest) -> None:
    """Give a new generation the tantivy files of the old one: segments by hard links, the rest by copies."""
    for entry in (*manifest.fields.values(), manifest.records):
        (new / entry.folder).mkdir()
        for file in (old / entry.folder).iterdir():
            target = new / entry.folder / file.name
            if file.name in _WRITTEN_ANEW:
                shutil.copy2(file, target)
            elif not file.name.endswith(".lock"):
                _link_or_copy(file, target)


def _link_or_copy(file: Path, target: Path) -> None:
    try:
        os.link(file, target)
    except OSError:  # a file system without hard links
        shutil.copy2(file, target)
