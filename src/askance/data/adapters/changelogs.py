"""Debian changelogs as documents: who uploaded a version, and what changed, one item a bullet.

The format is that of deb-changelog(5): a heading "package (version) distribution; urgency=…", lines indented by two
blanks, a closing line " -- Name <mail>  date". Every machine with Debian's packages holds some hundred of them as
share/doc/PACKAGE/changelog.Debian.gz. Real texts with an author beside them: surnames are words there.
"""

from __future__ import annotations

import gzip
import re
import zlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from askance.core.errors import FileProblem

_HEADING = re.compile(r"^(\S+) \(([^)\s]+)\)\s+([^;]*);.*$")
_CLOSING = re.compile(r"^ -- (.*?)\s*<([^>]*)>\s*(.*)$")
_BULLET = re.compile(r"^\s+([*+-])\s+(.*)$")
_SECTION = re.compile(r"^\s+\[ (.+?) \]\s*$")


@dataclass(frozen=True)
class Changelogs:
    """`records`: one an entry: `_id` "package version", `author` as the closing line names them, `contributors` named
    in headings in brackets, `items` (bullets, lines joined), `text` (the entry as it stands), `date`, `distribution`.

    `notes`: what was left out or repaired, reason → count.
    """

    records: tuple[Mapping[str, Any], ...]
    notes: Mapping[str, int] = field(default_factory=dict)


def load(paths: Iterable[Path]) -> Changelogs:
    """The entries of all files, in their order; .gz is unpacked. An entry that several packages ship is kept once.

    FileProblem where a file cannot be read, or there is no entry in any.
    """
    records: dict[str, Mapping[str, Any]] = {}
    notes: dict[str, int] = {}
    paths = list(paths)
    for path in paths:
        text, repaired = _text(path)
        if repaired:
            _count(notes, "files with bytes that are not UTF-8")
        for lines in _entries(text):
            record = _record(lines)
            if isinstance(record, str):
                _count(notes, record)
            elif record["_id"] in records:
                _count(notes, "entries that occur again")
            else:
                records[record["_id"]] = record
    if not records:
        first = paths[0] if paths else Path("(no file)")
        raise FileProblem(first, "holds no changelog entry", remedy="Name files such as changelog.Debian.gz.")
    return Changelogs(tuple(records.values()), notes)


def _text(path: Path) -> tuple[str, bool]:
    """The file's text, and whether bytes of it had to be replaced."""
    try:
        raw = path.read_bytes()
        if raw[:2] == b"\x1f\x8b":
            raw = gzip.decompress(raw)
    except (OSError, EOFError, zlib.error) as error:
        reason = getattr(error, "strerror", None) or error
        raise FileProblem(path, f"cannot be read ({reason})", remedy="Is it there, and whole?") from error
    text = raw.decode("utf-8", "replace")
    return text, "\ufffd" in text


def _entries(text: str) -> Iterator[list[str]]:
    """The lines of each entry; what stands before the first heading belongs to none."""
    entry: list[str] = []
    for line in text.splitlines():
        if _HEADING.match(line):
            if entry:
                yield entry
            entry = [line]
        elif entry:
            entry.append(line)
    if entry:
        yield entry


def _record(lines: list[str]) -> Mapping[str, Any] | str:
    """The entry as a record, or why it is none."""
    heading = _HEADING.match(lines[0])
    end, closing = next(((at, found) for at, line in enumerate(lines) if (found := _CLOSING.match(line))), (0, None))
    if heading is None or closing is None:
        return "entries without a closing line"
    if not closing[1]:
        return "entries without an author's name"
    items, contributors = _changes(lines[1:end])
    if not items:
        return "entries without a change"
    return {
        "_id": f"{heading[1]} {heading[2]}",
        "author": closing[1],
        "contributors": contributors,
        "items": items,
        "text": "\n".join(lines[: end + 1]),
        "date": closing[3],
        "distribution": heading[3].strip(),
    }


def _changes(lines: Iterable[str]) -> tuple[list[str], list[str]]:
    """Bullets with the lines that go on with them, and the people named in headings in brackets."""
    items: list[str] = []
    people: list[str] = []
    for line in lines:
        section, bullet = _SECTION.match(line), _BULLET.match(line)
        if section:
            people.append(section[1])
        elif bullet:
            items.append(bullet[2].strip())
        elif line.strip() and items:
            items[-1] = f"{items[-1]} {line.strip()}".strip()
        elif line.strip():
            items.append(line.strip())
    return [item for item in items if item], people


def _count(notes: dict[str, int], reason: str) -> None:
    notes[reason] = notes.get(reason, 0) + 1
