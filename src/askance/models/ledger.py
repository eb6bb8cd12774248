"""The ledger: every call to a model, with how it ended, on disk before its result is used.

A call is begun (and is then in flight), made, and finished. A process that is killed in between leaves the call in
flight: it may have been paid for. A finished call that ended well answers the same request again without a new call.
"""

from __future__ import annotations

import sqlite3
import threading
import time
import weakref
import zlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from os import PathLike
from pathlib import Path
from types import TracebackType
from typing import Any

from askance.core.errors import FileProblem
from askance.core.outcome import Outcome

_VERSION = 1
_SCHEMA = """
CREATE TABLE call (
    number INTEGER PRIMARY KEY,
    kind TEXT NOT NULL,
    model TEXT NOT NULL,
    request_hash TEXT NOT NULL,
    started REAL NOT NULL,
    seconds REAL,
    outcome TEXT,
    detail TEXT NOT NULL DEFAULT '',
    input_tokens INTEGER,
    output_tokens INTEGER,
    response BLOB
);
CREATE INDEX call_by_request ON call (request_hash);
"""
_COLUMNS = "kind, model, request_hash, started, seconds, outcome, detail, input_tokens, output_tokens, response"


@dataclass(frozen=True, slots=True)
class Call:
    """One finished call. `kind`: embed, complete …; `started`: seconds since 1970; `seconds`: how long it took.

    `request_hash`: hex sha256 of everything that decides the answer (address, model, texts, parameters) and of nothing
    else. `detail`: why it did not end well. Tokens are None where the model did not say. `response`: bytes as received.
    """

    kind: str
    model: str
    request_hash: str
    started: float
    seconds: float
    outcome: Outcome
    detail: str = ""
    input_tokens: int | None = None
    output_tokens: int | None = None
    response: bytes | None = None


@dataclass(frozen=True, slots=True)
class InFlight:
    """A call that was begun and of which no end is known: it may have been paid for."""

    number: int
    kind: str
    model: str
    request_hash: str
    started: float


class Ledger:
    """Calls in one SQLite file; `Ledger(":memory:")` keeps them in this process only, and is the fake for tests.

    Safe to share between threads; several processes may write to one file. Close it, or use it in a `with` block.
    """

    def __init__(self, path: str | PathLike[str]) -> None:
        self.path = str(path)
        self._lock = threading.RLock()
        if self.path != ":memory:":
            Path(self.path).parent.mkdir(parents=True, exist_ok=True)
        with self._told():
            self._connection = sqlite3.connect(
                self.path, timeout=60, isolation_level=None, check_same_thread=False, cached_statements=32
            )
            weakref.finalize(self, self._connection.close)
            self._prepare()

    def _prepare(self) -> None:
        self._connection.execute("PRAGMA journal_mode = WAL")
        self._connection.execute("PRAGMA synchronous = FULL")
        self._connection.execute("BEGIN IMMEDIATE")
        try:
            (version,) = self._connection.execute("PRAGMA user_version").fetchone()
            (tables,) = self._connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
            if version == 0 and tables == 0:
                for statement in filter(str.strip, _SCHEMA.split(";")):
                    self._connection.execute(statement)
                self._connection.execute(f"PRAGMA user_version = {_VERSION}")
            elif version != _VERSION:
                raise FileProblem(
                    self.path,
                    f"is no ledger of version {_VERSION} (it says {version})",
                    remedy="Use the askance that wrote it, or name a new file.",
                )
        finally:
            self._connection.execute("COMMIT")

    @contextmanager
    def _told(self) -> Iterator[None]:
        """What SQLite refuses, as a message that says where."""
        try:
            yield
        except sqlite3.Error as problem:
            raise FileProblem(
                self.path,
                f"cannot be used as a ledger ({problem})",
                remedy="Name a file that askance wrote or a new one, on a disk with room, held by no other program.",
            ) from problem

    def _execute(self, statement: str, values: Sequence[Any] | Mapping[str, Any] = ()) -> sqlite3.Cursor:
        with self._lock, self._told():
            return self._connection.execute(statement, values)

    def begin(self, kind: str, model: str, request_hash: str) -> int:
        """Mark a call as in flight, before it is made; returns its number for `finish`."""
        made = self._execute(
            "INSERT INTO call (kind, model, request_hash, started) VALUES (?, ?, ?, ?)",
            (kind, model, request_hash, time.time()),
        )
        assert made.lastrowid is not None
        return made.lastrowid

    def finish(
        self,
        number: int,
        outcome: Outcome,
        *,
        seconds: float,
        detail: str = "",
        input_tokens: int | None = None,
        output_tokens: int | None = None,
        response: bytes | None = None,
    ) -> None:
        """Say how a begun call ended. On disk when this returns: only then use the result."""
        changed = self._execute(
            "UPDATE call SET seconds = ?, outcome = ?, detail = ?, input_tokens = ?, output_tokens = ?, "
            "response = ? WHERE number = ? AND outcome IS NULL",
            (seconds, outcome.value, detail, input_tokens, output_tokens, _packed(response), number),
        )
        if changed.rowcount != 1:
            raise ValueError(f"call {number} was never begun, or is finished already")

    def record(self, call: Call) -> int:
        """Add a call that is over already; returns its number."""
        values = {**asdict(call), "outcome": call.outcome.value, "response": _packed(call.response)}
        marks = ", ".join(f":{name}" for name in values)
        made = self._execute(f"INSERT INTO call ({', '.join(values)}) VALUES ({marks})", values)
        assert made.lastrowid is not None
        return made.lastrowid

    def find(self, request_hash: str, outcomes: tuple[Outcome, ...] = (Outcome.OK,)) -> Call | None:
        """The first call of this request that ended in one of `outcomes`; None where there is none."""
        marks = ", ".join("?" * len(outcomes))
        row = self._execute(
            f"SELECT {_COLUMNS} FROM call WHERE request_hash = ? AND outcome IN ({marks}) ORDER BY number LIMIT 1",
            (request_hash, *(outcome.value for outcome in outcomes)),
        ).fetchone()
        return None if row is None else _call(row)

    def calls(self) -> Iterator[Call]:
        """All finished calls, in the order they were begun; one at a time, since responses may be large."""
        following = (
            f"SELECT number, {_COLUMNS} FROM call WHERE number > ? AND outcome IS NOT NULL ORDER BY number LIMIT 1"
        )
        last = 0
        while (row := self._execute(following, (last,)).fetchone()) is not None:
            last = row[0]
            yield _call(row[1:])

    def in_flight(self) -> tuple[InFlight, ...]:
        """Calls without an end. Asked before any new call, these are what a killed process left: possibly paid."""
        rows = self._execute(
            "SELECT number, kind, model, request_hash, started FROM call WHERE outcome IS NULL ORDER BY number"
        ).fetchall()
        return tuple(InFlight(*row) for row in rows)

    def close(self) -> None:
        with self._lock:
            self._connection.close()

    def __enter__(self) -> Ledger:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def _packed(response: bytes | None) -> bytes | None:
    """Vectors as JSON shrink to less than half."""
    return None if response is None else zlib.compress(response)


def _call(row: tuple[Any, ...]) -> Call:
    kind, model, request_hash, started, seconds, outcome, detail, tokens_in, tokens_out, response = row
    return Call(
        kind,
        model,
        request_hash,
        started,
        seconds,
        Outcome(outcome),
        detail,
        tokens_in,
        tokens_out,
        None if response is None else zlib.decompress(response),
    )
