"""Who one is, what is never said of it, and which servers are spoken to."""

from __future__ import annotations

import base64
import hashlib
import logging

import pytest
from tests.engines.opensearch.scripted import Scripted, Step, cut_step, error_step, json_step

from askance.core.errors import AskanceError, BadInput
from askance.engines.opensearch.address import address_of
from askance.engines.opensearch.connection import Connection
from askance.engines.opensearch.waits import Waits

SECRET = "s3cret-of-ann"
BASIC = {"OPENSEARCH_USER": "ann", "OPENSEARCH_PASSWORD": SECRET}
BEARER = {"OPENSEARCH_TOKEN": SECRET}
CODED = base64.b64encode(f"ann:{SECRET}".encode()).decode()


def opened(server: Scripted, environment: dict[str, str], options: str = "") -> Connection:
    waits = Waits(tries=2, sleep=lambda _: None)
    return Connection.open(address_of(server.place(options=options), environment), waits, environment)


@pytest.mark.parametrize(
    ("environment", "sent"),
    [({}, None), (BASIC, f"Basic {CODED}"), (BEARER, f"Bearer {SECRET}")],
    ids=["none", "basic", "bearer"],
)
def test_who_one_is_goes_with_every_request(environment: dict[str, str], sent: str | None) -> None:
    with Scripted(json_step({})) as server, opened(server, environment) as connection:
        connection.send("GET", "/")
        connection.send("POST", "/_msearch", b"{}\n{}\n")
    for request in server.requests:
        told = {name.lower(): value for name, value in request.headers.items()}
        assert told.get("authorization") == sent
    assert [request.headers["content-type"] for request in server.requests] == [
        "application/json",
        "application/x-ndjson",
    ]


@pytest.mark.parametrize("environment", [BASIC, BEARER], ids=["basic", "bearer"])
@pytest.mark.parametrize(
    "step",
    [
        json_step({"ok": True}),
        error_step(401, "security_exception"),
        error_step(400, "parsing_exception"),
        error_step(503, "unavailable"),
        cut_step(),
        Step(body=b"<html>"),
    ],
    ids=["ok", "401", "400", "503", "cut", "no JSON"],
)
def test_secrets_are_said_nowhere(
    environment: dict[str, str], step: Step, caplog: pytest.LogCaptureFixture, capsys: pytest.CaptureFixture[str]
) -> None:
    said = []
    with caplog.at_level(logging.DEBUG), Scripted(step) as server, opened(server, environment) as connection:
        said += [repr(connection), repr(connection.address), connection.address.shown]
        try:
            connection.send("POST", "/papers/_search", {"query": {}})
        except AskanceError as problem:
            said += [repr(problem), str(problem), repr(problem.__cause__)]
    assert caplog.records  # the library did log
    formatter = logging.Formatter()
    said += [formatter.format(record) for record in caplog.records]
    said += list(capsys.readouterr())
    for one in said:
        assert SECRET not in one
        assert CODED not in one
        assert "uthorization" not in one


@pytest.mark.parametrize(("service", "option"), [("es", ""), ("aoss", "&service=aoss")])
def test_requests_are_signed_for_aws(service: str, option: str, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("botocore")
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "AKIDEXAMPLE")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", SECRET)
    monkeypatch.setenv("AWS_SESSION_TOKEN", "session-of-ann")
    body = b'{"index":"papers"}\n{}\n'
    with Scripted(json_step({})) as server, opened(server, {}, f"auth=aws&region=eu-west-1{option}") as connection:
        connection.send("POST", "/_msearch", body, parameters={"filter_path": "responses.hits,responses.error"})
        assert SECRET not in repr(connection)
    (request,) = server.requests
    told = {name.lower(): value for name, value in request.headers.items()}
    proof = told["authorization"]
    assert proof.startswith("AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/")
    assert f"/eu-west-1/{service}/aws4_request" in proof
    assert "x-amz-content-sha256" in proof
    assert told["x-amz-content-sha256"] == hashlib.sha256(body).hexdigest()
    assert told["x-amz-security-token"] == "session-of-ann"
    assert _signature(request.method, request.path, told, proof) == proof.rpartition("Signature=")[2]


def _signature(method: str, path: str, headers: dict[str, str], proof: str) -> str:
    """As AWS computes it from what arrives: Signature Version 4, "Create a signed request", of the IAM guide."""
    import hmac

    where, _, query = path.partition("?")
    signed = proof.partition("SignedHeaders=")[2].partition(",")[0].split(";")
    asked = "\n".join(
        [
            method,
            where,
            query,
            *(f"{name}:{headers[name]}" for name in signed),
            "",
            ";".join(signed),
            headers["x-amz-content-sha256"],
        ]
    )
    scope = proof.partition("Credential=")[2].partition(",")[0].partition("/")[2]
    told = "\n".join(["AWS4-HMAC-SHA256", headers["x-amz-date"], scope, hashlib.sha256(asked.encode()).hexdigest()])
    key = f"AWS4{SECRET}".encode()
    for part in scope.split("/"):
        key = hmac.digest(key, part.encode(), "sha256")
    return hmac.digest(key, told.encode(), "sha256").hex()


def test_without_a_region_or_credentials_nothing_is_signed(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("botocore")
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_PROFILE", "AWS_REGION", "AWS_DEFAULT_REGION"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("AWS_EC2_METADATA_DISABLED", "true")
    monkeypatch.setenv("AWS_CONFIG_FILE", "/nonexistent")
    monkeypatch.setenv("AWS_SHARED_CREDENTIALS_FILE", "/nonexistent")
    address = address_of("opensearch://a/p?auth=aws", {})
    with pytest.raises(BadInput, match="no credentials of AWS"):
        Connection.open(address, environment={})
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "AKIDEXAMPLE")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", SECRET)
    with pytest.raises(BadInput, match="no region"):
        Connection.open(address, environment={})


@pytest.mark.parametrize(
    ("told", "version", "legacy"),
    [
        ({"distribution": "opensearch", "number": "3.5.0"}, (3, 5, 0), False),
        ({"distribution": "opensearch", "number": "3.0.0-beta1"}, (3, 0, 0), False),
        ({"distribution": "opensearch", "number": "2.19.1"}, (2, 19, 1), True),
    ],
)
def test_versions(told: dict[str, str], version: tuple[int, int, int], legacy: bool) -> None:
    with Scripted(json_step({"version": told})) as server, opened(server, {}) as connection:
        assert connection.version == version
        assert connection.legacy_scale is legacy
    assert len(server.requests) == 1


@pytest.mark.parametrize(
    ("answer", "match"),
    [
        ({"version": {"distribution": "opensearch", "number": "2.3.0"}}, "too old"),
        ({"version": {"number": "8.1.0"}}, "no OpenSearch"),
        ({"version": {"distribution": "opensearch", "number": "new"}}, "no OpenSearch"),
        ({"hello": 1}, "no OpenSearch"),
        ({"version": "3.5.0"}, "no OpenSearch"),
        ([], "no OpenSearch"),
    ],
)
def test_other_servers_are_refused(answer: object, match: str) -> None:
    with (
        Scripted(json_step(answer)) as server,
        opened(server, {}) as connection,
        pytest.raises(BadInput, match=match),
    ):
        _ = connection.version
