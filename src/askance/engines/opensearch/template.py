"""An index template: what a cluster makes indexes of a name with, for whoever loads documents by another way than ours.

PUT /_index_template/NAME takes it as it is. An index made by it is searched by the bodies that `askance search --body`
prints; its documents are those that `documents.Packing` makes. askance itself opens what askance built: there all
documents were counted.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from askance.engines.opensearch.mapping import index_body
from askance.engines.opensearch.meta import Meta

PRIORITY = 200  # above the server's own templates, which have 100 at most


def index_template(
    meta: Meta,
    pattern: str,
    *,
    further: Sequence[str] = (),
    dimension: int | None = None,
    shards: int = 1,
    replicas: int = 0,
) -> Mapping[str, Any]:
    """The template of indexes whose name fits `pattern` (`*` stands for anything), made as `meta` says.

    `further`: text fields that the schema makes beside name and items; `dimension`: of its vectors, None without. New
    documents are seen after a second, as the server has it unless told.
    """
    body = index_body(meta, shards=shards, replicas=replicas, further=further, dimension=dimension)
    settings = {name: value for name, value in body["settings"]["index"].items() if name != "refresh_interval"}
    return {
        "index_patterns": [pattern],
        "priority": PRIORITY,
        "template": {"settings": {"index": settings}, "mappings": body["mappings"]},
    }
