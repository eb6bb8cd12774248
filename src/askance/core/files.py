"""Files that are whole or not there: written under a temporary name, then renamed."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from askance.core.errors import FileProblem


@contextmanager
def whole_file(path: Path) -> Iterator[BinaryIO]:
    """Open `path` for writing bytes; it appears, complete and synced, when the block ends without an error.

    FileProblem where the disk refuses: full, forbidden, a folder of that name, a name too long.
    """
    partial = path.with_name(f".{path.name}.{os.getpid()}.partial")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            with partial.open("wb") as out:
                yield out
                out.flush()
                os.fsync(out.fileno())
            partial.replace(path)
        except BaseException:
            with suppress(OSError):  # what went wrong first is what the reader must hear
                partial.unlink()
            raise
    except OSError as problem:
        raise FileProblem(
            path,
            f"cannot be written ({problem.strerror or problem})",
            remedy="Make room, or choose a place where files may be written. What was there before is as it was.",
        ) from problem


def write_whole(path: Path, content: str | bytes) -> None:
    """Write all of `content` (text as UTF-8), or leave what was there."""
    with whole_file(path) as out:
        out.write(content.encode() if isinstance(content, str) else content)


def sha256_of(path: Path) -> str:
    """Hex sha256 of a file's bytes."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
