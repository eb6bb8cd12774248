"""JSON lines of runs and judgments, read many at once; None where a line is anything but plain.

As with tables (table_blocks), nothing is guessed: the careful reader (json_rows) takes over where this one gives up.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from askance.core.errors import FileProblem
from askance.data.formats.blocks import read_blocks
from askance.data.formats.layouts import (
    DOCUMENT_NAMES,
    GRADE_NAMES,
    QUERY_NAMES,
    RANK_NAMES,
    SCORE_NAMES,
    TAG_NAMES,
    Kind,
    column_of,
)
from askance.data.formats.lines import read_lines
from askance.data.formats.packed import DamagedFile
from askance.data.formats.table_blocks import Gathered
from askance.data.interning import Interner
from askance.data.pair_columns import PairColumns

if TYPE_CHECKING:
    from polars import DataFrame

_AT_ONCE = 500_000
# Expressions for values, NAME being the group's; text that has an escape in it is left to the careful reader.
_TEXT = r'"(?P<NAME>[^"\\\x00-\x1f]+)"'
_WHOLE = r"(?P<NAME>0|[1-9][0-9]*)"
_NUMBER = r"(?P<NAME>-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?)"


def read_hits_blocks(path: Path, documents: Interner) -> PairColumns | None:
    """The rows of lines `{"query": …, "hits": [[document, score], …]}`."""
    from polars import DataFrame, Series, String

    gathered = Gathered(documents)
    queries: dict[str, None] = {}
    names: list[str] = []
    listed: list[str] = []
    scores: list[float] = []

    def take() -> bool:
        # names with half a character are Python's to hold, not polars'
        try:
            columns = (Series("query", names, dtype=String), Series("document", listed, dtype=String))
        except UnicodeEncodeError:
            return False
        frame = DataFrame([*columns, Series("value", np.array(scores, dtype=np.float64))])
        for grown in (names, listed, scores):
            grown.clear()
        return gathered.take(frame)

    for _, text in read_lines(path):
        if not text or text.isspace():
            continue
        found = _plain_hits(text)
        if found is None or found[0] in queries:
            return None
        query, found_documents, said = found
        queries[query] = None
        names += [query] * len(found_documents)
        listed += found_documents
        scores += said
        if len(names) > _AT_ONCE and not take():
            return None
    # every query gets its place in the order of the file, those without hits too
    return gathered.columns(list(queries)) if take() else None


def read_record_blocks(path: Path, kind: Kind, documents: Interner) -> PairColumns | None:
    """The rows of lines `{"query": …, "document": …, "score": …}` that all have the same keys in the same order."""
    pattern = _pattern_of_first(path, kind)
    if pattern is None:
        return None
    gathered = Gathered(documents)
    try:
        for block in read_blocks(path):
            frame = _matched(block, pattern)
            if frame is None or not gathered.take(frame):
                return None
    except DamagedFile:
        return None
    return gathered.columns()


def _plain_hits(text: str) -> tuple[str, list[str], list[float]] | None:
    """Query, documents and scores of one line; None where something is out of the ordinary."""
    try:
        record = json.loads(text)
        hits = record["hits"]
        documents, scores = ([], []) if not hits else map(list, zip(*hits, strict=True))
    except (ValueError, TypeError, KeyError, RecursionError):
        return None
    query = record.get("query")
    plain = (
        len(record) == 2
        and text.count('"query"') == text.count('"hits"') == 1
        and isinstance(query, str)
        and query
        and isinstance(hits, list)
        and set(map(type, documents)) <= {str}
        and set(map(type, scores)) <= {int, float}
        and all(documents)
    )
    return (query, documents, scores) if plain else None


def _pattern_of_first(path: Path, kind: Kind) -> str | None:
    """An expression for lines like the first one, whose groups are called query, document, value, rank and tag."""
    try:
        text = next((text for _, text in read_lines(path) if text and not text.isspace()), "")
        record = json.loads(text)
    except (FileProblem, ValueError, RecursionError):
        return None
    keys = list(record)
    places = {
        "query": (column_of(keys, QUERY_NAMES), _TEXT),
        "document": (column_of(keys, DOCUMENT_NAMES), _TEXT),
        "value": (column_of(keys, SCORE_NAMES if kind == "run" else GRADE_NAMES), _NUMBER),
    }
    if any(at is None for at, _ in places.values()):
        return None
    if kind == "run":
        places |= {"rank": (column_of(keys, RANK_NAMES), _WHOLE), "tag": (column_of(keys, TAG_NAMES), _TEXT)}
    values = {at: value.replace("NAME", name) for name, (at, value) in places.items()}
    entries = [values.get(at) or _any_like(record[key], f"other{at}") for at, key in enumerate(keys)]
    if None in entries:
        return None
    fields = [rf"{re.escape(json.dumps(key))}\s*:\s*{entry}" for key, entry in zip(keys, entries, strict=True)]
    return r"^\s*\{\s*" + r"\s*,\s*".join(fields) + r"\s*\}\s*$"


def _any_like(value: object, name: str) -> str | None:
    """An expression for values like this one; None where that cannot be told from what stands beside it."""
    if isinstance(value, str):
        return _TEXT.replace("NAME", name).replace("+)", "*)")
    if isinstance(value, int | float) and not isinstance(value, bool):
        return _NUMBER.replace("NAME", name)
    return None


def _matched(block: bytes, pattern: str) -> DataFrame | None:
    import polars

    try:
        lines = polars.read_lines(block).to_series()
        lines = lines.filter(lines.str.strip_chars() != "")
        found = lines.str.extract_groups(pattern).struct.unnest()
        if found["query"].null_count():
            return None
        numbers: Mapping[str, polars.DataType] = {"value": polars.Float64(), "rank": polars.Int64()}
        kept = [name for name in ("query", "document", "value", "rank", "tag") if name in found.columns]
        return found.select(polars.col(name).cast(numbers.get(name, polars.String())) for name in kept)
    except polars.exceptions.PolarsError:
        return None
