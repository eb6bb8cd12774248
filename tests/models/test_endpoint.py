"""Against a server of the tests' own on this machine."""

from __future__ import annotations

import json
import socket
import struct
import threading
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from pydantic import ValidationError

from askance.core.errors import BadInput, ModelFailed
from askance.core.outcome import Outcome
from askance.models.embedder import Embedder, FakeEmbedder
from askance.models.endpoint import Endpoint, EndpointEmbedder, read_embeddings
from askance.models.ledger import Ledger
from askance.models.vectors import VectorStore

KEY = "sk-very/secret-0123456789"
FAKE = FakeEmbedder(16)

Reply = tuple[int, dict[str, str], Any]


def vectors(body: dict[str, Any], scale: float = 3.0) -> list[dict[str, Any]]:
    rows = FAKE.embed(body["input"], "document") * scale
    return [{"object": "embedding", "index": at, "embedding": row.tolist()} for at, row in enumerate(rows)]


def fine(body: dict[str, Any]) -> Reply:
    tokens = sum(len(text.split()) for text in body["input"])
    data = list(reversed(vectors(body)))  # out of order: only `index` tells
    return 200, {}, {"model": "m-2024", "data": data, "usage": {"prompt_tokens": tokens, "total_tokens": tokens}}


class Server:
    """Answers requests with `replies`, one each, then with `fine`; keeps what it was asked."""

    def __init__(self) -> None:
        self.replies: list[Callable[[dict[str, Any]], Reply | None]] = []
        self.bodies: list[dict[str, Any]] = []
        self.headers: list[dict[str, str]] = []
        self.paths: list[str] = []
        outer = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers["content-length"])))
                outer.bodies.append(body)
                outer.paths.append(self.path)
                outer.headers.append({name.lower(): value for name, value in self.headers.items()})
                reply = (outer.replies.pop(0) if outer.replies else fine)(body)
                if reply is None:
                    self._cut()
                    return
                status, headers, said = reply
                raw = said if isinstance(said, bytes) else json.dumps(said).encode()
                self.send_response(status)
                for name, value in {"content-length": str(len(raw)), **headers}.items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(raw)

            def _cut(self) -> None:
                """Half an answer, then a reset."""
                self.wfile.write(b'HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\n{"data": [')
                self.wfile.flush()
                self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                self.close_connection = True

            def log_message(self, format: str, *args: object) -> None: ...

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.02})
        self._thread.start()
        self.base = f"http://127.0.0.1:{self._server.server_address[1]}/v1"

    def stop(self) -> None:
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    monkeypatch.setenv("TEST_KEY", KEY)
    made = Server()
    yield made
    made.stop()


class Client:
    """An embedder with its ledger and the waits it asked for."""

    def __init__(self, server: Server, ledger: Ledger | None = None, **settings: Any) -> None:
        self.waits: list[float] = []
        self.ledger = ledger or Ledger(":memory:")
        given = Endpoint.Settings(base_url=server.base, model="m", **{"key_env": "TEST_KEY", **settings})
        self.embedder = EndpointEmbedder(given, self.ledger, sleep=self.waits.append)

    @property
    def outcomes(self) -> list[Outcome]:
        return [call.outcome for call in self.ledger.calls()]


TEXTS = ["alpha beta", "", "gamma", "delta epsilon zeta", "eta"]


def test_vectors_in_the_order_of_the_texts_and_of_unit_length(server: Server) -> None:
    client = Client(server, batch=2)
    found = client.embedder.embed(TEXTS, "document")
    assert found.dtype == np.float32
    np.testing.assert_allclose(found, FAKE.embed(TEXTS, "document"), atol=1e-6)
    assert [body["input"] for body in server.bodies] == [["word"], TEXTS[:2], TEXTS[2:4], TEXTS[4:]]
    assert server.bodies[1] == {"model": "m", "input": TEXTS[:2], "encoding_format": "float"}
    assert set(server.paths) == {"/v1/embeddings"}
    assert {headers["authorization"] for headers in server.headers} == {f"Bearer {KEY}"}
    assert client.outcomes == [Outcome.OK] * 4
    assert [call.input_tokens for call in client.ledger.calls()] == [1, 2, 4, 1]
    assert {(call.kind, call.model) for call in client.ledger.calls()} == {("embed", "m")}
    embedder: Embedder = client.embedder
    assert embedder.token_counts(TEXTS) is None


