"""Fusion done by the server: a `hybrid` query with a pipeline that normalises and combines, for whoever wants it there.

By default lists are fused here, by engines/fusion.py: the same on every server, to any depth, explained. The server's
plugin (neural-search) does it in one request, from version 2.11 on (minmax) and 2.19 on (rrf); it takes five lists at
most, cuts each at the depth in every shard, and breaks ties its own way.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from askance.core.errors import BadInput
from askance.engines.fusion import checked_weights
from askance.engines.opensearch.compiling import Body
from askance.engines.opensearch.problems import Rejected
from askance.irl.nodes import Fuse, Node

MOST_LISTS = 5
FIRST = {"minmax": (2, 11), "rrf": (2, 19)}
DEPTH_FROM = (2, 19)  # since when the depth of the lists can be told
WEIGHTS_OF_RRF_FROM = (3, 1)
MOST_K = 10_000

_UNKNOWN = ("[hybrid]", "[score-ranker-processor]", "[normalization-processor]")


def fused_body(node: Fuse, lists: Sequence[Body], limit: int, version: tuple[int, int]) -> Mapping[str, Any]:
    """The whole search body of a fusion over compiled lists. BadInput, saying why, where a server of this version
    cannot do it."""
    _check(node, version)
    weights = checked_weights(node.weights, len(node.parts))
    hybrid: dict[str, Any] = {"queries": list(lists)}
    if version >= DEPTH_FROM:
        hybrid["pagination_depth"] = node.depth
    return {
        "query": {"hybrid": hybrid},
        "size": limit,
        "track_total_hits": True,
        "_source": False,
        "docvalue_fields": ["position"],
        "search_pipeline": {"phase_results_processors": [_processor(node, weights)]},
    }


def named(problem: Rejected) -> Rejected:
    """The same problem; where the server knows no `hybrid` query, or no such step of a pipeline, with what it lacks."""
    if not any(told in problem.message for told in _UNKNOWN):
        return problem
    return Rejected(
        f"{problem.message}: fusion=server needs the server's plugin neural-search, which it has not, or not this new",
        status=problem.status,
        kind=problem.kind,
        remedy="Install it: opensearch-plugin install opensearch-neural-search; or leave out fusion=server.",
    )


def _processor(node: Fuse, weights: Sequence[float]) -> Mapping[str, Any]:
    total = math.fsum(weights)
    shares = [weight / total for weight in weights]  # the server wants them to sum to 1
    combination: dict[str, Any]
    if node.kind == "rrf":
        combination = {"technique": "rrf", "rank_constant": int(node.k)}
        if len(set(weights)) > 1:
            combination["parameters"] = {"weights": shares}
        return {"score-ranker-processor": {"combination": combination}}
    combination = {"technique": "arithmetic_mean", "parameters": {"weights": shares}}
    return {"normalization-processor": {"normalization": {"technique": "min_max"}, "combination": combination}}


def _check(node: Fuse, version: tuple[int, int]) -> None:
    if node.kind not in FIRST:
        raise _cannot(f"it does not add scores up ({node.kind})", "Ask for rrf or minmax")
    if version < FIRST[node.kind]:
        since = ".".join(map(str, FIRST[node.kind]))
        raise _cannot(f"{node.kind} is there from version {since} on", "Use a newer server")
    if len(node.parts) > MOST_LISTS:
        raise _cannot(f"it takes up to {MOST_LISTS} lists, not {len(node.parts)}", "Ask for fewer")
    if any(_holds_fusion(part) for part in node.parts):
        raise _cannot("a fusion stands inside another", "Take it apart")
    if node.min_score is not None:
        raise _cannot("a least score after fusion is its own matter", "Leave :min-score out")
    if node.kind == "rrf" and not (node.k == int(node.k) and 1 <= node.k <= MOST_K):
        raise _cannot(f"k is {node.k:g}; it takes whole numbers from 1 to {MOST_K:,}", "Choose another k")
    if node.kind == "rrf" and len(set(node.weights)) > 1 and version < WEIGHTS_OF_RRF_FROM:
        raise _cannot("rrf has weights from version 3.1 on", "Leave the weights out")


def _holds_fusion(node: Node) -> bool:
    return any(isinstance(part, Fuse) for part in node.walk())


def _cannot(why: str, instead: str) -> BadInput:
    remedy = f"{instead}, or leave out fusion=server: lists are fused here then."
    return BadInput(f"the server cannot fuse this: {why}", remedy=remedy)
