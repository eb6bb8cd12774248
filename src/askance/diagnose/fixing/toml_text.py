"""Values as lines of TOML."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

_BARE = re.compile(r"[A-Za-z0-9_-]+")


def pairs(told: Mapping[str, Any]) -> list[str]:
    """One line a key; None is no line."""
    return [f"{key(name)} = {_value(value)}" for name, value in told.items() if value is not None]


def key(name: str) -> str:
    """A key, quoted where it has to be."""
    return name if _BARE.fullmatch(name) else _string(name)


def _value(value: Any) -> str:
    if isinstance(value, Mapping):
        return "{ " + ", ".join(f"{key(str(name))} = {_value(one)}" for name, one in value.items()) + " }"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(_value(one) for one in value) + "]"
    if isinstance(value, bool | int | float):
        return json.dumps(value)
    return _string(str(value))


def _string(text: str) -> str:
    """A TOML basic string: JSON's escapes are TOML's, but for the one control character that JSON lets stand."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