def test_the_card_is_what_the_endpoint_says(server: Server) -> None:
    card = Client(server, max_tokens=512, query_prefix="q: ").embedder.card
    assert (card.name, card.weights, card.precision) == ("m", "served as m-2024", "unknown")
    assert (card.dimension, card.max_tokens, card.source, card.symmetric) == (16, 512, server.base, False)
    assert Client(server).embedder.card.symmetric
    others = [Client(server, max_tokens=512), Client(server, max_tokens=512, query_prefix="p: ")]
    assert len({card.fingerprint, *(other.embedder.card.fingerprint for other in others)}) == 3


def test_prefixes_and_dimensions_are_sent(server: Server) -> None:
    client = Client(server, query_prefix="query: ", document_prefix="passage: ", dimensions=16)
    client.embedder.embed(["a"], "query")
    client.embedder.embed(["a"], "document")
    assert [body["input"] for body in server.bodies] == [["word"], ["query: a"], ["passage: a"]]
    assert {body["dimensions"] for body in server.bodies} == {16}


def test_without_a_key(server: Server) -> None:
    Client(server, key_env=None).embedder.embed(["a"], "query")
    assert all("authorization" not in headers for headers in server.headers)


def busy(status: int, **headers: str) -> Callable[[dict[str, Any]], Reply]:
    return lambda body: (status, {name.replace("_", "-"): value for name, value in headers.items()}, {"error": "busy"})


def cut(body: dict[str, Any]) -> None:
    return None


def test_waits_as_long_as_asked_and_tries_again(server: Server) -> None:
    when = format_datetime(datetime.now(UTC) + timedelta(seconds=40), usegmt=True)
    server.replies = [busy(429, retry_after="7"), busy(429, retry_after=when), busy(429), busy(429, retry_after="0.5")]
    client = Client(server)
    np.testing.assert_allclose(client.embedder.embed(["a"], "query"), FAKE.embed(["a"], "query"), atol=1e-6)
    assert client.waits[0] == 7.0
    assert 30.0 < client.waits[1] <= 40.0
    assert client.waits[2:] == [4.0, 0.5]  # doubled with each attempt where nothing is asked
    assert client.outcomes == [Outcome.ERROR] * 4 + [Outcome.OK] * 2
    assert next(client.ledger.calls()).detail.startswith("HTTP 429")


@pytest.mark.parametrize("asked", ["soon", "nan", "inf", ""])
def test_an_unreadable_wish_is_none(server: Server, asked: str) -> None:
    server.replies = [busy(429, retry_after=asked)]
    client = Client(server)
    client.embedder.embed(["a"], "query")
    assert client.waits == [1.0]


@pytest.mark.parametrize("trouble", [busy(500), busy(503), busy(529), busy(408), cut])
def test_passing_trouble(server: Server, trouble: Callable[[dict[str, Any]], Reply | None]) -> None:
    server.replies = [trouble, trouble]
    client = Client(server, first_wait=0.5)
    client.embedder.embed(["a"], "query")
    assert client.waits == [0.5, 1.0]
    assert client.outcomes == [Outcome.ERROR, Outcome.ERROR, Outcome.OK, Outcome.OK]
    if trouble is cut:
        assert next(client.ledger.calls()).detail.endswith("possibly paid")


def test_trouble_that_stays(server: Server) -> None:
    server.replies = [busy(500)] * 9
    client = Client(server, attempts=3, longest_wait=1.5)
    with pytest.raises(ModelFailed, match="failed 3 times, the last: HTTP 500"):
        client.embedder.embed(["a"], "query")
    assert client.waits == [1.0, 1.5]
    assert len(server.bodies) == 3


def test_a_wait_that_is_too_long(server: Server) -> None:
    server.replies = [busy(429, retry_after="3600")]
    client = Client(server)
    with pytest.raises(ModelFailed, match="asks to wait 3600 s"):
        client.embedder.embed(["a"], "query")
    assert client.waits == []


