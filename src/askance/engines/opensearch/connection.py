"""Requests to a cluster: sent to whichever host answers, tried again where that may help, errors in plain words."""

from __future__ import annotations

import json
import logging
import os
import ssl
from collections.abc import Iterable, Mapping
from pathlib import Path
from types import TracebackType
from typing import Any
from urllib.parse import quote

from askance.core.errors import BadInput, MissingExtra
from askance.engines.opensearch.address import PASSWORD, TOKEN, USER, Address
from askance.engines.opensearch.problems import (
    BadAnswer,
    Busy,
    ClusterProblem,
    NoSuchIndex,
    Partial,
    Refused,
    Rejected,
    Unreachable,
    Untrusted,
    reason_of,
)
from askance.engines.opensearch.waits import Waits

OLDEST, NEWEST = (2, 11), (3, 999)  # versions that are known to answer as the embedded engine does

_AGAIN = {429, 502, 503, 504}  # try it again
_UNDONE = {429, 503}  # of these the server itself says that nothing was done; a gateway does not know
_FIRST_TRIES = 3
_READS = ("/_search", "/_count", "/point_in_time")  # of every shard one copy answers, or the answer lacks a part
_encode = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), allow_nan=False).encode
_LINES = {"content-type": "application/x-ndjson"}
_JSON = {"content-type": "application/json"}


