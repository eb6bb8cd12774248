"""Downloads that are right or not there: resumed where they were cut, verified by hash, named when complete."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from askance.core.errors import DownloadFailed
from askance.core.files import sha256_of
from askance.core.progress import Progress, Silent

if TYPE_CHECKING:
    import httpx

ATTEMPTS = 6
CONNECT_ATTEMPTS = 3  # where nobody answers at all, waiting longer seldom helps
LONGEST_WAIT = 60.0
_PASSING = frozenset({408, 425, 429, 500, 502, 503, 504})


def fetch(
    url: str,
    path: Path,
    sha256: str,
    size: int | None = None,
    progress: Progress | None = None,
    *,
    wait: Callable[[float], None] = time.sleep,
) -> bool:
    """Download `url` to `path`; True where bytes were fetched, False where the right file was there.

    Bytes go to `path` with .partial added, which the next try, or the next run, goes on with; it gets its name when
    its sha256 is the one expected. Cut connections and the answers of an overloaded server are tried ATTEMPTS times,
    with growing pauses or those the server asks for (`wait` sleeps). Proxies are those of the environment.
    DownloadFailed where the server refuses, does not come back, or the bytes are not the ones expected.
    """
    if path.is_file() and sha256_of(path) == sha256:
        return False
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with _own_partial(path) as partial:
            if path.is_file() and sha256_of(path) == sha256:  # another process was quicker
                return False
            _Download(url, path, partial, sha256, size, progress or Silent(), wait).run()
    except OSError as error:
        raise DownloadFailed(
            f"{path} cannot be written: {error.strerror or error}", remedy="Check the disk and the permissions."
        ) from None
    return True


class _Interrupted(Exception):
    """This try failed, another may not. `pause`: seconds the server asks for; `connected`: somebody answered."""

    def __init__(self, why: str, *, pause: float | None = None, connected: bool = True) -> None:
        super().__init__(why)
        self.pause, self.connected = pause, connected


class _StartAgain(Exception):
    """What was kept of an earlier try is of no use."""


@dataclass
class _Download:
    """One file on its way. `partial` is open, locked, and holds what is there so far."""

    url: str
    path: Path
    partial: BinaryIO
    sha256: str
    size: int | None
    progress: Progress
    wait: Callable[[float], None]
    shown: int | None = None  # how many bytes the progress was told of; None before the first

    def run(self) -> None:
        try:
            with _client(self.url) as client:
                self._until_there(client)
        finally:
            if self.shown is not None:
                self.progress.finish(self.path.name)
        self._partial_path.replace(self.path)

    @property
    def _partial_path(self) -> Path:
        return _partial_of(self.path)

    def _until_there(self, client: httpx.Client) -> None:
        failures = 0
        while True:
            try:
                return self._attempt(client)
            except _StartAgain:
                self._cut(0)
            except _Interrupted as error:
                failures += 1
                if failures >= (ATTEMPTS if error.connected else CONNECT_ATTEMPTS):
                    raise DownloadFailed(
                        f"{self.url}: {error} (tried {failures} times)",
                        remedy="Check the network and the proxy, then run it again: it goes on where it stopped.",
                    ) from None
                self.wait(min(0.5 * 2 ** (failures - 1), LONGEST_WAIT) if error.pause is None else error.pause)

    def _attempt(self, client: httpx.Client) -> None:
        """One try: go on from what is there, or begin; returns when the right bytes are there."""
        there = self._there()
        if self.size is not None and there > self.size:
            self._cut(0)
            there = 0
        if there and sha256_of(self._partial_path) == self.sha256:
            return
        if there != self.size:
            self._receive(client, there)
        found = sha256_of(self._partial_path)
        if found == self.sha256:
            return
        if there:  # the earlier part may be another file's: once more, from the start
            raise _StartAgain
        self._partial_path.unlink(missing_ok=True)
        raise DownloadFailed(
            f"{self.url}: the bytes are not the ones expected: sha256 {found} instead of {self.sha256}",
            remedy="The file at the origin changed, or a proxy answered in its place. Nothing was kept.",
        )

    def _receive(self, client: httpx.Client, there: int) -> None:
        import httpx

        # A packed answer could not be resumed or measured.
        headers = {"Accept-Encoding": "identity"} | ({"Range": f"bytes={there}-"} if there else {})
        try:
            with client.stream("GET", self.url, headers=headers) as answer:
                self._take(answer, there)
        except (httpx.ConnectError, httpx.ConnectTimeout, httpx.ProxyError) as error:
            raise _Interrupted(f"nobody answers: {_said(error)}", connected=False) from None
        except httpx.TransportError as error:
            raise _Interrupted(f"the connection broke: {_said(error)}") from None
        except (httpx.RequestError, httpx.InvalidURL) as error:
            raise DownloadFailed(f"{self.url}: {_said(error)}", remedy="Is the address right?") from None

    def _take(self, answer: httpx.Response, there: int) -> None:
        if answer.status_code == 206 and _begins_at(answer) == there and "content-encoding" not in answer.headers:
            start = there
        elif answer.status_code == 200:
            start = 0  # the server cannot resume: what was there is replaced
        elif answer.status_code in (206, 416) and there:
            raise _StartAgain
        else:
            raise _refusal(self.url, answer)
        self._cut(start)
        self._show(answer, start)
        for block in answer.iter_bytes():  # in the pieces they come in: larger ones would be lost at a cut
            self.partial.write(block)
            self.progress.advance(self.path.name, len(block))
            self.shown = self.partial.tell()
            if self.size is not None and self.partial.tell() > self.size:
                self._too_long()
        self.partial.flush()
        os.fsync(self.partial.fileno())
        # An answer that says how long it is, is whole here; its bytes are judged by their hash.
        announced = _length(answer, start) is not None or "chunked" in answer.headers.get("transfer-encoding", "")
        if not announced and self.size is not None and self.partial.tell() < self.size:
            raise _Interrupted(f"the connection broke after {self.partial.tell()} of {self.size} bytes")

    def _show(self, answer: httpx.Response, start: int) -> None:
        """Begin to tell the progress, or begin anew where bytes it was told of are fetched again."""
        if self.shown != start:
            if self.shown is not None:
                self.progress.finish(self.path.name)
            self.progress.start(self.path.name, self.size or _length(answer, start), start)
            self.shown = start

    def _too_long(self) -> None:
        self._partial_path.unlink(missing_ok=True)
        raise DownloadFailed(
            f"{self.url}: more than the {self.size} bytes expected",
            remedy="The file at the origin changed, or a proxy answered in its place. Nothing was kept.",
        )

    def _there(self) -> int:
        self.partial.flush()
        return self.partial.seek(0, os.SEEK_END)

    def _cut(self, length: int) -> None:
        self.partial.truncate(length)
        self.partial.seek(length)


@contextmanager
def _own_partial(path: Path) -> Iterator[BinaryIO]:
    """The partial file, open for appending; a second process waits until the first is done with it."""
    import fcntl  # not there on every system, and only downloads need it

    partial = _partial_of(path)
    while True:
        with partial.open("ab+") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            # While we waited the file may have got its final name, or been removed: then it is not the partial one.
            if not _is(file, partial):
                continue
            try:
                yield file
            finally:
                file.flush()
                if _is(file, partial) and not partial.stat().st_size:
                    partial.unlink()
            return


def _is(file: BinaryIO, path: Path) -> bool:
    return path.exists() and os.path.samestat(path.stat(), os.fstat(file.fileno()))


def _partial_of(path: Path) -> Path:
    return path.with_name(f"{path.name}.partial")


def _client(url: str) -> httpx.Client:
    import httpx

    try:
        return httpx.Client(follow_redirects=True, timeout=httpx.Timeout(60.0, connect=20.0))
    except (ImportError, ValueError) as error:
        raise DownloadFailed(
            f"{url}: the proxy settings of the environment cannot be used: {error}",
            remedy="Correct HTTP_PROXY, HTTPS_PROXY or ALL_PROXY.",
        ) from None


def _begins_at(answer: httpx.Response) -> int | None:
    """Where the part begins that a 206 holds, by its Content-Range."""
    unit, _, rest = answer.headers.get("content-range", "").partition(" ")
    start = rest.split("-", 1)[0].strip()
    return int(start) if unit.lower() == "bytes" and start.isdecimal() else None


def _length(answer: httpx.Response, start: int) -> int | None:
    said = answer.headers.get("content-length", "")
    return start + int(said) if said.isdecimal() and "content-encoding" not in answer.headers else None


def _refusal(url: str, answer: httpx.Response) -> Exception:
    said = f"the server answers {answer.status_code} {answer.reason_phrase}".rstrip()
    if answer.status_code not in _PASSING:
        remedy = "It is not there any more, or not for everyone. Is there a newer askance?"
        return DownloadFailed(f"{url}: {said}", remedy=remedy)
    pause = _retry_after(answer.headers.get("retry-after", ""))
    if pause is not None and pause > LONGEST_WAIT:
        return DownloadFailed(f"{url}: {said}", remedy=f"The server asks to come back in {pause:.0f} seconds.")
    return _Interrupted(said, pause=pause)


def _retry_after(said: str) -> float | None:
    """Seconds to wait: the header's number, or the time until its date; None where it has neither."""
    if said.strip().isdecimal():
        return float(said)
    try:
        when = parsedate_to_datetime(said)
    except ValueError:
        return None
    if when.tzinfo is None:
        when = when.replace(tzinfo=UTC)
    return max(0.0, (when - datetime.now(UTC)).total_seconds())


def _said(error: Exception) -> str:
    return str(error) or type(error).__name__
