"""Metadata as keywords of one field: typed, and in the order of their values, so that a range is one of keywords.

A keyword reads `length of key:key:kind value`, kind one of s (text), n (number), b (yes or no). Numbers are 16
hexadecimal digits that sort as the numbers do; text sorts by code point, as Lucene's keywords (bytes of UTF-8) do.
"""

from __future__ import annotations

import struct
from collections.abc import Mapping
from typing import Any

from askance.core.errors import BadInput, UnknownName
from askance.engines.metadata import KINDS, Value, keyword_of, kind_of, prefix_of
from askance.irl.nodes import Filter

FIELD = "metadata"

_SIGN = 1 << 63
_ALL = (1 << 64) - 1


def entries_of(metadata: Mapping[str, Value]) -> list[str]:
    """The keywords of a document; ValueError for a value that cannot be kept."""
    return [entry_of(key, value) for key, value in metadata.items()]


def entry_of(key: str, value: Value) -> str:
    """The keyword of one value; ValueError where it is no text, number or yes/no, no number at all, or too long."""
    if kind_of(value, key) != "n":
        return keyword_of(key, value)
    keyword_of(key, value)  # refuses what is no number
    return prefix_of(key, "n") + sortable(float(value))


def sortable(number: float) -> str:
    """16 digits whose order as text is that of the numbers; −0 and 0 are one."""
    (bits,) = struct.unpack(">Q", struct.pack(">d", number + 0.0))
    return f"{bits ^ _ALL if bits & _SIGN else bits | _SIGN:016x}"


def filter_body(clause: Filter, known: Mapping[str, Mapping[str, int]]) -> Mapping[str, Any]:
    """The query of a filter. UnknownName for a key that no document has; BadInput for a value of a kind that no
    document has under it. `known`: key → kind → documents."""
    if clause.key not in known:
        raise UnknownName("metadata key", clause.key, sorted(known))
    ends = [end for end in (clause.low, clause.high) if end is not None]
    for value in (*clause.values, *ends):
        _refuse_other_kind(clause.key, value, known[clause.key])
    if not ends:
        wanted = sorted({entry_of(clause.key, value) for value in clause.values})
        return {"terms": {FIELD: wanted}}
    prefix = prefix_of(clause.key, kind_of(ends[0]))
    low = entry_of(clause.key, clause.low) if clause.low is not None else prefix
    bounds = {"gte": low}
    if clause.high is not None:
        bounds["lte"] = entry_of(clause.key, clause.high)
    else:
        bounds["lt"] = prefix[:-1] + chr(ord(prefix[-1]) + 1)
    return {"range": {FIELD: bounds}}


def _refuse_other_kind(key: str, value: Value, kinds: Mapping[str, int]) -> None:
    kind = KINDS[kind_of(value, key)]
    if kind not in kinds:
        raise BadInput(
            f"filter on {key!r}: {value!r} is a {kind}, and its values are: {', '.join(sorted(kinds))}",
            remedy="Write text in quotes, and numbers without.",
        )