class Connection:
    """A cluster, reached. Use `open`; close it, or use it in a with statement."""

    def __init__(self, address: Address, client: Any, waits: Waits) -> None:
        self.address, self.waits = address, waits
        self._client = client
        self._version: tuple[int, int, int] | None = None
        self._reached = False  # a host that never answered is asked fewer times

    @classmethod
    def open(
        cls, address: Address, waits: Waits | None = None, environment: Mapping[str, str] = os.environ
    ) -> Connection:
        """Nothing is sent yet. MissingExtra without the client; BadInput for authorities that are not there."""
        try:
            import opensearchpy
        except ImportError:
            raise MissingExtra("an index on OpenSearch", "pip install 'askance[opensearch]'") from None
        _quieten()
        if address.ca is not None:
            _check_authorities(address.ca)
        how: dict[str, Any] = {}
        if address.tls:
            how = {"use_ssl": True, "verify_certs": True, "ssl_assert_hostname": None}
            if address.ca is not None:
                how["ca_certs"] = str(address.ca)
        client = opensearchpy.OpenSearch(
            hosts=[{"host": host, "port": port} for host, port in address.hosts],
            connection_class=opensearchpy.Urllib3HttpConnection,
            timeout=address.timeout,
            max_retries=0,  # tried again here, with waiting
            retry_on_timeout=False,
            dead_timeout=5,
            pool_maxsize=8,
            **how,
            **_proof(address, environment),
        )
        return cls(address, client, waits or Waits())

    def __enter__(self) -> Connection:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"Connection({self.address.shown})"

    def close(self) -> None:
        """Give the connections back."""
        self._client.close()

    @property
    def version(self) -> tuple[int, int, int]:
        """The server's. BadInput where it is no OpenSearch, or older than the oldest that is known to do."""
        if self._version is None:
            answer = self.send("GET", "/")
            told = answer.get("version") if isinstance(answer, Mapping) else None
            told = told if isinstance(told, Mapping) else {}
            number = str(told.get("number", ""))
            parts = number.partition("-")[0].split(".")
            if told.get("distribution") != "opensearch" or len(parts) != 3 or not all(map(str.isdigit, parts)):
                raise BadInput(
                    f"{self.address.shown}: this server is no OpenSearch (it says {told.get('distribution')!r} "
                    f"{number!r})",
                    remedy=f"askance speaks with OpenSearch {OLDEST[0]}.{OLDEST[1]} and newer.",
                )
            version = int(parts[0]), int(parts[1]), int(parts[2])
            if version[:2] < OLDEST:
                raise BadInput(
                    f"{self.address.shown}: OpenSearch {number} is too old",
                    remedy=f"askance speaks with OpenSearch {OLDEST[0]}.{OLDEST[1]} and newer.",
                )
            self._version = version
        return self._version

    @property
    def legacy_scale(self) -> bool:
        """Whether the server's BM25 scores have the factor k1 + 1 = 2.2: those of OpenSearch 2 do."""
        return self.version[0] < 3

    def send(
        self,
        method: str,
        path: str,
        body: Any = None,
        parameters: Mapping[str, str] | None = None,
        *,
        repeatable: bool = True,
        timeout: float | None = None,
    ) -> Any:
        """One request, and what it answers, decoded. Bytes are sent as lines of JSON.

        It is tried again while the cluster says that it is busy, and where `repeatable` also where no answer came back,
        or one that lacks a part. Errors as in problems.py.
        """
        path = quote(path, safe="/*,")  # an index may be called by any letters
        payload = body if body is None or isinstance(body, bytes) else encoded(body)
        headers = _LINES if isinstance(body, bytes) else _JSON
        failed = 0
        while True:
            try:
                answer = self._send(method, path, payload, parameters, headers, timeout)
                self._reached = True
                self._refuse_part(method, path, answer)
                return answer
            except (Busy, Unreachable, BadAnswer, Partial) as problem:
                failed += 1
                again = repeatable or (isinstance(problem, Busy) and problem.undone)
                if not again or failed >= self._tries():
                    raise
                self.waits.wait(failed)

    def _tries(self) -> int:
        if self._reached:
            return self.waits.tries
        return min(max(_FIRST_TRIES, len(self.address.hosts)), self.waits.tries)  # each host once at least

    def _send(
        self,
        method: str,
        path: str,
        payload: bytes | None,
        parameters: Mapping[str, str] | None,
        headers: Mapping[str, str],
        timeout: float | None,
    ) -> Any:
        from opensearchpy import exceptions

        try:
            answer = self._client.transport.perform_request(
                method, path, params=dict(parameters or {}), body=payload, timeout=timeout, headers=dict(headers)
            )
        except exceptions.SSLError as error:
            raise self._untrusted(error) from None
        except exceptions.ConnectionTimeout:
            waited = timeout or self.address.timeout
            raise Unreachable(
                f"{self.address.shown}: no answer to {method} {path} within {waited:g} s",
                remedy="Is the cluster overloaded? Give it more time: ?timeout=SECONDS",
            ) from None
        except exceptions.ConnectionError as error:
            if "CERTIFICATE_VERIFY_FAILED" in str(error) or "SSLError" in str(error):
                raise self._untrusted(error) from None
            raise Unreachable(
                f"{self.address.shown}: cannot be reached ({_cause(error)})",
                remedy="Is the host right, and does the cluster run? Try: curl http(s)://HOST:9200",
            ) from None
        except exceptions.SerializationError:
            raise self._no_answer(method, path) from None
        except exceptions.TransportError as error:
            raise self._problem(method, path, error) from None
        except AttributeError:  # the client reads every error's body as a mapping; something in between sent a list
            raise self._no_answer(method, path, "is an error that no cluster gives") from None
        if not isinstance(answer, (Mapping, list, bool)):  # plain text, a lone value, nothing
            raise self._no_answer(method, path)
        return answer

    def _refuse_part(self, method: str, path: str, answer: Any) -> None:
        """Partial where shards did not answer, or not in time.

        A shard of which no copy is there is no failure to the server: `failed` is 0, `successful` less than `total`.
        """
        shards = answer.get("_shards") if isinstance(answer, Mapping) else None
        if not isinstance(shards, Mapping):
            return
        lacking = int(shards.get("failed", 0))
        if path.endswith(_READS):
            lacking = max(lacking, int(shards.get("total", 0)) - int(shards.get("successful", 0)))
        if lacking or answer.get("timed_out"):
            told = f"{lacking} of {shards.get('total')} shards" if lacking else "not all shards"
            verb = "did not answer" if lacking else "answered in time"
            raise Partial(
                f"{self.address.shown}: {method} {path}: {told} {verb}",
                remedy="Look at GET /_cluster/health, and ask again when the cluster is whole.",
            )

    def _no_answer(self, method: str, path: str, what: str = "is no JSON") -> BadAnswer:
        return BadAnswer(
            f"{self.address.shown}: the answer to {method} {path} {what}",
            remedy="Is there something between here and the cluster that answers in its place?",
        )

    def _problem(self, method: str, path: str, error: Any) -> Exception:
        shown, status = self.address.shown, error.status_code
        info = error.info if isinstance(error.info, Mapping) else {}
        kind, reason = reason_of(info.get("error", error.error))
        said = f"{shown}: {method} {path}: {status} {kind}: {reason}" if kind else f"{shown}: {method} {path}: {status}"
        if status in (401, 403) and kind != "cluster_block_exception":
            return Refused(
                f"{shown}: the cluster does not let us {method} {path} ({status})",
                remedy=f"Set {USER} and {PASSWORD}, or {TOKEN}, in the environment; has this user the right to do so?",
            )
        if status in _AGAIN:
            return Busy(
                said,
                remedy="The cluster is busy or not whole: look at GET /_cluster/health, and try later.",
                undone=status in _UNDONE,
            )
        if status == 404 and kind in ("index_not_found_exception", ""):
            return NoSuchIndex(
                f"{shown}: there is no index {path.split('/')[1]!r}", remedy="Was it replaced? Open it again."
            )
        remedy = _REMEDIES.get(kind) or next((_REMEDIES[one] for one in _causes(info) if one in _REMEDIES), None)
        if kind == "cluster_block_exception":
            remedy = "Writing is blocked: is a disk full, or is somebody else changing this index just now?"
        return Rejected(said, status=int(status), kind=kind, remedy=remedy)

    def _untrusted(self, error: Any) -> ClusterProblem:
        if "CERTIFICATE" not in str(error).upper() and "doesn't match" not in str(error):
            return Unreachable(
                f"{self.address.shown}: no encrypted connection comes about ({_cause(error)})",
                remedy="Does this port speak TLS? If not, and the network is trusted: ?tls=off",
            )
        return Untrusted(
            f"{self.address.shown}: the certificate cannot be verified ({_cause(error)})",
            remedy="Name the file of the authority that signed it: ?ca=FILE. Certificates are always verified.",
        )


