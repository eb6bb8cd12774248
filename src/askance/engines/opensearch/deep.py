"""Lists longer than a server gives at once: page by page, through a point in time, so that nothing moves meanwhile.

A point in time lives on nodes, and is gone when one of them is. An index of askance does not change after it answers
(changes make another one), so that another point in time goes on behind the last hit: none is lost, none comes twice.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import Any

from askance.core.errors import AskanceError
from askance.engines.opensearch.connection import Connection
from askance.engines.opensearch.problems import Busy, Partial, Rejected

PAGE = 5000

_KEPT = "2m"  # how long the server keeps the point in time after each page
_LOST = {"search_context_missing_exception", "search_phase_execution_exception", "no_shard_available_action_exception"}
_POINT = {"keep_alive": _KEPT, "allow_partial_pit_creation": "false"}  # lists through a part would be short in silence
_WHOLE = {"allow_partial_search_results": "false"}


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
    reader = _Reader(connection, index, {**_WHOLE, **(parameters or {})})
    try:
        given, after = 0, None
        while limit is None or given < limit:
            size = page if limit is None else min(page, limit - given)
            asked = {**body, "size": size, "track_total_hits": False}
            if after is not None:
                asked["search_after"] = after
            found = reader.page(asked)
            yield from found
            given += len(found)
            if len(found) < size:
                return
            after = found[-1]["sort"]
    finally:
        reader.close()


class _Reader:
    """Pages of one index, over one point in time after another where they are lost."""

    def __init__(self, connection: Connection, index: str, parameters: Mapping[str, str]) -> None:
        self._connection, self._index, self._parameters = connection, index, parameters
        self._point: str | None = None

    def page(self, asked: Mapping[str, Any]) -> list[Mapping[str, Any]]:
        waits, failed = self._connection.waits, 0
        while True:
            try:
                return self._page(asked)
            except (Partial, Busy, Rejected) as problem:
                failed += 1
                lost = not isinstance(problem, Rejected) or problem.kind in _LOST
                if not lost or failed >= waits.tries:
                    raise
                self.close()
                waits.wait(failed)

    def close(self) -> None:
        """Give the point in time back; where that cannot be done it runs out by itself."""
        if self._point is not None:
            with suppress(AskanceError):
                self._connection.send("DELETE", "/_search/point_in_time", {"pit_id": [self._point]}, repeatable=False)
        self._point = None

    def _page(self, asked: Mapping[str, Any]) -> list[Mapping[str, Any]]:
        if self._point is None:
            path = f"/{self._index}/_search/point_in_time"
            self._point = self._connection.send("POST", path, parameters=_POINT)["pit_id"]
        body = {**asked, "pit": {"id": self._point, "keep_alive": _KEPT}}
        answer = self._connection.send("POST", "/_search", body, parameters=self._parameters)
        found: list[Mapping[str, Any]] = answer["hits"]["hits"]
        return found
