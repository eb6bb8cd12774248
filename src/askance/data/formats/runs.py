"""Runs as JSON lines: `{"query": …, "hits": [[document, score], …]}`, one line per query, best hit first."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import BinaryIO, cast

from askance.core.errors import FileProblem
from askance.core.files import whole_file
from askance.data.formats.lines import FirstLines, read_json_lines, required
from askance.data.formats.numbers import finite_json
from askance.data.formats.pairs import check_known
from askance.data.ids import Ids
from askance.data.run import Run

Hits = list[tuple[str, float]]


def write_run(run: Run, path: Path) -> None:
    """Write every query of `run`, those without hits too; packed where the name ends with .gz.

    The same run gives the same bytes, and reading gives back the same scores, bit for bit.
    """
    with whole_file(path) as out:
        if path.suffix == ".gz":
            # Neither the time nor the temporary file's name goes into the bytes.
            with gzip.GzipFile(filename="", mode="wb", fileobj=out, mtime=0, compresslevel=6) as packed:
                _write_lines(run, cast(BinaryIO, packed))
        else:
            _write_lines(run, out)


def read_run(path: Path, queries: Ids, documents: Ids, name: str) -> Run:
    """Read a run over these queries and documents, packed or not; a query without a line retrieved nothing.

    FileProblem, with its line, on a query that comes twice, a document listed twice for a query, a score that is no
    finite number, an unknown identifier, and on any other shape.
    """
    lists: dict[str, Hits] = {}
    lines: dict[str, int] = {}
    seen = FirstLines(path, "query")
    for line, record in read_json_lines(path):
        query = required(record, "query", path, line)
        seen.note(query, line)
        lists[query] = _hits(record, path, line)
        for document, _ in lists[query]:
            if document not in documents:
                lines.setdefault(document, line)
        if query not in queries:
            lines.setdefault(f"query {query}", line)
    check_known(path, "query", "queries", list(lists), queries, lambda query: lines[f"query {query}"])
    named = [document for hits in lists.values() for document, _ in hits]
    check_known(path, "document", "documents", named, documents, lines.__getitem__)
    return Run.of(name, queries, documents, lists)


def _write_lines(run: Run, out: BinaryIO) -> None:
    names = run.documents.names
    for at, query in enumerate(run.queries):
        documents, scores = run.of_query(at)
        hits = [[names[document], score] for document, score in zip(documents.tolist(), scores.tolist(), strict=True)]
        out.write(json.dumps({"query": query, "hits": hits}, allow_nan=False).encode() + b"\n")


def _hits(record: dict[str, object], path: Path, line: int) -> Hits:
    given = record.get("hits")
    if not isinstance(given, list):
        raise _misshapen(path, line, '"hits" is missing or no list')
    hits: Hits = []
    seen: set[str] = set()
    for rank, hit in enumerate(given, start=1):
        if not isinstance(hit, list) or len(hit) != 2 or not isinstance(hit[0], str):
            raise _misshapen(path, line, f"hit {rank} is {json.dumps(hit)[:60]}")
        document, score = hit[0], finite_json(hit[1])
        if score is None:
            raise _misshapen(path, line, f"the score of hit {rank}, {document!r}, is {json.dumps(hit[1])[:60]}")
        if document in seen:
            problem = f"hit {rank} lists the document {document!r} again"
            raise FileProblem(path, problem, line=line, remedy="Keep each document once per query.")
        seen.add(document)
        hits.append((document, score))
    return hits


def _misshapen(path: Path, line: int, found: str) -> FileProblem:
    remedy = 'A line is {"query": …, "hits": [[document, score], …]}, scores being finite numbers.'
    return FileProblem(path, found, line=line, remedy=remedy)
