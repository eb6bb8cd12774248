"""Documents on their way into an index: a file of JSON lines, a BEIR folder or a collection, one document at a time."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from askance.core.errors import FileProblem
from askance.data.collection import Collection
from askance.data.formats.identifiers import identifier
from askance.data.formats.lines import FirstLines, optional, read_json_lines, required
from askance.engines.settings import Indexed

ID_KEYS = ("_id", "id")
CORPUS = ("corpus.jsonl", "corpus.jsonl.gz", "corpus.jsonl.zst")

_NO_METADATA = {*ID_KEYS, "title", "text"}


class JsonLines:
    """The documents of a file of JSON lines: `_id` (or `id`), `text`, an optional `title`, and what else there is.

    The file is read again each time it is iterated, a line at a time; of lines that were read only identifiers stay in
    memory. A title stands before the text, one blank between. Text, numbers and truth values under other keys, and
    inside `metadata`, are what filters ask for; the whole line is what a schema splits. FileProblem, with its line, on
    a line without identifier or text, on an identifier that comes twice, and on a number that is none.

    `passed_over`: keys whose values no filter can ask for (lists, objects, null), and how many documents have them,
    as counted the last time all lines were read.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.passed_over: Counter[str] = Counter()

    def __iter__(self) -> Iterator[Indexed]:
        seen = FirstLines(self.path, "document")
        passed_over: Counter[str] = Counter()
        line = 0
        for line, record in read_json_lines(self.path):
            name = identifier(record, ID_KEYS, self.path, line)
            seen.note(name, line)
            yield _indexed(name, record, self.path, line, passed_over)
        if not line:
            remedy = "Was it cut, or is it the wrong file?"
            raise FileProblem(self.path, "the file is empty, expected one document a line", remedy=remedy)
        self.passed_over = passed_over


@dataclass(frozen=True)
class OfCollection:
    """The documents of a collection, in its order; every field of text is in the record."""

    collection: Collection

    def __iter__(self) -> Iterator[Indexed]:
        documents = self.collection.documents
        names = list(documents.fields)
        columns = [documents.field(name) for name in names]
        for at, id in enumerate(documents.ids):
            record = {name: column[at] for name, column in zip(names, columns, strict=True)}
            text = record["text"]
            title = record.get("title", "")
            metadata = {key: value for key, value in record.items() if key not in _NO_METADATA and value}
            yield Indexed(id, f"{title} {text}" if title else text, metadata, {"_id": id, **record})


def corpus_file(place: Path) -> Path | None:
    """The file of documents at `place`: a file itself, or the corpus of a BEIR folder; None where there is none."""
    if place.is_dir():
        return next((place / name for name in CORPUS if (place / name).is_file()), None)
    return place if place.is_file() else None


def documents_at(place: Path) -> Iterable[Indexed]:
    """The documents at `place`, read as they are taken; FileProblem where there are none."""
    path = corpus_file(place)
    if path is None:
        remedy = f"Name a file of JSON lines, or a folder with {CORPUS[0]}."
        raise FileProblem(place, "there are no documents here", remedy=remedy)
    return JsonLines(path)


def _indexed(name: str, record: Mapping[str, object], path: Path, line: int, passed_over: Counter[str]) -> Indexed:
    text = required(record, "text", path, line)
    title = optional(record, "title", path, line)
    whole = f"{title} {text}" if title else text
    return Indexed(name, whole, _metadata(record, path, line, passed_over), record)


def _metadata(
    record: Mapping[str, object], path: Path, line: int, passed_over: Counter[str]
) -> dict[str, str | float | bool]:
    found: dict[str, str | float | bool] = {}
    nested = record.get("metadata")
    inside = nested if isinstance(nested, dict) else {}
    for given in (record, inside):
        for key, value in given.items():
            if given is record and (key in _NO_METADATA or value is inside):
                continue
            if not isinstance(value, str | int | float):
                passed_over[key] += 1
                continue
            kept = value if isinstance(value, str | bool) else _number(value, key, path, line)
            if found.setdefault(key, kept) != kept:
                problem = f"{key!r} stands both beside the text and in 'metadata', with two values"
                raise FileProblem(path, problem, line=line, remedy="Keep one of them.")
    return found


def _number(value: float, key: str, path: Path, line: int) -> float:
    try:
        number = float(value)
    except OverflowError:
        number = math.inf
    if not math.isfinite(number):
        problem = f"{key!r} is too large for a number"
        raise FileProblem(path, problem, line=line, remedy="Write it in double quotes, as text.")
    return number
