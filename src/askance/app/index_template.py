"""The template that a cluster would make an index of documents with."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from askance.app.index import LEARNED, Documents, documents_told, schema_told
from askance.core.errors import BadInput
from askance.core.files import write_whole
from askance.core.progress import Progress
from askance.data.fields.schema import Fields, Schema
from askance.engines.registry import engine_name
from askance.engines.settings import Indexed, IndexSettings


def index_template(
    documents: Documents | None,
    into: str,
    *,
    schema: str | Path | Schema = LEARNED,
    settings: IndexSettings | None = None,
    progress: Progress | None = None,
) -> Mapping[str, Any]:
    """The body of PUT /_index_template/NAME for indexes called INDEX-*, where `into` is opensearch://HOST/INDEX.

    Nothing is sent to the cluster; its shards and replicas are those that `into` names. All documents are split, since
    the template declares every text field that the schema makes of them. BadInput where `into` is a folder.
    """
    if engine_name(into) != "opensearch":
        raise BadInput(
            f"{into}: a template is of an index on OpenSearch", remedy="Name one: --into opensearch://HOST/INDEX"
        )
    from askance.engines.opensearch.address import address_of
    from askance.engines.opensearch.building import Embedding
    from askance.engines.opensearch.meta import Meta
    from askance.engines.opensearch.template import index_template

    address = address_of(into)
    chosen = settings or IndexSettings()
    taken = documents_told(documents, progress)
    splitter, _ = schema_told(schema, taken)
    embedding = Embedding.of(chosen, None, None, progress)
    meta = Meta(settings=chosen, schema=dict(splitter.described()) if splitter else None, vectors=embedding.about)
    return index_template(
        meta,
        f"{address.index}-*",
        further=_further(splitter, taken) if splitter else (),
        dimension=embedding.dimension,
        shards=address.shards,
        replicas=address.replicas,
    )


def write_template(
    path: Path,
    documents: Documents | None,
    into: str,
    *,
    schema: str = LEARNED,
    settings: IndexSettings | None = None,
    progress: Progress | None = None,
) -> None:
    """Write it as a file of JSON, whole or not at all."""
    made = index_template(documents, into, schema=schema, settings=settings, progress=progress)
    write_whole(path, json.dumps(made, ensure_ascii=False, indent=2) + "\n")


def _further(schema: Schema, documents: Iterable[Indexed]) -> list[str]:
    """The text fields that a schema makes, beside name and items."""
    found: set[str] = set()
    for document in documents:
        made = schema.split(document.record or {"text": document.text})
        if isinstance(made, Fields):
            found.update(made.texts)
    return sorted(found)
