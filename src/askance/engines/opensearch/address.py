"""Where an index on OpenSearch is: opensearch://host[:port][,host…]/index[?option=value&…].

Secrets are never part of it. They come from the environment: OPENSEARCH_USER and OPENSEARCH_PASSWORD, or
OPENSEARCH_TOKEN, or what the SDK of AWS reads.
"""

from __future__ import annotations

import ipaddress
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal
from urllib.parse import parse_qsl

from askance.core.errors import BadInput, UnknownName

SCHEME = "opensearch"
PORT = 9200

Auth = Literal["none", "basic", "bearer", "aws"]

USER, PASSWORD, TOKEN = "OPENSEARCH_USER", "OPENSEARCH_PASSWORD", "OPENSEARCH_TOKEN"

_FORM = "Write opensearch://HOST[:PORT]/INDEX, for example opensearch://localhost:9200/papers"
_SWITCH = {"on": True, "off": False}
_AUTHS: tuple[Auth, ...] = ("none", "basic", "bearer", "aws")
_SERVICES = ("es", "aoss")
_FORBIDDEN = set(' \\/*?"<>|,#:')
_LONGEST_INDEX = 240  # bytes: OpenSearch takes 255, and what holds the documents has a longer name
_OPTIONS = ("tls", "ca", "auth", "region", "service", "shards", "replicas", "dfs", "fusion", "timeout")


@dataclass(frozen=True)
class Address:
    """An index on a cluster.

    `hosts`: names with ports, any of which answers. `tls`, `ca`: whether the connection is encrypted, and a file of
    authorities to trust. `auth`: how the client proves who it is; `region`, `service`: of AWS. `shards`, `replicas`: of
    an index that is built here. `dfs`: words are counted over all shards. `server_fusion`: fusions are left
    to the server's plugin. `timeout`: seconds an answer may take.
    """

    hosts: tuple[tuple[str, int], ...]
    index: str
    tls: bool
    ca: Path | None = None
    auth: Auth = "none"
    region: str | None = None
    service: str = "es"
    shards: int = 1
    replicas: int = 0
    dfs: bool = False
    server_fusion: bool = False
    timeout: float = 60.0

    @property
    def shown(self) -> str:
        """The place as it may be printed."""
        return f"{SCHEME}://{','.join(_host(name, port) for name, port in self.hosts)}/{self.index}"


def is_address(place: str | Path) -> bool:
    """Whether a place is one on OpenSearch."""
    return str(place).startswith(f"{SCHEME}://")


def address_of(place: str, environment: Mapping[str, str] = os.environ) -> Address:
    """The address that a place names. BadInput where it is none, holds a secret, or would send one unencrypted."""
    rest = place.removeprefix(f"{SCHEME}://")
    where, _, options = rest.partition("?")
    names, _, index = where.partition("/")
    _check_no_secret(rest, where)
    hosts = tuple(_host_of(name, place) for name in names.split(","))
    _check_index(index)
    told = _options(options)
    local = all(_is_local(name) for name, _ in hosts)
    auth = _auth(told, environment)
    tls = _switch(told, "tls", not local)
    if auth != "none" and not tls and not local:
        raise BadInput(
            f"{SCHEME}://{names}/{index}: credentials would go over the network unencrypted",
            remedy="Leave out tls=off.",
        )
    service = told.get("service", "es")
    if service not in _SERVICES:
        raise UnknownName("service of AWS", service, _SERVICES)
    return Address(
        hosts=hosts,
        index=index,
        tls=tls,
        ca=Path(told["ca"]) if "ca" in told else None,
        auth=auth,
        region=told.get("region"),
        service=service,
        shards=_number(told, "shards", 1, 1, 1024),
        replicas=_number(told, "replicas", 0, 0, 100),
        dfs=_switch(told, "dfs", False),
        server_fusion=_fusion(told),
        timeout=float(_number(told, "timeout", 60, 1, 86_400)),
    )


