"""Many searches in few requests."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from askance.engines.opensearch.connection import Connection, encoded
from askance.engines.opensearch.problems import BadAnswer, Busy, NoSuchIndex, Partial, Rejected, reason_of

AT_ONCE = 100  # searches of one request
_CONCURRENT = 8  # searches of one request that the cluster works on together
MOST_BYTES = 5 << 20  # of its body; one search alone may be larger

_AGAIN = {429, 502, 503, 504}
_TOLD = "responses.error,responses.status,responses.timed_out,responses._shards.failed,responses._shards.failures"

_REMEDY = "A part of the index is lost or overloaded: look at GET /_cluster/health, and ask again when it is whole."


def search_many(
    connection: Connection,
    index: str,
    bodies: Sequence[Mapping[str, Any]],
    *,
    parameters: Mapping[str, str] | None = None,
    filter_path: str | None = None,
) -> list[Mapping[str, Any]]:
    """The answers to many search bodies, in order. `parameters`: of each search; `filter_path`: what of the answers is
    needed, comma-separated.

    Searches that come back 429, 502, 503 or 504 are asked again, they alone. NoSuchIndex; Rejected naming the search;
    Partial where a shard did not answer or not in time: an answer is whole or none.
    """
    header = encoded({"index": index, "allow_partial_search_results": False, **(parameters or {})})
    told = {}
    if filter_path is not None:
        told["filter_path"] = ",".join([_TOLD, *(f"responses.{path}" for path in filter_path.split(","))])
    answers: dict[int, Mapping[str, Any]] = {}
    for block in _blocks([encoded(body) for body in bodies]):
        answers.update(_answered(connection, index, header, block, told))
    return [answers[at] for at in range(len(bodies))]


def _answered(
    connection: Connection, index: str, header: bytes, block: Mapping[int, bytes], told: Mapping[str, str]
) -> dict[int, Mapping[str, Any]]:
    """The answers of one block. Once the cluster is too busy for some of them it works on one at a time; it is given
    up when, again and again, it answers none."""
    answers: dict[int, Mapping[str, Any]] = {}
    at_once, rounds, in_vain, left = _CONCURRENT, 0, 0, dict(block)
    while left:
        got = _asked(connection, header, left, {**told, "max_concurrent_searches": str(at_once)})
        busy = {at for at, answer in got.items() if _status(answer) in _AGAIN}
        in_vain = in_vain + 1 if len(busy) == len(left) else 1
        for at, answer in got.items():
            if at not in busy or in_vain >= connection.waits.tries:
                answers[at] = _whole(index, at, answer)
        left = {at: left[at] for at in left if at in busy}
        if left:
            at_once, rounds = 1, rounds + 1
            connection.waits.wait(rounds)
    return answers


def _asked(
    connection: Connection, header: bytes, left: Mapping[int, bytes], told: Mapping[str, str]
) -> dict[int, Mapping[str, Any]]:
    payload = b"".join(b"%s\n%s\n" % (header, body) for body in left.values())
    answer = connection.send("POST", "/_msearch", payload, parameters=told)
    found = answer.get("responses") if isinstance(answer, Mapping) else None
    if not isinstance(found, list) or len(found) != len(left) or not all(isinstance(one, Mapping) for one in found):
        told_of = len(found) if isinstance(found, list) else "no"
        raise BadAnswer(
            f"{connection.address.shown}: {told_of} answers to {len(left)} searches",
            remedy="Is there something between here and the cluster that answers in its place?",
        )
    return dict(zip(left, found, strict=True))


def _status(answer: Mapping[str, Any]) -> int:
    return int(answer.get("status", 200)) if "error" in answer else 200


def _whole(index: str, at: int, answer: Mapping[str, Any]) -> Mapping[str, Any]:
    """The answer; an error where it is one, or lacks a part."""
    if "error" in answer:
        status = _status(answer)
        kind, reason = reason_of(answer["error"])
        if status == 404 or kind == "index_not_found_exception":
            raise NoSuchIndex(f"there is no index {index!r}", remedy="Was it replaced? Open it again.")
        if kind == "search_phase_execution_exception" and status >= 500:
            raise Partial(f"{index}: search {at + 1}: {status} {kind}: {reason}", remedy=_REMEDY)
        if status in _AGAIN:
            raise Busy(f"{index}: search {at + 1}: {status} {kind}: {reason}", remedy=_REMEDY)
        raise Rejected(f"{index}: search {at + 1}: {status} {kind}: {reason}", status=status, kind=kind)
    shards = answer.get("_shards", {})
    if shards.get("failed"):
        causes = [failure.get("reason") for failure in shards.get("failures", ())]
        _, reason = reason_of(causes[0]) if causes else ("", "")
        raise Partial(f"{index}: search {at + 1}: {shards['failed']} shards did not answer: {reason}", remedy=_REMEDY)
    if answer.get("timed_out"):
        raise Partial(f"{index}: search {at + 1}: not all shards answered in time", remedy=_REMEDY)
    return answer


def _blocks(bodies: Sequence[bytes]) -> Iterator[dict[int, bytes]]:
    block: dict[int, bytes] = {}
    size = 0
    for at, body in enumerate(bodies):
        if block and (len(block) >= AT_ONCE or size + len(body) > MOST_BYTES):
            yield block
            block, size = {}, 0
        block[at] = body
        size += len(body)
    if block:
        yield block
