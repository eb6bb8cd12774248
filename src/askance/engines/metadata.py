"""Metadata as keywords: one for each key and value, typed, so that no schema of the keys is needed.

A keyword reads `length of key:key:kind value`, kind one of s (text), n (number), b (yes or no).
"""

from __future__ import annotations

import math
from collections.abc import Mapping

from askance.core.errors import DataProblem

Value = str | float | bool

KINDS = {"s": "text", "n": "number", "b": "yes or no"}
_LONGEST = 8000  # characters; tantivy drops a keyword above 65,530 bytes


def keywords_of(metadata: Mapping[str, Value], document: str) -> list[str]:
    """The keywords of a document's metadata; DataProblem, naming the document, for a value that cannot be kept."""
    try:
        return [keyword_of(key, value) for key, value in metadata.items()]
    except ValueError as problem:
        raise DataProblem(f"document {document!r}, metadata: {problem}") from None


def keyword_of(key: str, value: Value) -> str:
    """The keyword of one value; ValueError where it is no text, number or yes/no, no number at all, or too long."""
    return prefix_of(key, kind_of(value, key)) + _written(value, key)


def prefix_of(key: str, kind: str) -> str:
    """What all keywords of a key and kind begin with."""
    return f"{len(key)}:{key}:{kind}"


def kind_of(value: Value, key: str = "") -> str:
    """s, n or b."""
    if isinstance(value, bool):
        return "b"
    if isinstance(value, int | float):
        return "n"
    if isinstance(value, str):
        return "s"
    raise ValueError(f"{key!r} is a {type(value).__name__}; text, a number or true/false is expected")


def value_in(keyword: str, prefix: str) -> Value:
    """The value of a keyword that begins with `prefix`."""
    written = keyword[len(prefix) :]
    kind = prefix[-1]
    if kind == "n":
        return float(written)
    return written == "true" if kind == "b" else written


def _written(value: Value, key: str) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        if math.isnan(value):
            raise ValueError(f"{key!r} is not a number (NaN)")
        return repr(float(value) + 0.0)  # -0 is 0
    if len(value) + len(key) > _LONGEST:
        raise ValueError(f"{key!r} has {len(value)} characters; up to {_LONGEST} can be asked for")
    return value