def _check_no_secret(rest: str, where: str) -> None:
    """What stands before an @ may be a password, and a password may hold / and ?: none of it is shown."""
    options = rest[len(where) :]
    suspect = where + options.partition("=")[0] if "/" in where else rest  # a file's name may hold an @
    if "@" in suspect or "%40" in suspect:
        raise BadInput(
            f"{SCHEME}://…: a place holds no user and no password",
            remedy=f"Leave them out, with the @, and set {USER} and {PASSWORD} in the environment.",
        )


def _host_of(told: str, place: str) -> tuple[str, int]:
    name, port = told, ""
    if told.startswith("["):
        name, _, after = told[1:].partition("]")
        port = after.removeprefix(":")
    elif ":" in told:
        name, _, port = told.partition(":")
    if not name or not _is_number(port or str(PORT), 1, 65_535):
        raise BadInput(f"{place.partition('?')[0]!r}: {told!r} is no host", remedy=_FORM)
    return name, int(port or PORT)


def _host(name: str, port: int) -> str:
    return f"[{name}]:{port}" if ":" in name else f"{name}:{port}"


def _is_local(name: str) -> bool:
    if name == "localhost":
        return True
    try:
        return ipaddress.ip_address(name).is_loopback
    except ValueError:
        return False


def _check_index(index: str) -> None:
    wrong = None
    if not index:
        wrong = "there is no index"
    elif index != index.lower():
        wrong = f"{index!r} has capital letters"
    elif _FORBIDDEN.intersection(index):
        listed = " ".join(sorted(map(repr, _FORBIDDEN.intersection(index))))
        wrong = f"{index!r} holds {listed}"
    elif index[0] in "_-+." or index in (".", ".."):
        wrong = f"{index!r} begins with {index[0]!r}"
    elif len(index.encode()) > _LONGEST_INDEX:
        wrong = f"the name has {len(index.encode())} bytes; up to {_LONGEST_INDEX} are taken"
    if wrong:
        raise BadInput(f"as the name of an index on OpenSearch, {wrong}", remedy=_FORM)


def _options(text: str) -> dict[str, str]:
    told: dict[str, str] = {}
    for name, value in parse_qsl(text, keep_blank_values=True):
        if name not in _OPTIONS:
            raise UnknownName("option of a place on OpenSearch", name, _OPTIONS)
        if name in told:
            raise BadInput(f"the option {name} is given twice", remedy="Give it once.")
        told[name] = value
    return told


def _auth(told: Mapping[str, str], environment: Mapping[str, str]) -> Auth:
    basic = bool(environment.get(USER)) and PASSWORD in environment
    bearer = bool(environment.get(TOKEN))
    found: Auth = "bearer" if bearer else "basic" if basic else "none"
    asked = told.get("auth", found)
    if asked not in _AUTHS:
        raise UnknownName("way to prove who one is", asked, _AUTHS)
    if asked == "basic" and not basic:
        raise BadInput(f"auth=basic: {USER} and {PASSWORD} are not set", remedy="Set both in the environment.")
    if asked == "bearer" and not bearer:
        raise BadInput(f"auth=bearer: {TOKEN} is not set", remedy="Set it in the environment.")
    return next(auth for auth in _AUTHS if auth == asked)


def _switch(told: Mapping[str, str], name: str, default: bool) -> bool:
    value = told.get(name)
    if value is None:
        return default
    if value not in _SWITCH:
        raise BadInput(f"{name}={value}", remedy=f"Write {name}=on or {name}=off.")
    return _SWITCH[value]


def _fusion(told: Mapping[str, str]) -> bool:
    value = told.get("fusion", "client")
    if value not in ("client", "server"):
        raise BadInput(f"fusion={value}", remedy="Write fusion=client (the default) or fusion=server.")
    return value == "server"


def _number(told: Mapping[str, str], name: str, default: int, least: int, most: int) -> int:
    value = told.get(name)
    if value is None:
        return default
    if not _is_number(value, least, most):
        raise BadInput(f"{name}={value}", remedy=f"Give a whole number from {least} to {most:,}.")
    return int(value)


def _is_number(text: str, least: int, most: int) -> bool:
    return text.isascii() and text.isdigit() and len(text) <= 9 and least <= int(text) <= most
