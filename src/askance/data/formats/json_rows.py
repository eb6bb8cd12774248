"""Runs and judgments as JSON: a line per query, a line per row, or one object for all."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path

from askance.core.errors import FileProblem
from askance.data.formats.identifiers import identifier
from askance.data.formats.layouts import (
    DOCUMENT_NAMES,
    GRADE_NAMES,
    QUERY_NAMES,
    RANK_NAMES,
    SCORE_NAMES,
    TAG_NAMES,
    VALUE,
    Kind,
    plain_name,
)
from askance.data.formats.lines import json_object, read_json, read_lines
from askance.data.formats.numbers import finite_json
from askance.data.formats.table_rows import NUMBERS, Entry, WithoutHits
from askance.data.pair_columns import NO_RANK
from askance.data.problems import Problem

_HITS = 'A line is {"query": …, "hits": [[document, score], …]}, scores being finite numbers.'


def hits_rows(path: Path) -> Iterator[Entry | Problem | WithoutHits]:
    """The rows of lines `{"query": …, "hits": [[document, score], …]}`, best hit first."""
    first_lines: dict[str, int] = {}
    for line, text, record in _records(path):
        if isinstance(record, Problem):
            yield record
            continue
        try:
            query = identifier(record, ("query",), path, line)
        except FileProblem as error:
            yield _about(error, line, text)
            continue
        first = first_lines.setdefault(query, line)
        hits = record.get("hits")
        if first != line:
            found = f"the query {query!r} occurs again; it was first on line {first}"
            yield Problem("error", found, "Keep one line per query.", line, text)
        elif not isinstance(hits, list):
            yield Problem("error", '"hits" is missing or no list', _HITS, line, text)
        elif not hits:
            yield WithoutHits(query)
        else:
            for rank, hit in enumerate(hits, start=1):
                yield _hit(hit, rank, query, line)


def record_rows(path: Path, kind: Kind) -> Iterator[Entry | Problem]:
    """The rows of lines `{"query": …, "document": …, "score": …}`, whatever order and whichever of the known names."""
    for line, text, record in _records(path):
        if isinstance(record, Problem):
            yield record
            continue
        keys = {plain_name(key): key for key in reversed(record)}
        try:
            query = identifier(record, _keys(keys, QUERY_NAMES, "query"), path, line)
            document = identifier(record, _keys(keys, DOCUMENT_NAMES, "document"), path, line)
        except FileProblem as error:
            yield _about(error, line, text)
            continue
        what = VALUE[kind]
        (key,) = _keys(keys, SCORE_NAMES if kind == "run" else GRADE_NAMES, what)
        value = finite_json(record.get(key))
        if value is None:
            shown = json.dumps(record[key])[:60] if key in record else "missing"
            yield Problem("error", f"the {what} is {shown}, expected a finite number", NUMBERS[what], line, text)
            continue
        yield Entry(line, query, document, value, _rank(record, keys), _tag(record, keys) if kind == "run" else "")


def mapping_of(path: Path, kind: Kind) -> dict[str, dict[str, float]]:
    """{query: {document: value}} of one JSON object; FileProblem where it is anything else."""
    whole = read_json(path)
    remedy = f"Write {{query: {{document: {VALUE[kind]}}}}}."
    if not isinstance(whole, dict):
        raise FileProblem(path, "this is no JSON object", remedy=remedy)
    for query, row in whole.items():
        if not isinstance(row, dict):
            raise FileProblem(path, f"the entry of query {query!r} is no object", remedy=remedy)
        for document, value in row.items():
            if finite_json(value) is None:
                shown = json.dumps(value)[:60]
                problem = f"the {VALUE[kind]} of {document!r} for query {query!r} is {shown}, expected a finite number"
                raise FileProblem(path, problem, remedy=remedy)
    return whole


def _records(path: Path) -> Iterator[tuple[int, str, dict[str, object] | Problem]]:
    for line, text in read_lines(path):
        if not text or text.isspace():
            continue
        try:
            yield line, text, json_object(text, path, line)
        except FileProblem as error:
            yield line, text, _about(error, line, text)


def _about(error: FileProblem, line: int, text: str) -> Problem:
    """The same trouble, to go on after."""
    return Problem("error", error.problem, error.remedy or "", line, text)


def _hit(hit: object, rank: int, query: str, line: int) -> Entry | Problem:
    if isinstance(hit, list) and len(hit) == 2:
        name, score = hit[0], finite_json(hit[1])
        if isinstance(name, int) and not isinstance(name, bool):
            name = str(name)
        if isinstance(name, str) and name and score is not None:
            return Entry(line, query, name, score)
        if isinstance(name, str) and name:
            shown = json.dumps(hit[1])[:60]
            return Problem("error", f"the score of hit {rank}, {name!r}, is {shown}", _HITS, line)
    return Problem("error", f"hit {rank} is {json.dumps(hit)[:60]}", _HITS, line)


def _keys(found: Mapping[str, str], names: tuple[str, ...], default: str) -> tuple[str]:
    """Which key of the record has the first of these names."""
    return (next((found[name] for name in names if name in found), default),)


def _rank(record: Mapping[str, object], keys: Mapping[str, str]) -> int:
    value = record.get(_keys(keys, RANK_NAMES, "rank")[0])
    whole = isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 2**31
    return value if whole and isinstance(value, int) else NO_RANK


def _tag(record: Mapping[str, object], keys: Mapping[str, str]) -> str:
    value = record.get(_keys(keys, TAG_NAMES, "tag")[0])
    return value if isinstance(value, str) else ""
