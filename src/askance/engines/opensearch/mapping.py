"""The body an index is made with: its analyzers, its mapping, its shards."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from askance.engines.opensearch.meta import Meta
from askance.engines.opensearch.text_fields import LINES, analysis_body, cut_by_client, properties_of, text_mapping
from askance.engines.settings import IndexSettings, Lookup

MOST_DIMENSIONS = 16_000
GRAPH = {"m": 16, "ef_construction": 128}


def index_body(
    meta: Meta,
    *,
    shards: int = 1,
    replicas: int = 0,
    further: Sequence[str] = (),
    dimension: int | None = None,
) -> Mapping[str, Any]:
    """Settings and mapping of a new index. `further`: text fields that its schema makes beside name and items;
    `dimension`: of its vectors, None without."""
    settings = meta.settings
    lookup = meta.vectors.lookup if meta.vectors is not None else "exact"
    return {
        "settings": {"index": _settings(settings, shards, replicas, dimension is not None and lookup == "approximate")},
        "mappings": {
            "dynamic": "strict",
            "_meta": meta.as_mapping(),
            "properties": properties(settings, further, dimension, lookup),
        },
    }


def properties(
    settings: IndexSettings, further: Sequence[str] = (), dimension: int | None = None, lookup: Lookup = "exact"
) -> Mapping[str, Any]:
    """The fields of a document."""
    by_client = cut_by_client(settings.analysis)
    keyword = {"type": "keyword"}
    found: dict[str, Any] = {
        "position": {"type": "long"},
        "text": text_mapping(by_client),
        "name": text_mapping(by_client),
        "items": text_mapping(by_client, settings.position_gap),
        "facts": {"type": "text", "analyzer": LINES, "position_increment_gap": settings.position_gap},
        "exact": keyword,
        "exact_in": keyword,
        "relation": keyword,
        "metadata": keyword,
        "more": {"type": "object", "dynamic": "strict", "properties": properties_of(further, by_client)},
        "record": {"type": "object", "enabled": False},
    }
    if dimension is not None:
        found["vector"] = vector_mapping(dimension, lookup)
    return found


def vector_mapping(dimension: int, lookup: Lookup) -> Mapping[str, Any]:
    """The field of vectors: compared one by one (exact), or in a graph of Lucene's. The engine is named: without a
    name a server takes one whose native library it may not have."""
    flat: dict[str, Any] = {"type": "knn_vector", "dimension": dimension}
    if lookup == "exact":
        return flat
    method = {"name": "hnsw", "engine": "lucene", "space_type": "cosinesimil", "parameters": GRAPH}
    return {**flat, "method": method}


def _settings(settings: IndexSettings, shards: int, replicas: int, graph: bool) -> Mapping[str, Any]:
    return {
        "number_of_shards": shards,
        "number_of_replicas": replicas,
        "refresh_interval": "-1",  # while it is loaded
        "knn": graph,
        "similarity": {"default": {"type": "BM25", "k1": settings.k1, "b": settings.b}},
        "analysis": analysis_body(settings.analysis),
    }
