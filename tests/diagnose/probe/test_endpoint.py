"""A model behind HTTP, probed: a server of the tests' own whose vectors know verbs, and nothing else."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from tests.diagnose.probe.fakes import VERBS, household

from askance.app.probe import probe
from askance.core.errors import ModelFailed
from askance.diagnose.probe.probe import Side


def vector(text: str) -> list[float]:
    """A direction a verb, and a little of its own so that no two texts are alike in all."""
    there = [float(verb in text.lower()) for verb in VERBS]
    return [*there, 0.1]


@pytest.fixture
def served() -> Iterator[tuple[str, list[str]]]:
    """The address, and the texts that were sent."""
    texts: list[str] = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["content-length"])))
            texts.extend(body["input"])
            data = [{"index": at, "embedding": vector(text)} for at, text in enumerate(body["input"])]
            raw = json.dumps({"model": "verbs", "data": data}).encode()
            self.send_response(200)
            self.send_header("content-length", str(len(raw)))
            self.end_headers()
            self.wfile.write(raw)

        def log_message(self, format: str, *args: object) -> None:
            """Nothing to the terminal of the tests."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}/v1", texts
    server.shutdown()
    server.server_close()
    thread.join()


def model_file(folder: Path, address: str) -> str:
    path = folder / "model.toml"
    path.write_text(f'embedder = "endpoint"\nbase_url = "{address}"\nmodel = "verbs"\nattempts = 1\n', encoding="utf-8")
    return str(path)


@pytest.mark.parametrize("side", ["queries", "documents"])
def test_an_endpoint_that_reads_verbs(
    served: tuple[str, list[str]], side: Side, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ASKANCE_CACHE", str(tmp_path / "cache"))
    address, sent = served
    found = probe(household(), model=model_file(tmp_path, address), side=side, queries=20, documents=10)
    bill = {line.name: line for line in found.systems[0].bill}
    assert bill["structure"].reading == "follows"
    opened = [line for line in bill.values() if line.label.startswith("words like")]
    assert {(line.reading, line.vanished.value) for line in opened} == {("holds still", 0.0)}
    assert {*household().queries.field("text")[:1], *household().documents.field("text")} <= {*sent}
    assert all(line.vanished.n == 20 for line in opened)


def test_an_endpoint_that_is_not_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ASKANCE_CACHE", str(tmp_path / "cache"))
    with pytest.raises(ModelFailed):
        probe(household(), model=model_file(tmp_path, "http://127.0.0.1:9/v1"), queries=2, documents=0)
