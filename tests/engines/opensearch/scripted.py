"""A server that answers by a list of steps and remembers what it was asked: for faults that no node shows at will.

    with Scripted(json_step({"ok": True}), cut_step()) as server:
        connection = Connection.open(address_of(server.place("papers")), …)
        …
    server.requests

Each request takes the next step; the last one is used again and again. A step may be a function of the request.
"""

from __future__ import annotations

import json
import ssl
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from types import TracebackType
from typing import Any


@dataclass(frozen=True)
class Request:
    """What the server was asked. `at`: seconds, monotonic."""

    method: str
    path: str
    headers: Mapping[str, str]
    body: bytes
    at: float

    @property
    def lines(self) -> list[Any]:
        """The lines of JSON of its body."""
        return [json.loads(line) for line in self.body.splitlines()]


@dataclass(frozen=True)
class Step:
    """One answer. `delay`: seconds before it. `cut`: only so many bytes of the body are sent, then the connection ends.
    `unread`: the connection ends while the request is still being sent. `then`: what happens before the answer."""

    status: int = 200
    body: bytes = b"{}"
    kind: str = "application/json"
    headers: Mapping[str, str] = field(default_factory=dict)
    delay: float = 0.0
    cut: int | None = None
    unread: bool = False


Steps = Step | Callable[[Request], Step]


def json_step(body: Any, status: int = 200, **more: Any) -> Step:
    """An answer of JSON."""
    return Step(status, json.dumps(body).encode(), **more)


def error_step(status: int, kind: str, reason: str = "because") -> Step:
    """An error as the server writes it."""
    cause = {"type": kind, "reason": reason}
    return json_step({"error": {**cause, "root_cause": [cause]}, "status": status}, status)


def cut_step(body: Any = None, at: int = 10) -> Step:
    """An answer that ends in its middle."""
    return json_step(body or {"took": 1, "errors": False, "items": []}, cut=at)


def unread_step() -> Step:
    """The connection ends while the request is being sent."""
    return Step(unread=True)


class Taking:
    """A step that takes documents as a bulk does, by identifier, as the store of a cluster would.

    `refuse`: identifiers, and the statuses that they get first, one a time. `reason`: of a refusal.
    """

    def __init__(self, refuse: Mapping[str, Sequence[int]] | None = None) -> None:
        self.documents: dict[str, Any] = {}
        self.writes: dict[str, int] = {}
        self._refuse = {key: list(statuses) for key, statuses in (refuse or {}).items()}

    def __call__(self, request: Request) -> Step:
        lines, items = iter(request.lines), []
        for line in lines:
            ((kind, told),) = line.items()
            document = next(lines) if kind != "delete" else None
            items.append({kind: self._take(kind, told["_id"], document)})
        return json_step({"errors": any("error" in next(iter(item.values())) for item in items), "items": items})

    def _take(self, kind: str, key: str, document: Any) -> dict[str, Any]:
        if self._refuse.get(key):
            status = self._refuse[key].pop(0)
            return {"status": status, "error": {"type": f"refused_{status}", "reason": "so it is"}}
        self.writes[key] = self.writes.get(key, 0) + 1
        if kind == "delete":
            return {"status": 200 if self.documents.pop(key, None) is not None else 404}
        self.documents[key] = document
        return {"status": 201}

    def then_cut(self, request: Request) -> Step:
        """The documents are taken, but the answer is cut."""
        done = self(request)
        return Step(done.status, done.body, cut=len(done.body) // 2)


class Scripted:
    """The server, on a free port of 127.0.0.1. `certificate`, `key`: PEM files, where it speaks TLS."""

    def __init__(self, *steps: Steps, certificate: Path | None = None, key: Path | None = None) -> None:
        self.requests: list[Request] = []
        self.problems: list[BaseException] = []
        self._steps, self._lock = list(steps), threading.Lock()
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self._server.daemon_threads = True
        self._server.handle_error = lambda *_: None  # type: ignore[method-assign]  # a client that goes away
        if certificate is not None:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(certificate, key)
            self._server.socket = context.wrap_socket(self._server.socket, server_side=True)
        self.port = int(self._server.server_address[1])
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True)

    def place(self, index: str = "papers", options: str = "") -> str:
        """The place of an index on it."""
        return f"opensearch://127.0.0.1:{self.port}/{index}{options and '?'}{options}"

    def __enter__(self) -> Scripted:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join(5)

    def _next(self, request: Request) -> Step:
        with self._lock:
            self.requests.append(request)
            step = self._steps.pop(0) if len(self._steps) > 1 else self._steps[0]
            return step(request) if callable(step) else step

    def _ends_unread(self) -> bool:
        with self._lock:
            first = self._steps[0]
            if isinstance(first, Step) and first.unread:
                if len(self._steps) > 1:
                    self._steps.pop(0)
                return True
            return False

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        outer = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def answer(self) -> None:
                length = int(self.headers.get("content-length") or 0)
                if outer._ends_unread():
                    self.rfile.read(min(length, 1))
                    self.close_connection = True
                    return
                request = Request(
                    self.command, self.path, dict(self.headers.items()), self.rfile.read(length), time.monotonic()
                )
                step = outer._next(request)
                if step.delay:
                    time.sleep(step.delay)
                self.send_response(step.status)
                self.send_header("content-type", step.kind)
                self.send_header("content-length", str(len(step.body)))
                for name, value in step.headers.items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(step.body if step.cut is None else step.body[: step.cut])
                self.close_connection = step.cut is not None

            do_GET = do_POST = do_PUT = do_DELETE = do_HEAD = answer

            def log_message(self, format: str, *arguments: Any) -> None:
                """Nothing is printed."""

        return Handler
