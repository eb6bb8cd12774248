"""A collection as a BEIR folder."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from askance.core.errors import DataProblem, FileProblem
from askance.core.files import whole_file, write_whole
from askance.data.collection import OTHER, Collection, Documents, Excluded, Queries, Roles, Tier
from askance.data.formats.beir.texts import DOCUMENT_KEYS, QUERY_KEYS
from askance.data.formats.identifiers import for_columns
from askance.data.formats.numbers import shortest


def write_beir(collection: Collection, folder: str | Path) -> None:
    """Write `collection` so that `read_beir` gives it back; its name, origin and notes are not kept.

    The folder appears whole or not at all. FileProblem where it is there and not empty; DataProblem on what the files
    cannot hold (a tab in an identifier, a field called _id, a tier whose name is no file name …).
    """
    if not collection.tiers:
        raise DataProblem(f"collection {collection.name!r} has no judgments", remedy="A BEIR folder needs a tier.")
    with _whole_folder(Path(folder).resolve()) as out:
        _write_documents(collection.documents, out / "corpus.jsonl")
        _write_queries(collection.queries, out / "queries.jsonl")
        for tier in collection.tiers.values():
            _write_tier(tier, out / "qrels" / f"{_file_name(tier.name)}.tsv")
        cards = {
            tier.name: {"label": tier.label, "rule": tier.rule, "threshold": tier.threshold}
            for tier in collection.tiers.values()
        }
        _write_json(cards, out / "tiers.json")
        _write_json({"main": collection.main, "compared": collection.compared}, out / "collection.json")
        if collection.roles is not None:
            _write_roles(collection.roles, collection, out)
        if collection.roles is not None or collection.decoys:
            sets = {decoys.name: {"label": decoys.label, "roles": list(decoys.roles)} for decoys in collection.decoys}
            _write_json(sets, out / "decoys.json")
        if collection.excluded is not None:
            _write_excluded(collection.excluded, collection, out / "per_query_excluded_ids.json")


@contextmanager
def _whole_folder(folder: Path) -> Iterator[Path]:
    """A folder to fill, which gets its name when the block ends without an error."""
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise FileProblem(folder, "it is there and not empty", remedy="Name a new folder; nothing is overwritten.")
    partial = folder.with_name(f".{folder.name}.{os.getpid()}.partial")
    try:
        shutil.rmtree(partial, ignore_errors=True)
        partial.mkdir(parents=True)
        yield partial
        partial.replace(folder)
    except OSError as error:
        raise FileProblem(
            folder, f"cannot be written: {error.strerror or error}", remedy="Name another place."
        ) from None
    finally:
        shutil.rmtree(partial, ignore_errors=True)


def _write_documents(documents: Documents, path: Path) -> None:
    turns = documents.turns
    with whole_file(path) as out:
        for at, record in enumerate(_records(documents, "documents", DOCUMENT_KEYS)):
            if turns is not None:
                record["turns"] = [{"speaker": turn.speaker, "text": turn.text} for turn in turns[at]]
            out.write(_json_line(record))


def _write_queries(queries: Queries, path: Path) -> None:
    if "group" in queries.slices:
        raise DataProblem("a slice is called 'group', which is where BEIR keeps groups", remedy="Rename the slice.")
    with whole_file(path) as out:
        for at, record in enumerate(_records(queries, "queries", QUERY_KEYS)):
            metadata = {name: column[at] for name, column in queries.slices.items()}
            if queries.groups is not None:
                metadata["group"] = queries.groups[at]
            if metadata:
                record["metadata"] = metadata
            out.write(_json_line(record))


def _records(texts: Documents | Queries, what: str, taken: tuple[str, ...]) -> Iterator[dict[str, object]]:
    if "text" not in texts.fields:
        raise DataProblem(f"the {what} have no field 'text'", remedy="A BEIR folder needs one.")
    for name in taken:
        if name in texts.fields:
            raise DataProblem(f"a field of the {what} is called {name!r}, which BEIR uses itself", remedy="Rename it.")
    for at, identifier in enumerate(texts.ids):
        yield {
            "_id": for_columns(identifier, "the identifier"),
            **{n: column[at] for n, column in texts.fields.items()},
        }


def _write_tier(tier: Tier, path: Path) -> None:
    judgments = tier.judgments
    if not len(judgments):
        raise DataProblem(f"the tier {tier.name!r} has no judgments", remedy="Leave the tier out, or judge something.")
    with whole_file(path) as out:
        out.write(b"query-id\tcorpus-id\tscore\n")
        for at, query in enumerate(judgments.queries):
            for document, grade in zip(*judgments.of_query(at), strict=True):
                out.write(f"{query}\t{judgments.documents[int(document)]}\t{shortest(float(grade))}\n".encode())


def _write_roles(roles: Roles, collection: Collection, out: Path) -> None:
    labels: dict[str, object] = {role.name: role.label for role in roles.roles}
    if roles.default != OTHER:
        if roles.default.name in labels:
            raise DataProblem(
                f"the role {roles.default.name!r} is listed, and is the role of all other pairs",
                remedy="Give the two different names.",
            )
        labels[roles.default.name] = {"label": roles.default.label, "default": True}
    _write_json(labels, out / "roles.json")
    with whole_file(out / "roles.tsv") as rows:
        rows.write(b"query-id\tcorpus-id\trole\n")
        for at, query in enumerate(collection.queries.ids):
            for row in range(roles.offsets[at], roles.offsets[at + 1]):
                document = collection.documents.ids[int(roles.document[row])]
                role = for_columns(roles.roles[roles.code[row]].name, "the role")
                rows.write(f"{query}\t{document}\t{role}\n".encode())


def _write_excluded(excluded: Excluded, collection: Collection, path: Path) -> None:
    names = collection.documents.ids
    rows = ((query, excluded.of_query(at)) for at, query in enumerate(collection.queries.ids))
    _write_json({query: [names[int(document)] for document in row] for query, row in rows if len(row)}, path)


def _file_name(tier: str) -> str:
    if not tier or "/" in tier or "\0" in tier or tier.startswith(".") or len(tier.encode("utf-8", "replace")) > 200:
        raise DataProblem(f"the tier {tier!r} cannot be the name of a file", remedy="Give it a plain, short name.")
    return tier


def _write_json(value: Mapping[str, object], path: Path) -> None:
    write_whole(path, json.dumps(value, indent=1, allow_nan=False) + "\n")


def _json_line(record: Mapping[str, object]) -> bytes:
    try:
        return json.dumps(record, ensure_ascii=False).encode() + b"\n"
    except UnicodeEncodeError:  # half a surrogate pair, which only an escape can hold
        return json.dumps(record).encode() + b"\n"
