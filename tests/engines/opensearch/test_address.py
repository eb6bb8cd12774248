"""What names an index on OpenSearch."""

from __future__ import annotations

from pathlib import Path

import pytest

from askance.core.errors import BadInput
from askance.engines.opensearch.address import Address, address_of, is_address

BASIC = {"OPENSEARCH_USER": "ann", "OPENSEARCH_PASSWORD": "s3cret"}
BEARER = {"OPENSEARCH_TOKEN": "t0ken"}


@pytest.mark.parametrize(
    ("place", "expected"),
    [
        ("opensearch://localhost/papers", Address((("localhost", 9200),), "papers", tls=False)),
        ("opensearch://127.0.0.9:1/p", Address((("127.0.0.9", 1),), "p", tls=False)),
        ("opensearch://[::1]:9/p", Address((("::1", 9),), "p", tls=False)),
        ("opensearch://[::1]/p", Address((("::1", 9200),), "p", tls=False)),
        ("opensearch://a.org/p", Address((("a.org", 9200),), "p", tls=True)),
        ("opensearch://a,b:2/p", Address((("a", 9200), ("b", 2)), "p", tls=True)),
        ("opensearch://localhost,b/p", Address((("localhost", 9200), ("b", 9200)), "p", tls=True)),
        ("opensearch://a/p?tls=off", Address((("a", 9200),), "p", tls=False)),
        ("opensearch://localhost/p?tls=on", Address((("localhost", 9200),), "p", tls=True)),
        ("opensearch://a/p?ca=/x@y.pem", Address((("a", 9200),), "p", tls=True, ca=Path("/x@y.pem"))),
        (
            "opensearch://a/p?shards=3&replicas=1&dfs=on&timeout=5&fusion=server",
            Address((("a", 9200),), "p", True, shards=3, replicas=1, dfs=True, server_fusion=True, timeout=5),
        ),
        (
            "opensearch://a/p?auth=aws&region=eu-west-1&service=aoss",
            Address((("a", 9200),), "p", True, auth="aws", region="eu-west-1", service="aoss"),
        ),
    ],
)
def test_places(place: str, expected: Address) -> None:
    assert address_of(place, {}) == expected


@pytest.mark.parametrize(
    ("environment", "option", "auth"),
    [
        ({}, "", "none"),
        (BASIC, "", "basic"),
        (BEARER, "", "bearer"),
        (BASIC | BEARER, "", "bearer"),
        (BASIC | BEARER, "?auth=basic", "basic"),
        (BASIC, "?auth=none", "none"),
        ({"OPENSEARCH_USER": "ann"}, "", "none"),
    ],
)
def test_the_environment_says_who_one_is(environment: dict[str, str], option: str, auth: str) -> None:
    address = address_of(f"opensearch://a/p{option}", environment)
    assert address.auth == auth
    assert "s3cret" not in repr(address)
    assert "t0ken" not in repr(address)


@pytest.mark.parametrize(
    ("place", "match"),
    [
        ("opensearch://", "no host"),
        ("opensearch://a", "no index"),
        ("opensearch://a/", "no index"),
        ("opensearch:///p", "no host"),
        ("opensearch://a,/p", "no host"),
        ("opensearch://a:0/p", "no host"),
        ("opensearch://a:65536/p", "no host"),
        ("opensearch://a:x/p", "no host"),
        ("opensearch://a:٣/p", "no host"),
        (f"opensearch://a:{'9' * 5000}/p", "no host"),
        ("opensearch://a/Papers", "capital letters"),
        ("opensearch://a/p/q", "holds '/'"),
        ("opensearch://a/p*", r"holds '\*'"),
        ("opensearch://a/p q", "holds ' '"),
        ("opensearch://a/_p", "begins with '_'"),
        ("opensearch://a/.p", "begins with"),
        ("opensearch://a/-p", "begins with '-'"),
        (f"opensearch://a/{'ä' * 121}", "242 bytes"),
        ("opensearch://a/p?shard=3", "Did you mean 'shards'"),
        ("opensearch://a/p?shards=3&shards=4", "given twice"),
        ("opensearch://a/p?shards=0", "from 1 to"),
        (f"opensearch://a/p?shards={'9' * 5000}", "from 1 to"),
        ("opensearch://a/p?tls=yes", "tls=on or tls=off"),
        ("opensearch://a/p?auth=digest", "Known: none, basic, bearer, aws"),
        ("opensearch://a/p?auth=basic", "OPENSEARCH_PASSWORD are not set"),
        ("opensearch://a/p?auth=bearer", "OPENSEARCH_TOKEN is not set"),
        ("opensearch://a/p?service=s3", "Known: es, aoss"),
        ("opensearch://a/p?fusion=both", "fusion=client"),
    ],
)
def test_places_that_are_none(place: str, match: str) -> None:
    with pytest.raises(BadInput, match=match):
        address_of(place, {})


@pytest.mark.parametrize(
    "place",
    [
        "opensearch://ann:s3cret@a/p",
        "opensearch://ann:s3cret%40a/p",
        "opensearch://ann:s3cret/x@a/p",
        "opensearch://ann:s3cret?x@a/p",
        "opensearch://ann:s3cret?x=1@a/p",
        "opensearch://ann:x/s3cret?s3cret@a/p",
        "opensearch://b,ann:s3cret@a/p?tls=on",
    ],
)
def test_a_password_is_refused_and_not_repeated(place: str) -> None:
    with pytest.raises(BadInput, match="no user and no password") as caught:
        address_of(place, {})
    assert "s3cret" not in str(caught.value)


@pytest.mark.parametrize("environment", [BASIC, BEARER])
def test_credentials_do_not_go_over_a_network_in_the_open(environment: dict[str, str]) -> None:
    for place in ("opensearch://a/p?tls=off", "opensearch://localhost,a/p?tls=off"):
        with pytest.raises(BadInput, match="unencrypted"):
            address_of(place, environment)
    assert not address_of("opensearch://localhost/p", environment).tls


def test_what_is_shown_is_a_place_again() -> None:
    shown = address_of("opensearch://[::1],a:7/p?tls=off&timeout=9", {}).shown
    assert shown == "opensearch://[::1]:9200,a:7/p"
    assert address_of(shown, {}).hosts == (("::1", 9200), ("a", 7))


@pytest.mark.parametrize(("place", "expected"), [("opensearch://a/p", True), ("data/x", False), (Path("x"), False)])
def test_is_address(place: str | Path, expected: bool) -> None:
    assert is_address(place) is expected