def test_nobody_listens(server: Server) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        base = f"http://127.0.0.1:{free.getsockname()[1]}/v1"
    waits: list[float] = []
    ledger = Ledger(":memory:")
    embedder = EndpointEmbedder(Endpoint.Settings(base_url=base, model="m", attempts=2), ledger, sleep=waits.append)
    with pytest.raises(ModelFailed, match=r"failed 2 times, the last: no answer \(ConnectError"):
        embedder.embed(["a"], "query")
    assert waits == [1.0]
    assert all("paid" not in call.detail for call in ledger.calls())


def test_no_answer_in_time(server: Server) -> None:
    def late(body: dict[str, Any]) -> Reply:
        time.sleep(0.4)
        return fine(body)

    server.replies = [late]
    client = Client(server, timeout=0.1)
    client.embedder.embed(["a"], "query")
    assert client.outcomes[0] is Outcome.ERROR
    assert "ReadTimeout" in next(client.ledger.calls()).detail


@pytest.mark.parametrize(
    ("status", "remedy"),
    [
        (401, "Check the key in TEST_KEY"),
        (403, "TEST_KEY"),
        (404, "ends in /v1"),
        (400, "empty texts"),
        (501, "address"),
    ],
)
def test_what_will_not_pass_is_not_tried_again(server: Server, status: int, remedy: str) -> None:
    server.replies = [lambda body: (status, {}, {"error": f"no: {KEY} is wrong"})]
    client = Client(server)
    with pytest.raises(ModelFailed, match=rf"answered HTTP {status} .*no: \[key\] is wrong") as told:
        client.embedder.embed(["a"], "query")
    assert remedy in str(told.value)
    assert len(server.bodies) == 1
    assert client.outcomes == [Outcome.ERROR]


def test_a_redirect_is_not_followed_with_the_key(server: Server) -> None:
    server.replies = [busy(307, location="http://127.0.0.1:9/elsewhere")]
    with pytest.raises(ModelFailed, match="HTTP 307"):
        Client(server).embedder.embed(["a"], "query")
    assert len(server.bodies) == 1


def changed(**entry: Any) -> Callable[[dict[str, Any]], Reply]:
    """The answer with its first vector's entry changed."""

    def reply(body: dict[str, Any]) -> Reply:
        data = vectors(body)
        data[0] |= entry
        return 200, {}, {"model": "m-2024", "data": data}

    return reply


def data(change: Callable[[list[dict[str, Any]]], object]) -> Callable[[dict[str, Any]], Reply]:
    return lambda body: (200, {}, {"model": "m-2024", "data": change(vectors(body))})


@pytest.mark.parametrize(
    ("reply", "problem"),
    [
        (data(lambda rows: rows[1:]), "answered 1 vectors with indexes 1 for 2 texts"),
        (data(lambda rows: [*rows, rows[0]]), "answered 3 vectors with indexes 0, 1, 0 for 2 texts"),
        (data(lambda rows: []), "answered 0 vectors"),
        (changed(index=1), "indexes 1, 1"),
        (changed(index="0"), "indexes '0', 1"),
        (changed(index=None), "indexes None, 1"),
        (changed(index=True), "indexes True, 1"),
        (changed(embedding=[float("nan")] * 16), "not finite or all zero for text 0"),
        (changed(embedding=[float("inf")] * 16), "not finite"),
        (changed(embedding=[0.0] * 16), "all zero"),
        (changed(embedding=[1e300] * 16), "not finite"),
        (changed(embedding=[1.0] * 15), "dimension 15 for text 0, expected 16"),
        (changed(embedding=[10**400] * 16), "something else than a list of numbers"),
        (changed(embedding=["1"] * 16), "something else than a list of numbers as vector 0"),
        (changed(embedding="AACAPwAAAEA="), "something else than a list of numbers"),
        (changed(embedding=[]), "something else than a list of numbers"),
        (data(lambda rows: "rows"), "without a list `data`"),
        (data(lambda rows: [1, 2]), "without a list `data`"),
        (lambda body: (200, {}, b"<html>welcome</html>"), "20 bytes that are not JSON"),
        (lambda body: (200, {}, b"[" * 100_000), "not JSON"),
        (lambda body: (200, {}, [1]), "without a list `data`"),
        (lambda body: (200, {}, {"model": "m-2025", "data": vectors(body)}), "another model than before"),
    ],
)
def test_nonsense_is_recorded_and_never_used(
    server: Server, reply: Callable[[dict[str, Any]], Reply], problem: str
) -> None:
    client = Client(server)
    assert client.embedder.card.dimension == 16
    server.replies = [reply]
    with pytest.raises(ModelFailed) as told:
        client.embedder.embed(["a", "b"], "query")
    assert problem in str(told.value)
    assert client.waits == []
    last = list(client.ledger.calls())[-1]
    if "another model" not in problem:
        assert last.outcome is Outcome.UNPARSED
        assert problem in last.detail
        assert last.response is not None
        np.testing.assert_allclose(
            client.embedder.embed(["a", "b"], "query"), FAKE.embed(["a", "b"], "query"), atol=1e-6
        )


