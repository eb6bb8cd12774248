"""Lists longer than a server gives at once: page by page, through a point in time, so that nothing moves meanwhile."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import Any

from askance.core.errors import AskanceError
from askance.engines.opensearch.connection import Connection
from askance.engines.opensearch.problems import Partial

PAGE = 5000

_KEPT = "2m"  # how long the server keeps the point in time after each page


def hits(
    connection: Connection,
    index: str,
    body: Mapping[str, Any],
    limit: int | None = None,
    *,
    parameters: Mapping[str, str] | None = None,
    page: int = PAGE,
) -> Iterator[Mapping[str, Any]]:
    """The first `limit` hits of a search (None: all), as it was when it began. `body` has a sort that no two share.

    The point in time is given back at the end, also where the reader stops early.
    """
    opened = connection.send("POST", f"/{index}/_search/point_in_time", parameters={"keep_alive": _KEPT})
    point = opened["pit_id"]
    try:
        given, after = 0, None
        while limit is None or given < limit:
            size = page if limit is None else min(page, limit - given)
            asked = {**body, "size": size, "pit": {"id": point, "keep_alive": _KEPT}, "track_total_hits": False}
            if after is not None:
                asked["search_after"] = after
            answer = connection.send(
                "POST", "/_search", asked, parameters={**(parameters or {}), "allow_partial_search_results": "false"}
            )
            if answer.get("timed_out") or answer.get("_shards", {}).get("failed"):
                raise Partial(f"{index}: not all shards answered", remedy="Ask again when the cluster is whole.")
            found = answer["hits"]["hits"]
            yield from found
            given += len(found)
            if len(found) < size:
                return
            after = found[-1]["sort"]
    finally:
        with suppress(AskanceError):  # it runs out by itself
            connection.send("DELETE", "/_search/point_in_time", {"pit_id": [point]})
