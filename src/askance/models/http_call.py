"""One request to a model behind HTTP: recorded before its answer is used, retried, and never made twice once it is ok.

The key is read from the environment when the request is sent. It is in no message, no ledger, no file: whatever a
server says is cleared of it first, since servers quote the key they refuse.
"""

from __future__ import annotations

import hashlib
import json
import math
import os
import re
import time
import weakref
from collections.abc import Callable, Generator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any, Generic, TypeVar

import httpx

from askance.core.errors import BadInput, ModelFailed
from askance.core.outcome import Outcome
from askance.models.ledger import Ledger
from askance.models.unusable import Unusable

T = TypeVar("T")

_QUOTED = 300
_HIDDEN = "[key]"
_SHORTEST_KEY = 8


@dataclass(frozen=True, slots=True)
class Answer(Generic[T]):
    """What was read out of a response, and the tokens it says it cost."""

    value: T
    input_tokens: int | None = None
    output_tokens: int | None = None


@dataclass(frozen=True, slots=True)
class Patience:
    """`attempts` in all; waits of first_wait · 2ⁿ seconds, or what Retry-After asks, none above `longest_wait`."""

    attempts: int = 6
    first_wait: float = 1.0
    longest_wait: float = 120.0
    timeout: float = 120.0


class HttpModel:
    """POSTs JSON to one address on behalf of one model. `kind`: how the ledger names these calls."""

    def __init__(
        self,
        url: str,
        *,
        kind: str,
        model: str,
        key_env: str | None,
        ledger: Ledger,
        patience: Patience = Patience(),
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self.url = url
        self._kind, self._model, self._ledger = kind, model, ledger
        self._key, self._patience, self._sleep = _Key(key_env), patience, sleep
        self._client = httpx.Client(timeout=patience.timeout, auth=self._key)
        weakref.finalize(self, self._client.close)

    def ask(self, body: Mapping[str, Any], read: Callable[[bytes], Answer[T]]) -> T:
        """The answer to `body`, from the ledger where the same request ended well before.

        `read` takes the response apart and raises ModelFailed where it cannot be used; such a response is recorded as
        unparsed, or as the Unusable says, and not asked for again by itself. ModelFailed after the last attempt.
        """
        sent = json.dumps(body, ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode(
            "utf-8", "surrogatepass"
        )
        request = hashlib.sha256(b"\0".join((self._kind.encode(), self.url.encode(), sent))).hexdigest()
        known = self._ledger.find(request)
        if known is not None and known.response is not None:
            return read(known.response).value
        self._key.check()
        attempt = 0
        while True:
            attempt += 1
            answer, problem = self._attempt(sent, request, read)
            if answer is not None:
                return answer.value
            self._wait(problem, attempt)

    def _attempt(
        self, sent: bytes, request: str, read: Callable[[bytes], Answer[T]]
    ) -> tuple[Answer[T] | None, _Passing]:
        """One call, recorded. None where another attempt may help."""
        number, begun = self._ledger.begin(self._kind, self._model, request), time.monotonic()
        try:
            response = self._client.post(self.url, content=sent, headers={"content-type": "application/json"})
        except httpx.HTTPError as problem:
            said = self._key.hidden(f"{type(problem).__name__}: {problem}")
            detail = f"no answer ({said})" + ("" if isinstance(problem, httpx.ConnectError) else "; possibly paid")
            self._ledger.finish(number, Outcome.ERROR, seconds=time.monotonic() - begun, detail=detail)
            if not isinstance(problem, httpx.TransportError):
                raise ModelFailed(f"{self.url}: {detail}") from None
            return None, _Passing(detail)
        seconds = time.monotonic() - begun
        raw = self._key.hidden_bytes(response.content)
        if response.status_code != httpx.codes.OK:
            detail = f"HTTP {response.status_code} {_quoted(raw)}"
            self._ledger.finish(number, Outcome.ERROR, seconds=seconds, detail=detail, response=raw)
            if _may_pass(response.status_code):
                return None, _Passing(detail, _seconds_asked(response.headers.get("retry-after")))
            raise ModelFailed(f"{self.url} answered {detail}", remedy=self._remedy(response.status_code))
        try:
            answer = read(raw)
        except Unusable as problem:
            self._ledger.finish(
                number,
                problem.outcome,
                seconds=seconds,
                detail=problem.message,
                input_tokens=problem.input_tokens,
                output_tokens=problem.output_tokens,
                response=raw,
            )
            raise
        except ModelFailed as problem:
            self._ledger.finish(number, Outcome.UNPARSED, seconds=seconds, detail=problem.message, response=raw)
            raise
        self._ledger.finish(
            number,
            Outcome.OK,
            seconds=seconds,
            input_tokens=answer.input_tokens,
            output_tokens=answer.output_tokens,
            response=raw,
        )
        return answer, _Passing("")

    def _wait(self, problem: _Passing, attempt: int) -> None:
        patience = self._patience
        tried = f"{self.url} failed {attempt} times, the last: {problem.detail}"
        if attempt >= patience.attempts:
            raise ModelFailed(tried, remedy="Run it again later: what was recorded is not asked for again.")
        if problem.asked is not None and problem.asked > patience.longest_wait:
            raise ModelFailed(
                f"{tried}; it asks to wait {problem.asked:.0f} s",
                remedy=f"Run it again then, or allow longer waits than {patience.longest_wait:.0f} s.",
            )
        own = min(patience.first_wait * 2 ** (attempt - 1), patience.longest_wait)
        self._sleep(own if problem.asked is None else problem.asked)

    def _remedy(self, status: int) -> str:
        if status in (httpx.codes.UNAUTHORIZED, httpx.codes.FORBIDDEN):
            return f"Check the key in {self._key.variable}." if self._key.variable else "Name the key with `key_env`."
        if status == httpx.codes.NOT_FOUND:
            return "Check the address and the name of the model; the address usually ends in /v1."
        if status == httpx.codes.BAD_REQUEST:
            return "Check the model's name and its limits: texts too long, empty texts, `dimensions` it does not know."
        return "Check the address."


@dataclass(frozen=True, slots=True)
class _Passing:
    """A problem that may pass. `asked`: how many seconds the server asks to wait."""

    detail: str
    asked: float | None = None


class _Key(httpx.Auth):
    """Puts the key on a request as it leaves, so that it lives in no variable of ours in between."""

    def __init__(self, variable: str | None) -> None:
        self.variable = variable

    def check(self) -> None:
        if self.variable is None:
            return
        if not self._value():
            raise BadInput(
                f"the environment variable {self.variable} is not set, and the endpoint's key is to come from it",
                remedy=f"export {self.variable}=…, or leave `key_env` out for an endpoint without a key.",
            )
        if not (self._value().isascii() and self._value().isprintable() and " " not in self._value()):
            raise BadInput(
                f"the environment variable {self.variable} holds spaces, line ends or other characters no key has",
                remedy="Set it again; its value is not shown here.",
            )

    def auth_flow(self, request: httpx.Request) -> Generator[httpx.Request, httpx.Response, None]:
        if self.variable is not None:
            request.headers["Authorization"] = f"Bearer {self._value()}"
        yield request

    def hidden(self, text: str) -> str:
        return self.hidden_bytes(text.encode("utf-8", "replace")).decode("utf-8", "replace")

    def hidden_bytes(self, raw: bytes) -> bytes:
        """Without the key, also where its characters are escaped as JSON, addresses and HTML do.

        A word shorter than a key ("none", "x") is a placeholder, and would tear the JSON.
        """
        secret = self._value()
        return re.sub(_in_any_guise(secret), _HIDDEN.encode(), raw) if len(secret) >= _SHORTEST_KEY else raw

    def _value(self) -> str:
        return os.environ.get(self.variable, "").strip() if self.variable else ""


def _in_any_guise(secret: str) -> bytes:
    """A pattern for ASCII text, each character as it is or as \\uXXXX, \\/, %XX, &#N; or &#xX;."""
    return b"".join(map(_character_in_any_guise, secret))


def _character_in_any_guise(character: str) -> bytes:
    code, plain = ord(character), re.escape(character)
    slash = r"\\*" if character == "/" else ""
    return rf"(?:{slash}{plain}|\\+u00(?i:{code:02x})|%(?i:{code:02x})|&#0*{code};|&#[xX]0*(?i:{code:x});)".encode()


def _may_pass(status: int) -> bool:
    """Too busy, too slow or broken for now; 501 says that it will never be otherwise."""
    slow_or_busy = (httpx.codes.REQUEST_TIMEOUT, httpx.codes.TOO_MANY_REQUESTS)
    return status in slow_or_busy or (status >= 500 and status != httpx.codes.NOT_IMPLEMENTED)


def _quoted(raw: bytes) -> str:
    """What a server said, on one line, cut."""
    said = " ".join(raw.decode("utf-8", "replace").split())
    shown = "".join(character if character.isprintable() else "�" for character in said[:_QUOTED])
    return shown + ("…" if len(said) > _QUOTED else "")


def _seconds_asked(header: str | None) -> float | None:
    """Retry-After as seconds: a number or an HTTP date (RFC 9110 §10.2.3); None where it is missing or unreadable."""
    if header is None:
        return None
    try:
        seconds = float(header)
        return max(0.0, seconds) if math.isfinite(seconds) else None
    except ValueError:
        pass
    try:
        when = parsedate_to_datetime(header)
    except ValueError:
        return None
    if when.tzinfo is None:
        when = when.replace(tzinfo=UTC)
    return max(0.0, (when - datetime.now(UTC)).total_seconds())
