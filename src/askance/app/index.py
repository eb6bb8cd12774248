"""Make an index of documents, and change it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Literal, cast

from askance.core.errors import BadInput
from askance.core.progress import Progress
from askance.data.collection import Collection
from askance.data.fields.kinds import schema_from_file, schema_named
from askance.data.fields.learned import LearnedSchema
from askance.data.fields.schema import Schema
from askance.engines.embedded.engine import build, change
from askance.engines.settings import Analysis, Indexed, IndexSettings, Lookup, Precision, VectorSettings
from askance.engines.sources import OfCollection, corpus_file, documents_at
from askance.models.registry import EMBEDDERS
from askance.study.collections import open_collection

if TYPE_CHECKING:
    from askance.engines.embedded.manifest import Manifest
    from askance.models.embedder import Embedder

LEARNED, NONE = "learned", "none"
_FILES = (".toml", ".json")

Documents = str | Path | Collection | Iterable[Indexed]


def index(
    documents: Documents | None,
    into: str | Path,
    *,
    schema: str | Path | Schema = LEARNED,
    settings: IndexSettings | None = None,
    embedder: Embedder | None = None,
    replace: bool = False,
    progress: Progress | None = None,
) -> Manifest:
    """Build an index of `documents` in the folder `into`, whole or not at all.

    `documents`: a file of JSON lines, a BEIR folder, the name of a public collection, or what is in memory.
    `schema`: "learned" from the documents, "none", a schema file, or a schema. `embedder`: of knn clauses, where
    `settings` names none. FileProblem where `into` holds an index already, unless `replace`, which lets the old one
    stand until the new one does.
    """
    taken = _documents(documents, progress)
    return build(
        taken,
        Path(into),
        schema=_schema(schema, taken),
        settings=settings or IndexSettings(),
        embedder=embedder,
        replace=replace,
        progress=progress,
    )


def index_settings(
    *,
    model: str | None = None,
    precision: Precision = "float32",
    lookup: Lookup = "exact",
    stemmer: str | None = None,
    fold_apostrophes: bool = False,
    normalize: Literal["nfc", "nfkc"] | None = None,
    scale: Literal["lucene", "legacy"] = "lucene",
) -> IndexSettings:
    """How an index is made, from plain words. `model`: a name of models.registry, with its usual settings.

    UnknownName for a model or stemmer that is not there.
    """
    if model is not None:
        EMBEDDERS.get(model)
    elif (precision, lookup) != ("float32", "exact"):
        raise BadInput(
            "precision and lookup are of vectors, and no model is named", remedy="Name one with --model, or leave them."
        )
    return IndexSettings(
        analysis=Analysis(stemmer=stemmer, fold_apostrophes=fold_apostrophes, normalize=normalize),
        scale=scale,
        vectors=VectorSettings(embedder=model, precision=precision, lookup=lookup) if model is not None else None,
    )


def change_index(
    into: str | Path,
    documents: Documents | None = None,
    *,
    delete: Sequence[str] = (),
    compact: bool = False,
    schema: Schema | None = None,
    embedder: Embedder | None = None,
    progress: Progress | None = None,
) -> Manifest:
    """Change an index in one step that happens whole or not at all.

    Documents whose identifier the index knows take the place of the old ones, the others come after all that are
    there; those named in `delete` go. `compact` makes the statistics forget what was deleted. Documents are split by
    the index's own schema; `schema`: the same again, needed only where it is a function.
    """
    put = _documents(documents, progress) if documents is not None else ()
    return change(
        Path(into), put=put, delete=delete, compact=compact, schema=schema, embedder=embedder, progress=progress
    )


def _documents(documents: Documents | None, progress: Progress | None) -> Iterable[Indexed]:
    if documents is None:
        raise BadInput("there are no documents to index", remedy="Name a file of JSON lines or a BEIR folder.")
    if isinstance(documents, Collection):
        return OfCollection(documents)
    if not isinstance(documents, str | Path):
        return documents
    place = Path(documents)
    if corpus_file(place) or place.exists() or place.suffix or len(place.parts) > 1:
        return documents_at(place)
    return OfCollection(open_collection(str(documents), progress=progress, or_made=False))


def _schema(schema: str | Path | Schema, documents: Iterable[Indexed]) -> Schema | None:
    """The schema; one that is learned has looked at all documents once. None where no document follows it."""
    if schema == NONE:
        return None
    if not isinstance(schema, str | Path):
        return schema
    named = schema_from_file(Path(schema)) if Path(schema).suffix in _FILES else schema_named(str(schema))
    if not isinstance(named, LearnedSchema):
        return cast(Schema, named)
    learned = named.learn(document.record or {"text": document.text} for document in documents)
    return learned if learned.frames else None
