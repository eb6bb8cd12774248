"""Where each key of a TOML text stands: line numbers for messages (tomllib keeps none)."""

from __future__ import annotations

import re

Place = tuple[str | int, ...]

_HEADER = re.compile(r"^\s*(\[\[?)\s*([^\]]+?)\s*\]\]?\s*(#.*)?$")
_KEY = re.compile(r"""^\s*((?:[A-Za-z0-9_-]+|"[^"]*"|'[^']*')(?:\s*\.\s*(?:[A-Za-z0-9_-]+|"[^"]*"|'[^']*'))*)\s*=""")


def lines_of(text: str) -> dict[Place, int]:
    """Path of keys → line (from 1), for table headers and keys; what stands in an inline table has its key's line.

    An entry of an array of tables has its number in the path. Lines inside multi-line strings may be mistaken for
    keys: the worst outcome is a message that points to a neighbouring line.
    """
    lines: dict[Place, int] = {}
    counts: dict[Place, int] = {}
    here: Place = ()
    for number, line in enumerate(text.splitlines(), start=1):
        header = _HEADER.match(line)
        if header:
            here = _resolve(_parts(header[2]), counts, new=header[1] == "[[")
            lines.setdefault(here, number)
            continue
        key = _KEY.match(line)
        if key:
            place = here
            for part in _parts(key[1]):
                place = (*place, part)
                lines.setdefault(place, number)
    return lines


def _parts(dotted: str) -> list[str]:
    found = re.findall(r"""[A-Za-z0-9_-]+|"[^"]*"|'[^']*'""", dotted)
    return [part.strip("\"'") for part in found]


def _resolve(parts: list[str], counts: dict[Place, int], *, new: bool) -> Place:
    place: Place = ()
    for at, part in enumerate(parts):
        place = (*place, part)
        if new and at == len(parts) - 1:
            counts[place] = counts.get(place, 0) + 1
        if place in counts:
            place = (*place, counts[place] - 1)
    return place
