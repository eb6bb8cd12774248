"""Building an index from a stream of documents."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Protocol

from askance.core.errors import BadInput
from askance.core.progress import Progress, Silent
from askance.data.fields.schema import Schema
from askance.engines.embedded.identifiers import IdentifierTable, IdentifierWriter, SeenIdentifiers
from askance.engines.embedded.layout import Change, new_index
from askance.engines.embedded.manifest import Manifest
from askance.engines.embedded.postings import Postings
from askance.engines.embedded.records import Records
from askance.engines.embedded.segments import tantivy_module
from askance.engines.embedded.writing import GenerationWriter
from askance.engines.settings import Indexed, IndexSettings
from askance.engines.stored import Source


class Beside(Protocol):
    """What else a generation holds (vectors): made before the generation holds, in a folder of its own within it.

    `texts`: by position, None where the document is gone; can be gone through more than once. `before`: the folder of
    the generation before, None for a new index.
    """

    def __call__(self, folder: Path, texts: Iterable[str | None], before: Path | None) -> None: ...


_TASK = "index documents"
_STEP = 1000


def build_index(
    documents: Iterable[Indexed],
    into: Path,
    *,
    schema: Schema | None = None,
    settings: IndexSettings | None = None,
    replace: bool = False,
    beside: Beside | None = None,
    progress: Progress | None = None,
) -> Manifest:
    """Build the index `into` from documents, whose order is their position. Memory does not grow with their number.

    It is there when all of it is: until then the place is empty, or (with `replace`) the old index answers. Empty texts
    are indexed. `beside` makes what else belongs to the index, before it holds. FileProblem where something else stands
    in the place; DataProblem where two documents have one identifier, or one cannot be kept.
    """
    chosen = settings or IndexSettings()
    refuse_unscored(chosen)
    tantivy_module()
    with new_index(Path(into), replace) as change:
        manifest = _written(documents, change, schema, chosen, progress or Silent())
        completed(change, manifest, beside, None)
    return manifest


def completed(change: Change, manifest: Manifest, beside: Beside | None, before: Path | None) -> None:
    """Let `beside` do its part, then make the generation the one that holds."""
    if beside is not None:
        beside(change.folder, _Texts(change.folder, manifest), before)
    change.commit(manifest)


class _Texts:
    """The texts of a generation that does not hold yet."""

    def __init__(self, folder: Path, manifest: Manifest) -> None:
        self._records = Records(Postings(folder, manifest.records, 1.0), IdentifierTable(folder))
        self._size = manifest.counts.positions

    def __iter__(self) -> Iterator[str | None]:
        return (self._records.text(position) for position in range(self._size))


def refuse_unscored(settings: IndexSettings) -> None:
    """BadInput for BM25 constants that the engine below cannot score with."""
    if (settings.k1, settings.b) != (1.2, 0.75):
        raise BadInput(
            f"k1 {settings.k1:g} and b {settings.b:g}: the embedded engine scores with k1 1.2 and b 0.75 only",
            remedy="Leave them out, or rank with the retriever bm25 or an OpenSearch index, where both can be set.",
        )


def split_by(schema: Schema | None, document: Indexed) -> Source:
    """The document with what the schema makes of it."""
    return Source.of(document, schema.split(document.record or {"text": document.text}) if schema else None)


def _written(
    documents: Iterable[Indexed], change: Change, schema: Schema | None, settings: IndexSettings, told: Progress
) -> Manifest:
    writer = GenerationWriter(change.folder, settings)
    identifiers, seen = IdentifierWriter(change.folder), SeenIdentifiers()
    told.start(_TASK, None)
    try:
        for document in documents:
            position = writer.give_position()
            identifiers.append(document.id)
            seen.add(document.id)
            writer.put(position, split_by(schema, document))
            if position % _STEP == _STEP - 1:
                told.advance(_TASK, _STEP)
        identifiers.close()
        seen.check(IdentifierTable(change.folder))
        counts, fields, records = writer.finish()
    finally:
        identifiers.close()
        writer.close()
    told.advance(_TASK, counts.positions % _STEP)
    told.finish(_TASK)
    splits = dict(schema.described()) if schema else None
    return Manifest.of(change.generation, settings, splits, counts, fields, records)
