"""Where an index lies on disk, who may write it, and how a change is made at once or not at all.

INDEX/manifest.json names the generation that holds; INDEX/gen-000001/ holds all of that generation. A new index is
built in a hidden folder beside its place and renamed. A change makes a new generation beside the old one, replaces the
manifest, and removes the old. What a killed writer left behind, the next one removes.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from askance.core.errors import BadInput, FileProblem
from askance.engines.embedded.manifest import MANIFEST, Manifest, read_manifest, write_manifest

_LOCK = "writer.lock"


class IndexBusy(BadInput):
    """Another process writes this index."""

    def __init__(self, folder: Path) -> None:
        super().__init__(
            f"{folder}: another process is writing this index", remedy="Wait until it is done, then try again."
        )


def generation_folder(index: Path, generation: int) -> Path:
    """Where the files of a generation are."""
    return index / f"gen-{generation:06d}"


@dataclass(frozen=True)
class Change:
    """A change under way. `folder`: an empty folder for the new generation; `before`: the manifest that holds now."""

    index: Path
    generation: int
    before: Manifest | None

    @property
    def folder(self) -> Path:
        return generation_folder(self.index, self.generation)

    def commit(self, manifest: Manifest) -> None:
        """Make the new generation the one that holds."""
        _sync(self.folder)
        write_manifest(self.index, manifest)
        if self.before is not None:
            shutil.rmtree(generation_folder(self.index, self.before.generation), ignore_errors=True)


@contextmanager
def new_index(into: Path, replace: bool) -> Iterator[Change]:
    """A place to build the index `into`. It is there, whole, when the block has committed and ends without an error.

    FileProblem where something stands there: an index (unless `replace`), or anything else. A replaced index answers
    until the new one stands. IndexBusy where another process writes it.
    """
    into = Path(os.path.abspath(into))
    if (into / MANIFEST).exists():
        if not replace:
            raise FileProblem(into, "is an index already", remedy="Choose another place, or ask to replace it.")
        with changed_index(into) as change:
            yield change
        return
    if into.exists() and (not into.is_dir() or any(into.iterdir())):
        raise FileProblem(into, "is there already, and is no index", remedy="Choose a place that is not there yet.")
    try:
        into.parent.mkdir(parents=True, exist_ok=True)
        _clear_beside(into)
        temporary = into.with_name(f".{into.name}.building-{os.getpid()}")
        temporary.mkdir()
    except OSError as problem:
        raise FileProblem(
            into, f"cannot be made ({problem.strerror or problem})", remedy="Choose a place that can be written."
        ) from problem
    try:
        with _locked(temporary, into):
            change = Change(temporary, 1, None)
            change.folder.mkdir()
            yield change
            try:
                temporary.rename(into)
            except OSError as problem:
                raise FileProblem(into, f"has come into being meanwhile ({problem.strerror})") from problem
            _sync(into.parent)
    finally:
        shutil.rmtree(temporary, ignore_errors=True)


@contextmanager
def changed_index(index: Path) -> Iterator[Change]:
    """A new generation of an index that exists; what is not committed is removed. IndexBusy as above."""
    read_manifest(index)
    with _locked(index, index):
        before = read_manifest(index)
        _clear_inside(index, before)
        change = Change(index, before.generation + 1, before)
        try:
            change.folder.mkdir()
            yield change
        finally:
            _clear_inside(index, read_manifest(index))


@contextmanager
def _locked(folder: Path, named: Path) -> Iterator[None]:
    """Hold the lock of a folder; the system lets it go when the process ends, however it ends."""
    try:
        lock = (folder / _LOCK).open("ab")
    except OSError as problem:
        raise FileProblem(folder, f"cannot be written ({problem.strerror or problem})") from problem
    with lock:
        if not _take(lock):
            raise IndexBusy(named)
        yield


def _take(lock: BinaryIO) -> bool:
    import fcntl

    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


def _clear_beside(into: Path) -> None:
    """Remove what killed builds of this index have left; IndexBusy where one is alive."""
    prefix = f".{into.name}.building-"
    for left in [found for found in into.parent.iterdir() if found.name.startswith(prefix)]:
        with _locked(left, into):
            shutil.rmtree(left, ignore_errors=True)


def _clear_inside(index: Path, holds: Manifest) -> None:
    """Remove generations other than the one that holds, and half-written manifests."""
    for found in list(index.iterdir()):
        if found.name.startswith("gen-") and found != generation_folder(index, holds.generation):
            shutil.rmtree(found, ignore_errors=True)
        elif found.name.endswith(".partial"):
            with suppress(OSError):
                found.unlink()


def _sync(folder: Path) -> None:
    """Bring a folder's names to the disk, where the system can."""
    with suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