def encoded(body: Any) -> bytes:
    """JSON on one line. UnicodeEncodeError for half a character."""
    return _encode(body).encode()


def lines(bodies: Iterable[Any]) -> bytes:
    """Lines of JSON."""
    return b"".join(encoded(body) + b"\n" for body in bodies)


_REMEDIES = {
    "too_many_nested_clauses": "Ask for fewer words at once, or raise indices.query.bool.max_clause_count.",
    "too_many_clauses": "Ask for fewer words at once, or raise indices.query.bool.max_clause_count.",
    "search_context_missing_exception": "The point in time ran out: ask again, for fewer documents at once.",
    "circuit_breaking_exception": "The cluster is out of memory for this request: ask for less at once.",
}


def _proof(address: Address, environment: Mapping[str, str]) -> dict[str, Any]:
    """What shows who we are."""
    if address.auth == "basic":
        return {"http_auth": (environment[USER], environment[PASSWORD])}
    if address.auth == "bearer":
        return {"headers": {"authorization": f"Bearer {environment[TOKEN]}"}}
    if address.auth == "aws":
        from askance.engines.opensearch.aws import signer

        return {"http_auth": signer(address)}
    return {}


def _check_authorities(path: Path) -> None:
    remedy = "Name a PEM file by ?ca=FILE"
    if not path.is_file():
        raise BadInput(f"{path}: there is no such file of authorities", remedy=remedy)
    try:
        ssl.create_default_context(cafile=str(path))
    except OSError as problem:
        raise BadInput(f"{path}: holds no certificate of an authority ({problem.strerror})", remedy=remedy) from None


def _quieten() -> None:
    """What the client library warns of is said in our errors."""
    logger = logging.getLogger("opensearch")
    if not logger.handlers:
        logger.addHandler(logging.NullHandler())


def _causes(info: Mapping[str, Any]) -> list[str]:
    """What the server calls the innermost causes of an error."""
    error = info.get("error")
    found = error.get("root_cause", []) if isinstance(error, Mapping) else []
    return [str(cause.get("type")) for cause in found if isinstance(cause, Mapping)]


def _cause(error: Any) -> str:
    inner = getattr(error, "info", None) or error
    told = " ".join(str(inner).split())
    return told if len(told) <= 200 else f"{told[:200]}…"
