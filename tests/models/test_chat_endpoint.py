"""Against a server of the tests' own on this machine."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError

from askance.core.errors import BadInput, ModelFailed
from askance.core.outcome import Outcome
from askance.models.chat import Completion, Message, Usage, complete_whole
from askance.models.chat_endpoint import ChatEndpoint, ChatModel, read_completion
from askance.models.chat_registry import LANGUAGE_MODELS
from askance.models.ledger import Ledger
from askance.models.unusable import Unusable

KEY = "sk-very/secret-0123456789"
ASK = (Message("system", "be brief"), Message("user", 'Who likes "Snow" ❄?'))

Reply = tuple[int, dict[str, str], Any]


def says(content: Any, reason: Any = "stop", **more: Any) -> dict[str, Any]:
    return {
        "model": "m-2024",
        "system_fingerprint": "fp_1",
        "choices": [
            {"index": 0, "finish_reason": reason, "message": {"role": "assistant", "content": content, **more}}
        ],
        "usage": {
            "prompt_tokens": 12,
            "completion_tokens": 5,
            "completion_tokens_details": {"reasoning_tokens": 2},
            "prompt_tokens_details": {"cached_tokens": 4},
        },
    }


class Server:
    """Answers requests with `replies`, one each, then with "(snow)"; keeps what it was asked."""

    def __init__(self) -> None:
        self.replies: list[Reply] = []
        self.bodies: list[dict[str, Any]] = []
        self.headers: list[dict[str, str]] = []
        self.paths: list[str] = []
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                outer.bodies.append(json.loads(self.rfile.read(int(self.headers["content-length"]))))
                outer.paths.append(self.path)
                outer.headers.append({name.lower(): value for name, value in self.headers.items()})
                status, headers, said = outer.replies.pop(0) if outer.replies else (200, {}, says("(snow)"))
                raw = said if isinstance(said, bytes) else json.dumps(said).encode()
                self.send_response(status)
                for name, value in {"content-length": str(len(raw)), **headers}.items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(raw)

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
    """A model with its ledger and the waits it asked for."""

    def __init__(self, server: Server, ledger: Ledger | None = None, **settings: Any) -> None:
        self.waits: list[float] = []
        self.ledger = ledger or Ledger(":memory:")
        given = ChatEndpoint.Settings(base_url=server.base, model="m", **{"key_env": "TEST_KEY", **settings})
        self.model = ChatModel(given, self.ledger, sleep=self.waits.append)

    def ask(self, max_tokens: int = 8, **more: Any) -> Completion:
        return self.model.complete(ASK, max_tokens=max_tokens, **more)

    @property
    def outcomes(self) -> list[Outcome]:
        return [call.outcome for call in self.ledger.calls()]


def test_a_completion_and_all_that_is_said_of_it(server: Server) -> None:
    client = Client(server)
    assert client.ask() == Completion("(snow)", "stop", Usage(12, 5, 2, 4), "m-2024", "fp_1")
    assert server.paths == ["/v1/chat/completions"]
    assert server.bodies == [
        {
            "model": "m",
            "messages": [
                {"role": "system", "content": "be brief"},
                {"role": "user", "content": 'Who likes "Snow" ❄?'},
            ],
            "max_tokens": 8,
            "temperature": 0.0,
        }
    ]
    assert server.headers[0]["authorization"] == f"Bearer {KEY}"
    (call,) = client.ledger.calls()
    assert (call.kind, call.model, call.input_tokens, call.output_tokens) == ("complete", "m", 12, 5)


def test_what_is_sent_can_be_fitted_to_the_endpoint(server: Server) -> None:
    client = Client(
        server,
        limit_name="max_completion_tokens",
        leave_out=("temperature",),
        parameters={"reasoning_effort": "low"},
    )
    client.ask(seed=7)
    body = server.bodies[0]
    assert set(body) == {"model", "messages", "max_completion_tokens", "seed", "reasoning_effort"}
    assert (body["max_completion_tokens"], body["seed"], body["reasoning_effort"]) == (8, 7, "low")


def test_a_repeated_call_is_not_made_again_even_by_another_process(server: Server, tmp_path: Path) -> None:
    with Ledger(tmp_path / "ledger.sqlite") as ledger:
        client = Client(server, ledger)
        first = client.ask()
        assert client.ask() == first
    with Ledger(tmp_path / "ledger.sqlite") as ledger:
        assert Client(server, ledger).ask() == first
        assert len(list(ledger.calls())) == 1
    assert len(server.bodies) == 1


@pytest.mark.parametrize("other", [{"max_tokens": 9}, {"temperature": 0.5}, {"seed": 1}])
def test_another_call_is_made(server: Server, other: dict[str, Any]) -> None:
    client = Client(server)
    client.ask()
    client.ask(**other)
    assert len(server.bodies) == 2


@pytest.mark.parametrize(
    ("reply", "outcome", "message"),
    [
        (says("(sn", "length"), Outcome.TRUNCATED, "cut after 5 tokens"),
        (says(None, "length"), Outcome.TRUNCATED, "cut after 5 tokens"),
        (says("(snow)", "content_filter"), Outcome.REFUSED, "withheld"),
        (says(None, "stop", refusal="I cannot"), Outcome.REFUSED, "I cannot"),
        (says(None), Outcome.UNPARSED, "empty"),
        (says(None, "stop", reasoning_content="long thought"), Outcome.UNPARSED, "empty"),
        (says("(snow)", None), Outcome.UNPARSED, "not said"),
        (says(None, "tool_calls"), Outcome.UNPARSED, "tool_calls"),
        ({"choices": []}, Outcome.UNPARSED, "without a list `choices`"),
        ({"error": "x"}, Outcome.UNPARSED, "without a list `choices`"),
        (b"<html>", Outcome.UNPARSED, "not JSON"),
        (b"[" * 100_000, Outcome.UNPARSED, "not JSON"),
    ],
)
def test_what_is_no_answer_is_recorded_as_such_and_never_used_again(
    server: Server, reply: Any, outcome: Outcome, message: str
) -> None:
    server.replies = [(200, {}, reply)]
    client = Client(server)
    with pytest.raises(ModelFailed, match=message):
        client.ask()
    assert client.outcomes == [outcome]
    assert client.ask().text == "(snow)"
    assert client.outcomes == [outcome, Outcome.OK]
    assert len(server.bodies) == 2


def test_a_cut_answer_costs_its_tokens_and_gets_one_more_chance(server: Server) -> None:
    server.replies = [(200, {}, says("(s", "length"))]
    client = Client(server)
    assert complete_whole(client.model, ASK, max_tokens=8).text == "(snow)"
    assert [body["max_tokens"] for body in server.bodies] == [8, 16]
    assert [call.output_tokens for call in client.ledger.calls()] == [5, 5]


def test_busy_and_broken_servers_are_tried_again(server: Server) -> None:
    server.replies = [(429, {"retry-after": "3"}, {}), (503, {}, b"down")]
    client = Client(server)
    assert client.ask().text == "(snow)"
    assert client.waits == [3.0, 2.0]
    assert client.outcomes == [Outcome.ERROR, Outcome.ERROR, Outcome.OK]


def test_a_refused_key_is_told_without_the_key(server: Server) -> None:
    server.replies = [(401, {}, {"error": f"no such key {KEY}"})]
    client = Client(server)
    with pytest.raises(ModelFailed, match=r"Check the key in TEST_KEY") as caught:
        client.ask()
    assert KEY not in str(caught.value)
    assert all(KEY.encode() not in (call.response or b"") for call in client.ledger.calls())


def test_a_missing_key_is_told_before_any_call(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("TEST_KEY")
    with pytest.raises(BadInput, match="TEST_KEY is not set"):
        Client(server).ask()
    assert server.bodies == []


def test_text_may_come_in_parts() -> None:
    parts = [{"type": "text", "text": "(sn"}, {"type": "image"}, {"type": "text", "text": "ow)"}]
    assert read_completion(json.dumps(says(parts)).encode(), "x").value.text == "(snow)"


@pytest.mark.parametrize("usage", [None, [], {"prompt_tokens": "many"}, {"prompt_tokens": -1}])
def test_usage_may_be_missing(usage: Any) -> None:
    reply = {**says("(snow)"), "usage": usage}
    answer = read_completion(json.dumps(reply).encode(), "x")
    assert (answer.value.usage, answer.input_tokens) == (Usage(), None)


@pytest.mark.parametrize(
    "settings",
    [
        {"base_url": "ftp://x"},
        {"base_url": "https://user:pass@host/v1"},
        {"base_url": "https://host/v1?key=1"},
        {"model": ""},
        {"parameters": {"messages": []}},
        {"parameters": {"stream": True}},
        {"parameters": {"max_tokens": 9}},
        {"max_tokens": 3},
    ],
)
def test_settings_that_cannot_be(settings: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        ChatEndpoint.Settings.model_validate({"base_url": "https://host/v1", "model": "m", **settings})


def test_the_registry_builds_endpoints(server: Server) -> None:
    kind = LANGUAGE_MODELS.get("endpoint")
    model = kind.build(kind.Settings(base_url=server.base + "/", model="m"), None)
    assert model.complete(ASK, max_tokens=8).text == "(snow)"
    assert "authorization" not in server.headers[0]


def test_unusable_is_a_failed_model() -> None:
    assert issubclass(Unusable, ModelFailed)
