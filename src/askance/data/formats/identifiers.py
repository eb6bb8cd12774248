"""Identifiers as files hold them: read with care, and refused where a format could not give them back."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

from askance.core.errors import DataProblem, FileProblem

_BREAKS = re.compile(r"[\t\n\r]")
_SPACE = re.compile(r"\s")


def identifier(record: Mapping[str, object], keys: tuple[str, ...], path: Path, line: int) -> str:
    """The identifier under the first of `keys` that a JSON record has: a string, or a whole number as its digits.

    FileProblem where there is none, where it is empty, or where it is anything else: a number with a fraction could
    be written in several ways, and would then be several identifiers.
    """
    for key in keys:
        if key in record:
            value = record[key]
            if isinstance(value, int) and not isinstance(value, bool):
                return str(value)
            if isinstance(value, str) and value:
                return value
            problem = f"{key!r} is {'empty' if value == '' else repr(value)}, expected an identifier"
            raise FileProblem(path, problem, line=line, remedy='Write it as text, for example "7".')
    has = ", ".join(map(repr, record)) or "nothing"
    remedy = f"Give every record its {keys[0]!r}."
    raise FileProblem(path, f"there is no {keys[0]!r}; the record has {has}", line=line, remedy=remedy)


def for_columns(name: str, what: str) -> str:
    """The identifier, if a line of tab-separated columns can hold it; else DataProblem."""
    if not name or _BREAKS.search(name) or not _encodes(name):
        raise DataProblem(
            f"{what} {name!r} cannot be written in tab-separated columns: it is empty, holds a tab or a line end, "
            "or is no valid text",
            remedy="Give it another identifier.",
        )
    return name


def for_trec(name: str, what: str) -> str:
    """The identifier, if a TREC line, whose columns white space parts, can hold it; else DataProblem."""
    if not name or _SPACE.search(name) or not _encodes(name):
        found = "it is empty, holds white space, or is no valid text"
    elif name == "#" or name.startswith("\ufeff"):
        found = "it would be read as a comment or a byte order mark"
    else:
        return name
    raise DataProblem(
        f"{what} {name!r} cannot be written in a TREC file: {found}",
        remedy="Give it another identifier, or write JSON lines or a BEIR folder instead.",
    )


def _encodes(name: str) -> bool:
    try:
        return name.isascii() or bool(name.encode("utf-8"))
    except UnicodeEncodeError:
        return False
