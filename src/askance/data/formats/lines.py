"""Lines of text and JSON from files, with line numbers; whatever cannot be read says where and what to do."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NoReturn

from askance.core.errors import FileProblem
from askance.data.formats.packed import UTF8_BOM, DamagedFile, unpacked


def read_lines(path: Path) -> Iterator[tuple[int, str]]:
    """(line number from 1, text without its line end) for each line, as it is read.

    Plain, gzip or zstd (told by its first bytes, whatever the name), UTF-8, byte order mark dropped; a line ends with
    LF or CRLF, nothing else. FileProblem where the file is missing, unreadable, cut short or not UTF-8.
    """
    for number, raw in _raw_lines(path):
        content = raw.removeprefix(UTF8_BOM) if number == 1 else raw
        if content:  # a file of a byte order mark alone has no lines
            yield number, _decoded(content.removesuffix(b"\n").removesuffix(b"\r"), path, number)


def read_json_lines(path: Path) -> Iterator[tuple[int, dict[str, object]]]:
    """(line number, object) for each line of a JSONL file; blank lines hold nothing and are passed over."""
    for number, text in read_lines(path):
        if text and not text.isspace():
            yield number, json_object(text, path, number)


def read_json(path: Path) -> object:
    """The value of a JSON file; read with the same care as lines."""
    text = "\n".join(line for _, line in read_lines(path))
    try:
        return _parse(text)
    except json.JSONDecodeError as error:
        problem = f"not valid JSON: {error.msg} at column {error.colno}"
        remedy = "Repair the file, or fetch it again."
        line = text.split("\n")[error.lineno - 1]
        raise FileProblem(path, problem, line=error.lineno, text=line, remedy=remedy) from None
    except (ValueError, RecursionError) as error:
        raise FileProblem(path, f"not valid JSON: {_said(error)}", remedy="Repair the file.") from None


def json_object(text: str, path: Path, number: int) -> dict[str, object]:
    """The object that a line holds; FileProblem where it holds none, or names a key twice."""
    try:
        value = _parse(text)
    except (ValueError, RecursionError) as error:
        problem = f"not valid JSON: {_said(error)}"
        raise FileProblem(path, problem, line=number, text=text, remedy="Write one JSON object a line.") from None
    if not isinstance(value, dict):
        problem = f"found {_kind(value)}, expected an object"
        raise FileProblem(path, problem, line=number, text=text, remedy="Write one JSON object a line.")
    return value


def required(record: Mapping[str, object], key: str, path: Path, line: int | None) -> str:
    """The string under `key`; FileProblem where the record has none or something else."""
    value = _present(record, key, path, line)
    if not isinstance(value, str):
        problem = f"field {key!r} is {_kind(value)}, expected a string"
        raise FileProblem(path, problem, line=line, text=_shown(record), remedy="Write it in double quotes.")
    return value


def required_number(record: Mapping[str, object], key: str, path: Path, line: int | None) -> float:
    """The number under `key`; FileProblem where the record has none or something else."""
    value = _present(record, key, path, line)
    if isinstance(value, bool) or not isinstance(value, int | float):
        problem = f"field {key!r} is {_kind(value)}, expected a number"
        raise FileProblem(path, problem, line=line, text=_shown(record), remedy="Write a number without quotes.")
    number = _float(value)
    if not math.isfinite(number):
        problem = f"field {key!r} is too large for a number"
        raise FileProblem(path, problem, line=line, text=_shown(record), remedy="Use numbers, e.g. 0, 1, 2.")
    return number


def optional(record: Mapping[str, object], key: str, path: Path, line: int | None) -> str | None:
    """The string under `key`, None where it is absent or null; FileProblem where it is something else."""
    return None if record.get(key) is None else required(record, key, path, line)


class FirstLines:
    """On which line each identifier came first, so that a second one can name both."""

    def __init__(self, path: Path, kind: str) -> None:
        """`kind`: what the identifiers name, in a reader's words (document, query …)."""
        self._path, self._kind = path, kind
        self._lines: dict[str, int] = {}

    def note(self, name: str, line: int) -> None:
        """Remember `name`; FileProblem where it was there before."""
        first = self._lines.setdefault(name, line)
        if first != line:
            problem = f"{self._kind} {name!r} occurs again; it was first on line {first}"
            raise FileProblem(
                self._path, problem, line=line, remedy="Keep one of them, or give each its own identifier."
            )


def _raw_lines(path: Path) -> Iterator[tuple[int, bytes]]:
    number = 0
    try:
        with unpacked(path) as file:
            for number, raw in enumerate(file, start=1):
                yield number, raw
    except DamagedFile as error:
        remedy = "Fetch or pack the file again."
        raise FileProblem(path, str(error), line=number + 1, remedy=remedy) from None


def _decoded(line: bytes, path: Path, number: int) -> str:
    try:
        return line.decode("utf-8")
    except UnicodeDecodeError as error:
        problem = f"byte {error.start + 1} of the line (0x{line[error.start]:02x}) is not UTF-8"
        shown = line.decode("utf-8", "backslashreplace")
        raise FileProblem(path, problem, line=number, text=shown, remedy="Save the file as UTF-8.") from None


def _parse(text: str) -> object:
    return json.loads(text, parse_constant=_no_such_number, object_pairs_hook=_distinct_keys)


def _no_such_number(word: str) -> NoReturn:
    raise ValueError(f"{word} is not a JSON number")


def _distinct_keys(pairs: list[tuple[str, object]]) -> dict[str, object]:
    """An object whose keys all differ: of two equal ones, one would be lost in silence."""
    value = dict(pairs)
    if len(value) != len(pairs):
        keys = [key for key, _ in pairs]
        raise ValueError(f"the key {next(key for key in keys if keys.count(key) > 1)!r} occurs more than once")
    return value


def _said(error: ValueError | RecursionError) -> str:
    if isinstance(error, json.JSONDecodeError):
        return f"{error.msg} at column {error.colno}"
    return "nested too deeply" if isinstance(error, RecursionError) else str(error)


def _present(record: Mapping[str, object], key: str, path: Path, line: int | None) -> object:
    if key not in record:
        has = ", ".join(map(repr, record)) or "nothing"
        problem = f"field {key!r} is missing; the record has {has}"
        raise FileProblem(path, problem, line=line, text=_shown(record), remedy=f"Add {key!r} to the record.")
    return record[key]


def _float(value: float) -> float:
    try:
        return float(value)
    except OverflowError:
        return math.inf


def _kind(value: object) -> str:
    """What a JSON value is, in words."""
    if value is None or isinstance(value, bool):
        return json.dumps(value)
    kinds = {str: "a string", int: "a number", float: "a number", list: "a list", dict: "an object"}
    return kinds.get(type(value), type(value).__name__)


def _shown(record: Mapping[str, object]) -> str:
    return json.dumps(record, ensure_ascii=False)
