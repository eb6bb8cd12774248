"""What the graph of near documents finds, measured against comparing all vectors."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from askance.engines.opensearch.compiling import nearest_by_graph, nearest_exactly
from askance.engines.opensearch.connection import Connection
from askance.engines.opensearch.many import search_many
from askance.engines.opensearch.meta import GraphRecall
from askance.engines.opensearch.running import search_body

ASKED = 200
DEPTHS = (10, 100)

_AT_ONCE = 20


def measured(connection: Connection, index: str) -> tuple[GraphRecall, ...]:
    """Recall of the graph at each of DEPTHS, of up to ASKED of the documents' own vectors, evenly spread.

    A document is not counted as an answer to itself.
    """
    asked = _questions(connection, index)
    shares: dict[int, list[float]] = {depth: [] for depth in DEPTHS}
    for start in range(0, len(asked), _AT_ONCE):
        block = asked[start : start + _AT_ONCE]
        for depth in DEPTHS:
            bodies = []
            for _, vector in block:
                bodies.append(search_body(nearest_by_graph(vector, depth + 1), depth + 1))
                bodies.append(search_body(nearest_exactly(vector, ()), depth + 1))
            answers = [_names(answer) for answer in search_many(connection, index, bodies)]
            for (name, _), found, exact in zip(block, answers[::2], answers[1::2], strict=True):
                others = [other for other in exact if other != name][:depth]
                if others:
                    shares[depth].append(len(set(found).intersection(others)) / len(others))
    return tuple(_recall(depth, share) for depth, share in shares.items() if share)


def _questions(connection: Connection, index: str) -> list[tuple[str, list[float]]]:
    """Some documents with their vectors, the same ones each time."""
    held = {"query": {"exists": {"field": "vector"}}}
    total = int(connection.send("POST", f"/{index}/_count", held)["count"])
    if not total:
        return []
    last = connection.send(
        "POST", f"/{index}/_search", {**held, "size": 1, "sort": [{"position": "desc"}], "_source": False}
    )["hits"]["hits"][0]["sort"][0]
    bodies = [
        {
            "query": {"bool": {"filter": [{"exists": {"field": "vector"}}, {"range": {"position": {"gte": place}}}]}},
            "size": 1,
            "sort": [{"position": "asc"}],
            "_source": ["vector"],
        }
        for place in np.unique(np.linspace(0, last, min(ASKED, total)).astype(np.int64)).tolist()
    ]
    found: dict[str, list[float]] = {}
    for answer in search_many(connection, index, bodies):
        for hit in answer["hits"]["hits"]:
            found[hit["_id"]] = hit["_source"]["vector"]
    return list(found.items())


def _names(answer: Any) -> list[str]:
    return [hit["_id"] for hit in answer["hits"]["hits"]]


def _recall(depth: int, shares: Sequence[float]) -> GraphRecall:
    spread = float(np.std(shares, ddof=1)) if len(shares) > 1 else 0.0
    within = 1.96 * spread / math.sqrt(len(shares))
    return GraphRecall(depth=depth, mean=float(np.mean(shares)), within=within, questions=len(shares))
