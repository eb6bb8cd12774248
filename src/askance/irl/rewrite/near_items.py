"""Items that are nearly what was asked for: what an index may tell besides its vocabulary."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from typing import Protocol, runtime_checkable

from askance.irl.rewrite.spelling import all_close

_LEAST = 3  # letters
_MOST = 5
_LOOKED_AT = 200


@runtime_checkable
class NearItems(Protocol):
    """An index that can list items by how they begin. One that cannot has no near misses."""

    def near_items(self, key: str) -> tuple[str, ...]:
        """Keys of items whose words are those of `key` but for endings, closest first, at most five."""
        ...


def beginning(key: str) -> str:
    """What all keys near to `key` begin with; empty where its first word is too short to be told from others."""
    first = key.partition(" ")[0]
    return first[: max(_LEAST, len(first) - _LEAST)] if len(first) >= _LEAST else ""


def near_in(keys: Sequence[str], key: str) -> tuple[str, ...]:
    """`near_items` over all keys of an index, sorted by code point.

    They share the first letters with `key`, so that only neighbours in the order are looked at, at most 200.
    """
    words = key.split(" ")
    begin = beginning(key)
    if not begin:
        return ()
    found: list[str] = []
    for at in range(bisect_left(keys, begin), len(keys)):
        if not keys[at].startswith(begin) or len(found) == _LOOKED_AT:
            break
        if keys[at] != key and all_close(keys[at].split(" "), words):
            found.append(keys[at])
    found.sort(key=lambda near: (abs(len(near) - len(key)), near))
    return tuple(found[:_MOST])
