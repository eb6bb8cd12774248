"""The embedded engine as one of several: an index is a folder."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from askance.core.progress import Progress
from askance.data.fields.schema import Schema
from askance.engines.embedded.engine import EmbeddedEngine, build, change
from askance.engines.embedded.manifest import MANIFEST, Manifest
from askance.engines.held import IndexHeld
from askance.engines.settings import Indexed, IndexSettings

if TYPE_CHECKING:
    from askance.models.embedder import Embedder


class Embedded:
    """What the registry holds."""

    @classmethod
    def open(cls, place: str, embedder: Embedder | None = None) -> EmbeddedEngine:
        return EmbeddedEngine.open(folder(place), embedder)

    @classmethod
    def stands(cls, place: str) -> bool:
        return (folder(place) / MANIFEST).exists()

    @classmethod
    def build(
        cls,
        documents: Iterable[Indexed],
        place: str,
        *,
        schema: Schema | None = None,
        settings: IndexSettings | None = None,
        embedder: Embedder | None = None,
        replace: bool = False,
        progress: Progress | None = None,
    ) -> IndexHeld:
        into = folder(place)
        made = build(
            documents, into, schema=schema, settings=settings, embedder=embedder, replace=replace, progress=progress
        )
        return held(made, into)

    @classmethod
    def change(
        cls,
        place: str,
        *,
        put: Iterable[Indexed] = (),
        delete: Sequence[str] = (),
        compact: bool = False,
        schema: Schema | None = None,
        embedder: Embedder | None = None,
        progress: Progress | None = None,
    ) -> IndexHeld:
        into = folder(place)
        made = change(
            into, put=put, delete=delete, compact=compact, schema=schema, embedder=embedder, progress=progress
        )
        return held(made, into)


def folder(place: str) -> Path:
    """The folder of embedded://FOLDER, or FOLDER."""
    return Path(place.removeprefix("embedded://"))


def held(made: Manifest, place: Path) -> IndexHeld:
    """What the manifest of an index says."""
    return IndexHeld(
        place=str(place),
        engine="embedded",
        settings=made.settings,
        splits=made.splits,
        counts=made.counts,
        fields={name: made.fields[name].documents for name in made.text_fields},
        deleted=made.deleted,
        superseded=made.superseded,
    )