def test_what_is_recorded_is_not_asked_for_again(server: Server, tmp_path: Path) -> None:
    with Ledger(tmp_path / "ledger.sqlite") as ledger:
        first = Client(server, ledger, batch=2).embedder.embed(TEXTS, "document")
    asked = len(server.bodies)
    with Ledger(tmp_path / "ledger.sqlite") as ledger:
        again = Client(server, ledger, batch=2)
        np.testing.assert_array_equal(again.embedder.embed(TEXTS, "document"), first)
        assert len(server.bodies) == asked
        again.embedder.embed(["new"], "document")
        assert len(server.bodies) == asked + 1
        Client(server, ledger, batch=2, dimensions=16).embedder.embed(TEXTS[:2], "document")
        assert len(server.bodies) == asked + 3  # another request: `dimensions` is part of it


def test_a_recorded_study_needs_no_key(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    client = Client(server)
    client.embedder.embed(["a"], "query")
    monkeypatch.delenv("TEST_KEY")
    again = Client(server, client.ledger)
    again.embedder.embed(["a"], "query")
    with pytest.raises(BadInput, match="environment variable TEST_KEY is not set"):
        again.embedder.embed(["b"], "query")
    assert client.ledger.in_flight() == ()


def test_stopped_in_the_middle_of_a_call(server: Server) -> None:
    """What a kill leaves: the call is in flight before the server sees it."""
    client = Client(server)
    seen: list[int] = []

    def look(body: dict[str, Any]) -> Reply:
        seen.append(len(client.ledger.in_flight()))
        return fine(body)

    server.replies = [look]
    client.embedder.embed(["a"], "query")
    assert seen == [1]
    assert client.ledger.in_flight() == ()


def test_the_store_pays_once(server: Server, tmp_path: Path) -> None:
    client = Client(server)
    server.replies = [fine, fine, *[busy(500)] * 6]
    store = VectorStore(tmp_path, batch=2)
    with pytest.raises(ModelFailed):
        store.open(client.embedder, ["q"], TEXTS)
    server.bodies.clear()
    found = store.open(Client(server, client.ledger).embedder, ["q"], TEXTS)
    ordered = sorted({"q", *TEXTS}, key=lambda text: (-len(text), text))
    assert [body["input"] for body in server.bodies] == [ordered[2:4], ordered[4:]]
    np.testing.assert_allclose(found.unique[found.document_rows], FAKE.embed(TEXTS, "document"), atol=1e-6)


def test_the_key_is_nowhere(server: Server, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    def telling(body: dict[str, Any]) -> Reply:
        status, headers, said = fine(body)
        return status, headers, {**said, "you_sent": f"Bearer {KEY}"}

    said: list[str] = []
    server.replies = [lambda body: (500, {}, f"bad {KEY}".encode()), telling, telling, telling]
    with Ledger(tmp_path / "ledger.sqlite") as ledger:
        client = Client(server, ledger)
        VectorStore(tmp_path / "vectors").open(client.embedder, ["a"], ["b"])
        server.replies = [lambda body: (401, {}, {"error": f"Incorrect API key provided: {KEY}"})]
        with pytest.raises(ModelFailed) as refused:
            client.embedder.embed(["c"], "query")
        server.replies = [lambda body: (200, {}, f"not JSON {KEY}".encode())]
        with pytest.raises(ModelFailed) as nonsense:
            client.embedder.embed(["c"], "query")
        for told in (refused, nonsense):
            said += [str(told.value), repr(told.value), repr(told.value.__cause__), repr(told.value.__context__)]
        said += [repr(client.embedder), repr(client.embedder.card), repr(vars(client.embedder))]
        said += [repr(call) for call in ledger.calls()]
    said += list(capfd.readouterr())
    assert not [text for text in said if KEY in text]
    files = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert len(files) >= 3
    assert not [path for path in files if KEY.encode() in path.read_bytes()]


GUISES = {
    "JSON": lambda text: "".join(f"\\u{ord(c):04X}" for c in text),
    "JSON's slashes": lambda text: text.replace("/", "\\/"),
    "addresses": lambda text: text.replace("/", "%2f").replace("-", "%2D"),
    "HTML": lambda text: text.replace("/", "&#x2F;").replace("-", "&#045;"),
    "several at once": lambda text: "\\u0073" + text[1:].replace("/", "%2F"),
}


@pytest.mark.parametrize("guise", GUISES.values(), ids=GUISES)
def test_the_key_is_known_in_every_guise(server: Server, tmp_path: Path, guise: Callable[[str], str]) -> None:
    def naming(body: dict[str, Any]) -> Reply:
        status, headers, said = fine(body)
        raw = json.dumps({**said, "model": "m-HERE"}).replace("HERE", guise(KEY))
        return status, headers, raw.encode()

    server.replies = [naming, naming]
    with Ledger(tmp_path / "ledger.sqlite") as ledger:
        client = Client(server, ledger)
        client.embedder.embed(["a"], "query")
        assert client.embedder.card.weights == "served as m-[key]"
        assert all(call.response is not None and b"[key]" in call.response for call in ledger.calls())


@pytest.mark.parametrize("value", ["sk-two words", "sk-line\nend", "sk-ключ", "sk-\x07bell"])
def test_a_key_that_is_none_is_not_shown(server: Server, monkeypatch: pytest.MonkeyPatch, value: str) -> None:
    monkeypatch.setenv("TEST_KEY", value)
    with pytest.raises(BadInput, match="TEST_KEY holds spaces") as told:
        Client(server).embedder.embed(["a"], "query")
    assert "sk-" not in str(told.value)
    assert server.bodies == []


def test_a_placeholder_for_a_key_does_not_tear_the_answer(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TEST_KEY", "x\n")
    np.testing.assert_allclose(Client(server).embedder.embed(["a"], "query"), FAKE.embed(["a"], "query"), atol=1e-6)
    assert server.headers[0]["authorization"] == "Bearer x"


@pytest.mark.parametrize(
    "given",
    [
        {"base_url": "ftp://host/v1"},
        {"base_url": "host/v1"},
        {"base_url": "https://host:99999/v1"},
        {"base_url": "https://host/v1#sk-pasted"},
        {"base_url": "https://me:sk-pasted@host/v1"},
        {"base_url": "https://host/v1?key=sk-pasted"},
        {"key_env": "sk-pasted"},
        {"key": "sk-pasted"},
        {"batch": 0},
        {"model": ""},
    ],
)
def test_settings_that_cannot_be_and_a_pasted_key_is_not_shown(given: dict[str, Any]) -> None:
    with pytest.raises(ValidationError) as told:
        Endpoint.Settings.model_validate({"base_url": "https://host/v1", "model": "m", **given})
    assert "sk-pasted" not in str(told.value)


def test_built_by_the_registry_with_a_ledger_of_its_own(server: Server) -> None:
    settings = Endpoint.Settings(base_url=server.base + "/", model="m")
    embedder = Endpoint.build(settings, None)
    assert embedder.embed(["a", "b"], "query").shape == (2, 16)
    assert embedder.embed([], "query").shape == (0, 16)
    asked = len(server.bodies)
    embedder.embed(["a", "b"], "query")
    assert len(server.bodies) == asked


def test_an_answer_taken_apart() -> None:
    raw = json.dumps(
        {"data": [{"index": 1, "embedding": [0, 2]}, {"index": 0, "embedding": [3, 4]}], "usage": {"prompt_tokens": 5}}
    ).encode()
    answer = read_embeddings(raw, 2, None, "here")
    np.testing.assert_allclose(answer.value.vectors, [[0.6, 0.8], [0.0, 1.0]])
    assert (answer.value.model, answer.input_tokens) == (None, 5)
