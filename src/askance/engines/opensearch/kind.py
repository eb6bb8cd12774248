"""OpenSearch as one of several engines: an index is opensearch://HOST/INDEX."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from askance.core.progress import Progress
from askance.data.fields.schema import Schema
from askance.engines.held import IndexHeld
from askance.engines.opensearch import aliases
from askance.engines.opensearch.address import address_of
from askance.engines.opensearch.building import build
from askance.engines.opensearch.connection import Connection
from askance.engines.opensearch.engine import OpenSearchEngine
from askance.engines.opensearch.updating import change
from askance.engines.settings import Indexed, IndexSettings

if TYPE_CHECKING:
    from askance.models.embedder import Embedder


class OnOpenSearch:
    """What the registry holds."""

    @classmethod
    def open(cls, place: str, embedder: Embedder | None = None) -> OpenSearchEngine:
        return OpenSearchEngine.open(place, embedder)

    @classmethod
    def stands(cls, place: str) -> bool:
        address = address_of(place)
        with Connection.open(address) as connection:
            return aliases.behind(connection, address.index) is not None

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
        build(documents, place, schema=schema, settings=settings, embedder=embedder, replace=replace, progress=progress)
        return _held(place)

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
        change(place, put=put, delete=delete, compact=compact, schema=schema, embedder=embedder, progress=progress)
        return _held(place)


def _held(place: str) -> IndexHeld:
    """What an index on a cluster says of itself."""
    engine = OpenSearchEngine.open(place)
    try:
        return IndexHeld(
            place=engine.address.shown,
            engine="opensearch",
            settings=engine.meta.settings,
            splits=engine.meta.splits,
            counts=engine.meta.counts,
            fields=engine.holding(),
            deleted=engine.meta.deleted,
            superseded=engine.meta.superseded,
            notes=(*engine.vector_notes, *engine.shard_notes, *engine.left_over_notes()),
        )
    finally:
        engine.close()
