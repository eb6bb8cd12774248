"""Many documents sent to an index: in requests of bounded size, each document until it is taken or refused."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from askance.core.errors import DataProblem
from askance.engines.opensearch.connection import Connection, encoded
from askance.engines.opensearch.problems import BadAnswer, FailedItem, reason_of

_AGAIN = {429, 502, 503, 504}
_MOST_FAILED = 1000  # failures that are kept with their reasons; a load that has more is stopped


@dataclass(frozen=True)
class Action:
    """What is to be done with one document: `index` puts it in the place of one with its identifier, if any."""

    kind: Literal["index", "delete"]
    id: str
    document: Mapping[str, Any] | bytes | None = None


@dataclass(frozen=True)
class Loaded:
    """What became of a load. `sent`: documents; `done`: of them taken; `retried`: how often one was sent again.

    A load stops early when `failed` holds 1,000: `stopped`.
    """

    sent: int
    done: int
    failed: tuple[FailedItem, ...]
    retried: int = 0
    stopped: bool = False


@dataclass(frozen=True)
class Limits:
    """How large one request may be: documents, and bytes of its body. One document alone may be larger."""

    documents: int = 1000
    bytes: int = 5 << 20


@dataclass(frozen=True)
class _Line:
    action: Action
    body: bytes


def load(connection: Connection, index: str, actions: Iterable[Action], *, limits: Limits | None = None) -> Loaded:
    """Send them all, in order. Documents that come back 429, 502, 503 or 504 are sent again, they alone, after waiting;
    others that come back are failures. A request that is cut off is sent again whole: a document with the same
    identifier takes its own place, so nothing is doubled.

    DataProblem, naming the document, where one cannot be written as JSON. ClusterProblem where the cluster is lost.
    """
    run = _Loading(connection, index)
    for chunk in _chunks(actions, limits or Limits()):
        run.send(chunk)
        if len(run.failed) >= _MOST_FAILED:
            return run.loaded(stopped=True)
    return run.loaded()


class _Loading:
    def __init__(self, connection: Connection, index: str) -> None:
        self._connection, self._index = connection, index
        self._sent = self._done = self._retried = 0
        self.failed: list[FailedItem] = []

    def send(self, chunk: list[_Line]) -> None:
        self._sent += len(chunk)
        waits, rounds, in_vain = self._connection.waits, 0, 0
        while chunk:
            left = self._once(chunk, last=in_vain + 1 >= waits.tries)
            if left:
                rounds += 1
                in_vain = in_vain + 1 if len(left) == len(chunk) else 1  # given up when none is taken, again and again
                self._retried += len(left)
                waits.wait(rounds)
            chunk = left

    def loaded(self, stopped: bool = False) -> Loaded:
        return Loaded(self._sent, self._done, tuple(self.failed), self._retried, stopped)

    def _once(self, chunk: list[_Line], last: bool) -> list[_Line]:
        """Send once; those that are to be sent again."""
        payload = b"".join(line.body for line in chunk)
        answer = self._connection.send("POST", f"/{self._index}/_bulk", payload, parameters=_ANSWERED)
        again = []
        for line, (status, error) in zip(chunk, self._told(answer, len(chunk)), strict=True):
            if status < 300 or (line.action.kind == "delete" and status == 404):
                self._done += 1
            elif status in _AGAIN and not last:
                again.append(line)
            else:
                _, reason = reason_of(error)
                self.failed.append(FailedItem(line.action.id, status, reason))
        return again

    def _told(self, answer: Any, count: int) -> list[tuple[int, Any]]:
        """Status and error of each document: an answer that does not name them all proves nothing."""
        items = answer.get("items") if isinstance(answer, Mapping) else None
        told = len(items) if isinstance(items, list) else "no"
        if isinstance(items, list) and len(items) == count:
            try:
                results = [next(iter(item.values())) for item in items]
                return [(int(result["status"]), result.get("error")) for result in results]
            except (AttributeError, KeyError, StopIteration, TypeError, ValueError):
                told = "unreadable"
        raise BadAnswer(
            f"{self._connection.address.shown}: {told} answers to {count} documents",
            remedy="Is there something between here and the cluster that answers in its place?",
        )


_ANSWERED = {"filter_path": "errors,items.*.status,items.*.error"}


def _chunks(actions: Iterable[Action], limits: Limits) -> Iterator[list[_Line]]:
    chunk: list[_Line] = []
    size = 0
    for action in actions:
        line = _Line(action, _written(action))
        if chunk and (len(chunk) >= limits.documents or size + len(line.body) > limits.bytes):
            yield chunk
            chunk, size = [], 0
        chunk.append(line)
        size += len(line.body)
    if chunk:
        yield chunk


def _written(action: Action) -> bytes:
    try:
        told = encoded({action.kind: {"_id": action.id}})
        if action.document is None:
            return told + b"\n"
        document = action.document if isinstance(action.document, bytes) else encoded(action.document)
    except UnicodeEncodeError as problem:
        raise DataProblem(
            f"document {action.id!r} holds half a character (a lone surrogate): {problem.object[:60]!r}",
            remedy="Was the file cut inside a character, or written by a broken program? Repair the text.",
        ) from None
    except ValueError as problem:
        raise DataProblem(f"document {action.id!r} cannot be written as JSON: {problem}") from None
    return b"%s\n%s\n" % (told, document)
