"""The documents and queries of a BEIR folder: JSON lines with `_id`, `text` and further fields."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from askance.core.errors import FileProblem
from askance.data.collection import Documents, Queries, Turn
from askance.data.formats.identifiers import identifier
from askance.data.formats.lines import FirstLines, read_json_lines, required
from askance.data.formats.numbers import finite_json
from askance.data.ids import Ids

DOCUMENT_KEYS = ("_id", "turns")
QUERY_KEYS = ("_id", "metadata")


def read_documents(path: Path, notes: Counter[str]) -> Documents:
    """Documents: `text` and every further key with text become fields; `turns`, a list of {speaker, text}, is kept.

    What is left out or empty is counted in `notes`. FileProblem, with its line, on a record without `_id` or `text`,
    on an `_id` that comes twice, and on turns of another shape.
    """
    columns = _Columns("documents", DOCUMENT_KEYS)
    turns: list[tuple[Turn, ...]] = []
    any_turns = False
    for line, record in _records(path, "document"):
        columns.add(record, path, line)
        turns.append(_turns(record["turns"], path, line) if record.get("turns") is not None else ())
        any_turns |= record.get("turns") is not None
    columns.count(notes)
    return Documents(Ids(columns.ids), columns.fields, tuple(turns) if any_turns else None)


def read_queries(path: Path, notes: Counter[str]) -> Queries:
    """Queries, read like documents; in `metadata`, `group` names the source problem, other plain values are slices.

    A query without a group is a group of its own; one without a slice's value has the empty value.
    """
    columns = _Columns("queries", QUERY_KEYS)
    metadata: list[dict[str, str]] = []
    for line, record in _records(path, "query"):
        columns.add(record, path, line)
        metadata.append(_plain_values(record.get("metadata"), notes))
    columns.count(notes)
    groups = [values.pop("group", None) for values in metadata]
    alone = sum(group is None for group in groups)
    if 0 < alone < len(groups):
        notes["queries without a group: each is its own"] = alone
    names = dict.fromkeys(name for values in metadata for name in values)
    return Queries(
        Ids(columns.ids),
        columns.fields,
        None if alone == len(groups) else _groups(groups, columns.ids),
        {name: tuple(values.get(name, "") for values in metadata) for name in names},
    )


def _groups(groups: Sequence[str | None], ids: Sequence[str]) -> tuple[str, ...]:
    return tuple(name if group is None else group for group, name in zip(groups, ids, strict=True))


class _Columns:
    """Fields as columns, grown record by record; a record without a field has the empty text there."""

    def __init__(self, several: str, not_fields: tuple[str, ...]) -> None:
        self.several, self._not_fields = several, not_fields
        self.ids: list[str] = []
        self.fields: dict[str, list[str]] = {}
        self._there: Counter[str] = Counter()
        self._left_out: Counter[str] = Counter()

    def add(self, record: Mapping[str, object], path: Path, line: int) -> None:
        required(record, "text", path, line)
        for key, value in record.items():
            if key in self._not_fields:
                continue
            if isinstance(value, str):
                self.fields.setdefault(key, [""] * len(self.ids)).append(value)
                self._there[key] += 1
            elif value not in (None, [], {}):
                self._left_out[key] += 1
        self.ids.append(identifier(record, ("_id",), path, line))
        for column in self.fields.values():
            if len(column) < len(self.ids):
                column.append("")

    def count(self, notes: Counter[str]) -> None:
        """Add to `notes` what was left out, missing or empty."""
        for key, left_out in self._left_out.items():
            notes[f"{self.several} whose {key!r} is left out (it is not text)"] += left_out
        for key, there in self._there.items():
            if there < len(self.ids) and key != "title":
                notes[f"{self.several} without {key!r}"] += len(self.ids) - there
        empty = sum(not text.strip() for text in self.fields.get("text", ()))
        if empty:
            notes[f"{self.several} with an empty text"] += empty


def _records(path: Path, kind: str) -> Iterator[tuple[int, dict[str, object]]]:
    seen = FirstLines(path, kind)
    line = 0
    for line, record in read_json_lines(path):
        seen.note(identifier(record, ("_id",), path, line), line)
        yield line, record
    if not line:
        remedy = "Was it cut, or is it the wrong file?"
        raise FileProblem(path, f"the file is empty, expected one {kind} a line", remedy=remedy)


def _turns(given: object, path: Path, line: int) -> tuple[Turn, ...]:
    if isinstance(given, list) and all(_is_turn(turn) for turn in given):
        return tuple(Turn(turn["speaker"], turn["text"]) for turn in given)
    problem = f"'turns' is {json.dumps(given, ensure_ascii=False)[:80]}"
    raise FileProblem(path, problem, line=line, remedy='Write turns as [{"speaker": …, "text": …}, …].')


def _is_turn(value: object) -> bool:
    return isinstance(value, dict) and all(isinstance(value.get(key), str) for key in ("speaker", "text"))


def _plain_values(metadata: object, notes: Counter[str]) -> dict[str, str]:
    """Text as it is, numbers and truth values as JSON writes them; the rest is counted and left out."""
    if metadata is None:
        return {}
    if not isinstance(metadata, dict):
        notes["queries whose 'metadata' is left out (it is no object)"] += 1
        return {}
    values: dict[str, str] = {}
    for key, value in metadata.items():
        if isinstance(value, str):
            values[key] = value
        elif isinstance(value, bool) or finite_json(value) is not None:
            values[key] = json.dumps(value)
        elif value not in (None, [], {}):
            notes["values in queries' 'metadata' left out (neither text nor number)"] += 1
    return values
