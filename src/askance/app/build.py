"""Collections made by the package, written as folders."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from askance.build.limit.settings import limit_settings
from askance.build.limit.writing import LimitMade, write_limit
from askance.core.errors import BadInput
from askance.core.progress import Progress


def build_limit(into: str | Path, *, progress: Progress | None = None, **settings: Any) -> LimitMade:
    """Write a collection in the manner of LIMIT into a new folder.

    `settings`: those of `build.limit.settings.LimitSettings`. BadInput where they cannot be met, FileProblem where the
    folder is there and not empty.
    """
    return write_limit(limit_settings(**settings), into, progress=progress)


def counts_of(entries: Sequence[str], option: str) -> Mapping[str, int | str]:
    """NAME=COUNT entries of an option as a mapping; a COUNT that is no number is kept as it is written."""
    found: dict[str, int | str] = {}
    for entry in entries:
        name, mark, count = entry.partition("=")
        if not mark or not name or not count:
            raise BadInput(f"{option} {entry!r} does not read NAME=COUNT", remedy=f"For example: {option} or=100")
        if name in found:
            raise BadInput(f"{option} names {name!r} twice", remedy="Keep one of the two.")
        found[name] = int(count) if count.isdecimal() else count
    return found
