"""The address of an endpoint, as a study file gives it."""

from __future__ import annotations

from typing import Annotated

import httpx
from pydantic import AfterValidator


def plain_address(address: str) -> str:
    """`address` without a slash at its end; ValueError unless it is http(s) with a host, and without any secret."""
    try:
        parts = httpx.URL(address)
    except httpx.InvalidURL:
        raise ValueError("expected an address like https://host/v1") from None
    if parts.scheme not in ("http", "https") or not parts.host or not 0 < (parts.port or 1) < 65536:
        raise ValueError("expected an address like https://host/v1")
    if parts.userinfo or parts.query or parts.fragment:
        raise ValueError("expected an address without user, password, query or fragment; keys go by `key_env`")
    return address.rstrip("/")


Address = Annotated[str, AfterValidator(plain_address)]
