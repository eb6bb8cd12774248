"""Downloads, against a server that cuts, ignores ranges, refuses and lies."""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from askance.core.errors import DownloadFailed
from askance.core.progress import Recorder
from askance.data.fetch import ATTEMPTS, CONNECT_ATTEMPTS, LONGEST_WAIT, fetch

CONTENT = bytes(range(256)) * 1200
SHA256 = hashlib.sha256(CONTENT).hexdigest()
WRONG = b"<html>please log in</html>"


@dataclass
class Script:
    """What the server does with each request, and what it was asked."""

    answers: list[Callable[[BaseHTTPRequestHandler], None]]
    ranges: list[str | None] = field(default_factory=list)
    address: str = ""


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[Script]:
    """A server that answers with `answers` in turn, the last one again and again."""
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy", "HTTPS_PROXY", "https_proxy"):
        monkeypatch.delenv(name, raising=False)
    script = Script([])

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            answer = script.answers[min(len(script.ranges), len(script.answers) - 1)]
            script.ranges.append(self.headers.get("Range"))
            answer(self)
            self.close_connection = True

        def log_message(self, format: str, *args: object) -> None: ...

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as httpd:
        script.address = f"http://127.0.0.1:{httpd.server_address[1]}/file"
        thread = threading.Thread(target=httpd.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield script
        httpd.shutdown()
        thread.join()


def send(handler: BaseHTTPRequestHandler, status: int, body: bytes = b"", length: str = "", **headers: str) -> None:
    handler.send_response(status)
    handler.send_header("Content-Length", length or str(len(body)))
    for name, value in headers.items():
        handler.send_header(name.replace("_", "-"), value)
    handler.end_headers()
    handler.wfile.write(body)


def whole(handler: BaseHTTPRequestHandler) -> None:
    send(handler, 200, CONTENT)


def start_of(handler: BaseHTTPRequestHandler) -> int:
    asked = handler.headers.get("Range")
    return int(asked.removeprefix("bytes=").rstrip("-")) if asked else 0


def ranged(handler: BaseHTTPRequestHandler) -> None:
    start = start_of(handler)
    if not start:
        whole(handler)
    elif start >= len(CONTENT):
        send(handler, 416)
    else:
        said = f"bytes {start}-{len(CONTENT) - 1}/{len(CONTENT)}"
        send(handler, 206, CONTENT[start:], Content_Range=said)


def cut_after(count: int) -> Callable[[BaseHTTPRequestHandler], None]:
    """Send `count` bytes of what was asked for, promise all of them, and hang up."""

    def answer(handler: BaseHTTPRequestHandler) -> None:
        start = start_of(handler)
        rest = CONTENT[start:]
        said = {"Content_Range": f"bytes {start}-{len(CONTENT) - 1}/{len(CONTENT)}"} if start else {}
        send(handler, 206 if start else 200, rest[:count], str(len(rest)), **said)

    return answer


def status(code: int, **headers: str) -> Callable[[BaseHTTPRequestHandler], None]:
    return lambda handler: send(handler, code, b"no", **headers)


class Waits(list[float]):
    """Stands in for sleeping: remembers how long was asked for."""

    def __call__(self, seconds: float) -> None:
        self.append(seconds)


def partial_of(path: Path) -> Path:
    return path.with_name(path.name + ".partial")


def test_a_file_arrives_whole_and_progress_adds_up(server: Script, tmp_path: Path) -> None:
    server.answers = [whole]
    seen = Recorder()
    path = tmp_path / "new" / "file.bin"
    assert fetch(server.address, path, SHA256, len(CONTENT), seen) is True
    assert path.read_bytes() == CONTENT
    assert [entry.name for entry in path.parent.iterdir()] == ["file.bin"]
    assert seen.events[0] == ("start", "file.bin", len(CONTENT))
    assert seen.events[-1] == ("finish", "file.bin", None)
    assert sum(units or 0 for kind, _, units in seen.events if kind == "advance") == len(CONTENT)


def test_what_is_there_and_right_is_left_alone(server: Script, tmp_path: Path) -> None:
    server.answers = [status(500)]
    path = tmp_path / "file.bin"
    path.write_bytes(CONTENT)
    assert fetch(server.address, path, SHA256) is False
    assert server.ranges == []


def test_what_is_there_and_wrong_is_replaced(server: Script, tmp_path: Path) -> None:
    server.answers = [whole]
    path = tmp_path / "file.bin"
    path.write_bytes(b"old")
    assert fetch(server.address, path, SHA256) is True
    assert path.read_bytes() == CONTENT


def test_a_cut_connection_goes_on_where_it_stopped(server: Script, tmp_path: Path) -> None:
    server.answers = [cut_after(100_000), cut_after(70_000), ranged]
    seen, waits = Recorder(), Waits()
    path = tmp_path / "file.bin"
    fetch(server.address, path, SHA256, len(CONTENT), seen, wait=waits)
    assert path.read_bytes() == CONTENT
    assert server.ranges == [None, "bytes=100000-", "bytes=170000-"]
    assert waits == [0.5, 1.0]
    assert [event for event in seen.events if event[0] != "advance"] == [
        ("start", "file.bin", len(CONTENT)),
        ("finish", "file.bin", None),
    ]
    assert sum(units or 0 for kind, _, units in seen.events if kind == "advance") == len(CONTENT)


def test_a_later_run_goes_on_with_what_an_earlier_one_left(server: Script, tmp_path: Path) -> None:
    server.answers = [cut_after(1000)]
    path = tmp_path / "file.bin"
    with pytest.raises(DownloadFailed, match=f"tried {ATTEMPTS} times"):
        fetch(server.address, path, SHA256, len(CONTENT), wait=Waits())
    assert not path.exists()
    assert partial_of(path).read_bytes() == CONTENT[: 1000 * ATTEMPTS]
    server.answers = [ranged]
    fetch(server.address, path, SHA256, len(CONTENT))
    assert server.ranges[-1] == f"bytes={1000 * ATTEMPTS}-"
    assert path.read_bytes() == CONTENT
    assert not partial_of(path).exists()


@pytest.mark.parametrize("size", [None, len(CONTENT)])
def test_a_server_that_ignores_ranges_gives_the_file_from_its_start(
    server: Script, tmp_path: Path, size: int | None
) -> None:
    server.answers = [whole]
    path = tmp_path / "file.bin"
    partial_of(path).write_bytes(CONTENT[:500])
    fetch(server.address, path, SHA256, size)
    assert server.ranges == ["bytes=500-"]
    assert path.read_bytes() == CONTENT


@pytest.mark.parametrize(
    ("left", "size", "asked"),
    [
        (CONTENT + b"more", len(CONTENT), [None]),
        (CONTENT + b"more", None, [f"bytes={len(CONTENT) + 4}-", None]),
        (b"x" * len(CONTENT), len(CONTENT), [None]),
        (b"x" * 500, len(CONTENT), ["bytes=500-", None]),
        (CONTENT, len(CONTENT), []),
        (CONTENT, None, []),
    ],
    ids=["too long", "too long, size unknown", "other bytes", "other start", "complete", "complete, size unknown"],
)
def test_what_an_earlier_run_left_is_used_only_if_it_fits(
    server: Script, tmp_path: Path, left: bytes, size: int | None, asked: list[str | None]
) -> None:
    server.answers = [ranged]
    path = tmp_path / "file.bin"
    partial_of(path).write_bytes(left)
    assert fetch(server.address, path, SHA256, size) is True
    assert path.read_bytes() == CONTENT
    assert server.ranges == asked


def test_a_part_that_begins_elsewhere_is_not_glued_on(server: Script, tmp_path: Path) -> None:
    server.answers = [lambda handler: send(handler, 206, CONTENT[7:], Content_Range=f"bytes 7-9/{len(CONTENT)}"), whole]
    path = tmp_path / "file.bin"
    partial_of(path).write_bytes(CONTENT[:500])
    fetch(server.address, path, SHA256, len(CONTENT))
    assert path.read_bytes() == CONTENT
    assert server.ranges == ["bytes=500-", None]


def test_an_answer_cut_without_a_promised_length_is_noticed_by_the_size(server: Script, tmp_path: Path) -> None:
    def silent_cut(handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(200)
        handler.end_headers()
        handler.wfile.write(CONTENT[:900])

    server.answers = [silent_cut, ranged]
    fetch(server.address, tmp_path / "file.bin", SHA256, len(CONTENT), wait=Waits())
    assert server.ranges == [None, "bytes=900-"]


@pytest.mark.parametrize("code", [400, 401, 403, 404, 410, 451])
def test_a_refusal_is_final(server: Script, tmp_path: Path, code: int) -> None:
    server.answers = [status(code)]
    waits = Waits()
    with pytest.raises(DownloadFailed, match=f"file: the server answers {code}"):
        fetch(server.address, tmp_path / "file.bin", SHA256, wait=waits)
    assert len(server.ranges) == 1
    assert waits == []
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("code", [429, 500, 502, 503])
def test_a_passing_fault_is_tried_again(server: Script, tmp_path: Path, code: int) -> None:
    server.answers = [status(code), status(code), whole]
    waits = Waits()
    path = tmp_path / "file.bin"
    fetch(server.address, path, SHA256, wait=waits)
    assert path.read_bytes() == CONTENT
    assert waits == [0.5, 1.0]


def test_a_lasting_fault_ends_after_a_few_tries(server: Script, tmp_path: Path) -> None:
    server.answers = [status(500)]
    waits = Waits()
    with pytest.raises(DownloadFailed, match=rf"500 .*\(tried {ATTEMPTS} times\)"):
        fetch(server.address, tmp_path / "file.bin", SHA256, wait=waits)
    assert len(server.ranges) == ATTEMPTS
    assert waits == [0.5 * 2**n for n in range(ATTEMPTS - 1)]


def test_the_pause_a_server_asks_for_is_kept(server: Script, tmp_path: Path) -> None:
    soon = format_datetime(datetime.now(UTC) + timedelta(seconds=20), usegmt=True)
    server.answers = [status(429, Retry_After="7"), status(503, Retry_After=soon), status(503, Retry_After="?"), whole]
    waits = Waits()
    fetch(server.address, tmp_path / "file.bin", SHA256, wait=waits)
    assert waits[0] == 7.0
    assert 15.0 < waits[1] <= 20.0
    assert waits[2] == 2.0


def test_a_pause_too_long_to_wait_is_told(server: Script, tmp_path: Path) -> None:
    server.answers = [status(429, Retry_After=str(int(LONGEST_WAIT) + 3540))]
    waits = Waits()
    with pytest.raises(DownloadFailed, match="come back in 3600 seconds"):
        fetch(server.address, tmp_path / "file.bin", SHA256, wait=waits)
    assert waits == []


@pytest.mark.parametrize("size", [None, len(WRONG)])
def test_wrong_bytes_are_not_kept_and_both_hashes_are_told(server: Script, tmp_path: Path, size: int | None) -> None:
    server.answers = [lambda handler: send(handler, 200, WRONG)]
    path = tmp_path / "file.bin"
    path.write_bytes(b"old")
    with pytest.raises(DownloadFailed) as caught:
        fetch(server.address, path, SHA256, size, wait=Waits())
    assert hashlib.sha256(WRONG).hexdigest() in str(caught.value)
    assert SHA256 in str(caught.value)
    assert path.read_bytes() == b"old"
    assert [entry.name for entry in tmp_path.iterdir()] == ["file.bin"]


def test_bytes_beyond_the_size_are_not_awaited(server: Script, tmp_path: Path) -> None:
    def endless(handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(200)
        handler.end_headers()
        try:
            for _ in range(100_000):
                handler.wfile.write(b"x" * 65536)
        except OSError:
            pass

    server.answers = [endless]
    with pytest.raises(DownloadFailed, match="more than the 1000 bytes expected"):
        fetch(server.address, tmp_path / "file.bin", SHA256, 1000)
    assert list(tmp_path.iterdir()) == []


def test_a_redirect_is_followed(server: Script, tmp_path: Path) -> None:
    server.answers = [lambda handler: send(handler, 302, Location="/elsewhere"), ranged]
    path = tmp_path / "file.bin"
    partial_of(path).write_bytes(CONTENT[:10])
    fetch(server.address, path, SHA256)
    assert server.ranges == ["bytes=10-", "bytes=10-"]
    assert path.read_bytes() == CONTENT


def test_redirects_without_end_are_an_error(server: Script, tmp_path: Path) -> None:
    server.answers = [lambda handler: send(handler, 302, Location="/file")]
    with pytest.raises(DownloadFailed, match="redirect"):
        fetch(server.address, tmp_path / "file.bin", SHA256)


def test_where_nobody_answers_it_ends_soon(tmp_path: Path, server: Script) -> None:
    waits = Waits()
    with pytest.raises(DownloadFailed, match=f"nobody answers.*tried {CONNECT_ATTEMPTS} times") as caught:
        fetch("http://127.0.0.1:9/file", tmp_path / "file.bin", SHA256, wait=waits)
    assert "proxy" in str(caught.value.remedy)
    assert len(waits) == CONNECT_ATTEMPTS - 1
    assert list(tmp_path.iterdir()) == []


def test_an_address_of_another_kind_is_refused(tmp_path: Path) -> None:
    with pytest.raises(DownloadFailed, match="file:///etc/hostname"):
        fetch("file:///etc/hostname", tmp_path / "file.bin", SHA256, wait=Waits())


def test_unusable_proxy_settings_are_named(server: Script, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HTTP_PROXY", "gopher://127.0.0.1:9")
    with pytest.raises(DownloadFailed, match="proxy settings") as caught:
        fetch(server.address, tmp_path / "file.bin", SHA256)
    assert "HTTP_PROXY" in str(caught.value.remedy)


def test_a_place_that_cannot_be_written_is_named(server: Script, tmp_path: Path) -> None:
    server.answers = [whole]
    (tmp_path / "taken").write_text("a file, no folder")
    with pytest.raises(DownloadFailed, match="taken/file.bin cannot be written"):
        fetch(server.address, tmp_path / "taken" / "file.bin", SHA256)


def test_two_at_once_fetch_it_once(server: Script, tmp_path: Path) -> None:
    asked = threading.Event()

    def slow(handler: BaseHTTPRequestHandler) -> None:
        asked.set()
        threading.Event().wait(0.2)
        whole(handler)

    server.answers = [slow]
    path = tmp_path / "file.bin"
    outcomes: list[bool] = []

    def run() -> None:
        outcomes.append(fetch(server.address, path, SHA256, len(CONTENT)))

    first = threading.Thread(target=run)
    first.start()
    assert asked.wait(5)
    second = threading.Thread(target=run)
    second.start()
    first.join()
    second.join()
    assert sorted(outcomes) == [False, True]
    assert len(server.ranges) == 1
    assert path.read_bytes() == CONTENT
    assert [entry.name for entry in tmp_path.iterdir()] == ["file.bin"]
