"""Files of documents or queries, and BEIR folders: how much is in them, and all that is wrong or odd about them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from askance.core.errors import BadInput, FileProblem
from askance.data.formats.beir.reading import read_beir
from askance.data.formats.beir.texts import read_documents
from askance.data.formats.lines import json_object, read_lines
from askance.data.ids import Ids
from askance.data.problems import Problem

_LOOKED_AT = 20


@dataclass(frozen=True, eq=False)
class ExaminedTexts:
    """Texts as they were found; `ids` are empty where they cannot be read. `judged`: rows of judgments of a folder."""

    form: str
    documents: Ids
    queries: Ids
    judged: int
    problems: tuple[Problem, ...]


def holds_texts(path: Path) -> bool:
    """Whether a file holds documents or queries: JSON lines with `_id` and `text`."""
    try:
        for line, text in islice(read_lines(path), _LOOKED_AT):
            if text and not text.isspace():
                record = json_object(text, path, line) if text.startswith("{") else {}
                return "_id" in record and "text" in record
    except FileProblem:
        return False  # reading it as a run or judgments says what is wrong
    return False


def examine_texts(path: Path) -> ExaminedTexts:
    """Documents or queries, which have one form: both are `ids` of texts, here counted as documents."""
    notes: Counter[str] = Counter()
    try:
        found = read_documents(path, notes)
    except BadInput as error:
        return ExaminedTexts("JSON lines", Ids(()), Ids(()), 0, (_error(error),))
    return ExaminedTexts("JSON lines", found.ids, Ids(()), 0, _warnings(notes))


def examine_folder(path: Path) -> ExaminedTexts:
    """A BEIR folder with all its files."""
    try:
        found = read_beir(path)
    except BadInput as error:
        return ExaminedTexts("BEIR", Ids(()), Ids(()), 0, (_error(error, path),))
    judged = sum(len(tier.judgments) for tier in found.tiers.values())
    return ExaminedTexts("BEIR", found.documents.ids, found.queries.ids, judged, _warnings(found.notes))


def _error(error: BadInput, folder: Path | None = None) -> Problem:
    if not isinstance(error, FileProblem):
        return Problem("error", error.message, error.remedy or "")
    if folder is None or Path(error.path) == folder:
        return Problem("error", error.problem, error.remedy or "", error.line, error.text)
    # a folder has many files: the message names the one, and its line
    return Problem("error", error.message.partition("\n")[0], error.remedy or "", None, error.text)


def _warnings(notes: Mapping[str, int]) -> tuple[Problem, ...]:
    return tuple(
        Problem("warning", f"{count:,} {what}", "Counted, and gone on with.", count=count)
        for what, count in notes.items()
    )
