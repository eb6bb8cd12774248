"""Make an index of documents, and change it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal, cast

from askance.app.embedders import embedder_told
from askance.core.errors import BadInput, FileProblem, UnknownName
from askance.core.progress import Progress
from askance.data.collection import Collection
from askance.data.fields.fitting import learned_where_it_fits
from askance.data.fields.kinds import schema_from_file, schema_named
from askance.data.fields.learned import LearnedSchema
from askance.data.fields.schema import NeedsDocuments, Schema
from askance.engines.held import IndexHeld
from askance.engines.registry import EngineKind, engine_kind
from askance.engines.settings import Analysis, Indexed, IndexSettings, Lookup, Precision, VectorSettings
from askance.engines.sources import JsonLines, OfCollection, corpus_file, documents_at
from askance.study.collections import open_collection

if TYPE_CHECKING:
    from askance.models.embedder import Embedder

LEARNED, NONE = "learned", "none"
_FILES = (".toml", ".json")

Documents = str | Path | Collection | Iterable[Indexed]


@dataclass(frozen=True)
class IndexMade:
    """An index as it now is. `notes`: what the reader should know of how it was made, a sentence each."""

    held: IndexHeld
    notes: tuple[str, ...] = ()


def index(
    documents: Documents | None,
    into: str | Path,
    *,
    schema: str | Path | Schema = LEARNED,
    settings: IndexSettings | None = None,
    embedder: Embedder | None = None,
    replace: bool = False,
    progress: Progress | None = None,
) -> IndexMade:
    """Build an index of `documents`, whole or not at all: in the folder `into`, or at opensearch://HOST/INDEX.

    `documents`: a file of JSON lines, a BEIR folder, the name of a public collection, or what is in memory.
    `schema`: "learned" from the documents, and used where it splits half of them or more; "none"; a schema file; a
    function as "package.module:function"; or a schema. `embedder`: of knn clauses, where `settings` names none.
    FileProblem where `into` holds an index already, unless `replace`, which lets the old one stand until the new one
    does.
    """
    kind, place = engine_kind(into), str(into)
    if not replace:
        _refuse_an_index(kind, place)
    taken = documents_told(documents, progress)
    splitter, notes = schema_told(schema, taken)
    made = kind.build(
        taken,
        place,
        schema=splitter,
        settings=settings or IndexSettings(),
        embedder=embedder,
        replace=replace,
        progress=progress,
    )
    return IndexMade(made, (*notes, *_passed_over(taken), *made.notes))


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
    """How an index is made, from plain words.

    `model`: a name of models.registry, with its usual settings, or a TOML file with `embedder` and its settings.
    UnknownName for a model or stemmer that is not there.
    """
    vectors = None
    if model is not None:
        name, told = embedder_told(model)
        vectors = VectorSettings(embedder=name, settings=told, precision=precision, lookup=lookup)
    elif (precision, lookup) != ("float32", "exact"):
        raise BadInput(
            "precision and lookup are of vectors, and no model is named", remedy="Name one with --model, or leave them."
        )
    analysis = Analysis(stemmer=stemmer, fold_apostrophes=fold_apostrophes, normalize=normalize)
    return IndexSettings(analysis=analysis, scale=scale, vectors=vectors)


def change_index(
    into: str | Path,
    documents: Documents | None = None,
    *,
    delete: Sequence[str] = (),
    compact: bool = False,
    schema: str | Schema | None = None,
    embedder: Embedder | None = None,
    progress: Progress | None = None,
) -> IndexMade:
    """Change an index in one step that happens whole or not at all.

    Documents whose identifier the index knows take the place of the old ones, the others come after all that are
    there; those named in `delete` go. `compact` makes the statistics forget what was deleted. Documents are split by
    the index's own schema; `schema`: the same again, needed only where it is a function.
    """
    if documents is None and not delete and not compact:
        raise BadInput(
            "there is nothing to change", remedy="Name documents to put into the index, or some to --delete."
        )
    put = documents_told(documents, progress) if documents is not None else ()
    again = cast("Schema", schema_named(schema)) if isinstance(schema, str) else schema
    made = engine_kind(into).change(
        str(into), put=put, delete=delete, compact=compact, schema=again, embedder=embedder, progress=progress
    )
    return IndexMade(made, (*_passed_over(put), *made.notes))


def refuse_options(given: Sequence[str], *, update: bool, documents: object, schema: str) -> None:
    """BadInput where what was given does not go with a change of an index that is there.

    `given`: names of options that were told; all but the function that is its schema are of a new index.
    """
    wrong = [name for name in given if name != "schema" or ":" not in schema]
    if wrong:
        listed = ", ".join(f"--{name.replace('_', '-')}" for name in wrong)
        raise BadInput(
            f"{listed}: an index keeps what it was built with",
            remedy="Leave it out, or build the index again with --replace.",
        )
    if update and documents is None:
        raise BadInput("there are no documents to put into the index", remedy="Name a file of JSON lines.")
    if documents is not None and not update:
        raise BadInput("documents are given, and an index is to be changed", remedy="Add --update to put them into it.")


def documents_told(documents: Documents | None, progress: Progress | None) -> Iterable[Indexed]:
    """The documents that are named. BadInput where none are."""
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


def _refuse_an_index(kind: EngineKind, place: str) -> None:
    """Before documents are read, which may take long."""
    if kind.stands(place):
        remedy = "Choose another place, or add --replace: the old one answers until the new one stands."
        raise FileProblem(place, "is an index already", remedy=remedy)


def schema_told(schema: str | Path | Schema, documents: Iterable[Indexed]) -> tuple[Schema | None, tuple[str, ...]]:
    """The schema, and what to say of it; one that is learned looks at all documents once."""
    if schema == NONE:
        return None, ()
    if not isinstance(schema, str | Path):
        return schema, ()
    named = _named(str(schema))
    if not isinstance(named, LearnedSchema):
        return cast("Schema", named), ()
    found = learned_where_it_fits(named, (document.record or {"text": document.text} for document in documents))
    if found.schema is None:
        return None, (
            "The documents are not split into name, relation and items: no sentence around lists of recurring items "
            "was found that half of them follow. Their text is searched. A schema file can say how to split them.",
        )
    return found.schema, tuple(f"The schema is learned, and in doubt: {doubt}." for doubt in found.doubts)


def _named(told: str) -> Schema | NeedsDocuments:
    if told.endswith(_FILES):
        return schema_from_file(Path(told))
    try:
        return schema_named(told)
    except UnknownName as error:
        remedy = "Give learned, none, a file SCHEMA.toml or SCHEMA.json, or a function as package.module:function."
        raise BadInput(error.message, remedy=remedy) from None


def _passed_over(documents: Iterable[Indexed]) -> tuple[str, ...]:
    """What of the documents no filter can ask for."""
    if not isinstance(documents, JsonLines) or not documents.passed_over:
        return ()
    listed = ", ".join(f"{key!r} ({number:,})" for key, number in documents.passed_over.most_common(8))
    return (f"No filter asks for keys that hold lists, objects or null: {listed}, by how many documents have them.",)
