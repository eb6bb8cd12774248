"""The files of one set of vectors: rows in a .npy, a journal of committed batches, a lock.

While it is made it lies in <key>.partial; once complete the folder is renamed to <key>. The journal has one line per
batch, its number and the sha256 of its rows, written after the rows are on disk: a line is a promise.
"""

from __future__ import annotations

import fcntl
import hashlib
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import BinaryIO

import numpy as np
from numpy.lib import format as npy

from askance.core.errors import FileProblem
from askance.core.files import whole_file, write_whole
from askance.core.progress import Progress
from askance.models.embedder import Vectors

_ROWS, _JOURNAL = "vectors.npy", "journal"


class VectorFiles:
    """One set under `folder`: `batches` of rows, each row `dimension` long. `about`: the model, for whoever looks."""

    def __init__(self, folder: Path, key: str, batches: Sequence[range], dimension: int, about: str) -> None:
        self.lock = folder / f"{key}.lock"
        self._done, self._partial = folder / key, folder / f"{key}.partial"
        self._batches, self._about = batches, about
        self._shape = (batches[-1].stop, dimension)

    def finished(self) -> Vectors | None:
        """The complete set, read-only and memory-mapped; None where there is none, or not as it was written."""
        if not self._done.is_dir():
            return None
        committed, damaged = self._committed(self._done)
        if damaged or len(committed) < len(self._batches):
            return None
        return self._mapped()

    @contextmanager
    def writing(self) -> Iterator[Writer]:
        """What is left to do, with the lock held."""
        with _told(self._partial):
            if self._done.is_dir():  # complete once, damaged since
                self._done.rename(self._partial)
            self._partial.mkdir(parents=True, exist_ok=True)
            write_whole(self._partial.with_name("model.json"), self._about)
            committed, damaged = self._committed(self._partial)
            if not self._fits(self._partial / _ROWS):
                committed = {}
                self._allocate(self._partial / _ROWS)
            # written anew: a torn last line, or one that no longer holds, must not stand before the next
            lines = "".join(_line(number, digest) for number, digest in sorted(committed.items()))
            write_whole(self._partial / _JOURNAL, lines)
        with (self._partial / _ROWS).open("r+b", buffering=0) as rows, (self._partial / _JOURNAL).open("ab") as journal:
            yield Writer(rows, journal, self._batches, self._offset(), set(committed), damaged)

    def finish(self) -> Vectors:
        """Rename the set, all of whose batches are committed, and open it."""
        with _told(self._partial):
            self._partial.rename(self._done)
            _sync_folder(self._done.parent)
        return self._mapped()

    def _mapped(self) -> Vectors:
        return np.asarray(np.load(self._done / _ROWS, mmap_mode="r", allow_pickle=False))

    def _committed(self, folder: Path) -> tuple[dict[int, str], frozenset[int]]:
        """Batches whose rows are as the journal says, with their hashes; and those whose rows are not."""
        said = _read_journal(folder / _JOURNAL, len(self._batches))
        if not said:
            return {}, frozenset()
        if not self._fits(folder / _ROWS):
            return {}, frozenset(said)
        rows = np.load(folder / _ROWS, mmap_mode="r", allow_pickle=False)
        sound = {number: digest for number, digest in said.items() if _hash(rows, self._batches[number]) == digest}
        return sound, frozenset(said) - frozenset(sound)

    def _header(self) -> bytes:
        from io import BytesIO

        out = BytesIO()
        about = {"descr": npy.dtype_to_descr(np.dtype("<f4")), "fortran_order": False, "shape": self._shape}
        npy.write_array_header_1_0(out, about)
        return out.getvalue()

    def _offset(self) -> int:
        return len(self._header())

    def _fits(self, path: Path) -> bool:
        """Whether the file has the header and the length of this set."""
        header = self._header()
        if not path.is_file() or path.stat().st_size != len(header) + self._shape[0] * self._shape[1] * 4:
            return False
        with path.open("rb") as file:
            return file.read(len(header)) == header

    def _allocate(self, path: Path) -> None:
        header = self._header()
        with whole_file(path) as out:
            out.write(header)
            out.truncate(len(header) + self._shape[0] * self._shape[1] * 4)


class Writer:
    """Commits batches. `committed`: those that are there; `damaged`: those that were there once."""

    def __init__(
        self,
        rows: BinaryIO,
        journal: BinaryIO,
        batches: Sequence[range],
        offset: int,
        committed: set[int],
        damaged: frozenset[int],
    ) -> None:
        self._rows, self._journal, self._batches, self._offset = rows, journal, batches, offset
        self.committed, self.damaged = committed, damaged

    def commit(self, number: int, vectors: Vectors) -> None:
        """Rows to disk, then the line in the journal to disk."""
        raw = np.ascontiguousarray(vectors, dtype="<f4").tobytes()
        with _told(Path(self._rows.name)):
            self._rows.seek(self._offset + self._batches[number].start * vectors.shape[1] * 4)
            left = memoryview(raw)
            while left:
                left = left[self._rows.write(left) :]
            os.fsync(self._rows.fileno())
            self._journal.write(_line(number, hashlib.sha256(raw).hexdigest()).encode())
            self._journal.flush()
            os.fsync(self._journal.fileno())
        self.committed.add(number)


class Locked:
    """One process at a time makes a set. A killed process leaves no lock behind, only its empty file."""

    def __init__(self, path: Path, progress: Progress) -> None:
        self._path, self._progress = path, progress

    def __enter__(self) -> None:
        with _told(self._path):
            self._path.parent.mkdir(parents=True, exist_ok=True)
            while True:
                file = os.open(self._path, os.O_RDWR | os.O_CREAT, 0o644)
                self._take(file)
                if self._still_there(file):
                    self._file = file
                    return
                os.close(file)  # its last holder removed it: the next comer has made another

    def _take(self, file: int) -> None:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            task = "wait for another process that embeds the same texts"
            self._progress.start(task, None)
            fcntl.flock(file, fcntl.LOCK_EX)
            self._progress.finish(task)

    def _still_there(self, file: int) -> bool:
        try:
            there = os.stat(self._path)
        except FileNotFoundError:
            return False
        ours = os.fstat(file)
        return (there.st_dev, there.st_ino) == (ours.st_dev, ours.st_ino)

    def __exit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._path.unlink(missing_ok=True)
        os.close(self._file)


def _line(number: int, digest: str) -> str:
    return f"{number} {digest}\n"


def _read_journal(path: Path, batches: int) -> dict[int, str]:
    """Batch → sha256. A line that is torn or names no batch promises nothing."""
    if not path.is_file():
        return {}
    said: dict[int, str] = {}
    for line in path.read_bytes().split(b"\n")[:-1]:
        number, _, digest = line.decode("ascii", "replace").partition(" ")
        if number.isdecimal() and int(number) < batches and len(digest) == 64:
            said[int(number)] = digest
    return said


def _hash(rows: Vectors, batch: range) -> str:
    return hashlib.sha256(rows[batch.start : batch.stop].tobytes()).hexdigest()


def _sync_folder(folder: Path) -> None:
    file = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(file)
    finally:
        os.close(file)


@contextmanager
def _told(path: Path) -> Iterator[None]:
    """A full or forbidden disk, as a message that says where."""
    try:
        yield
    except (OSError, FileProblem) as problem:
        cause = problem if isinstance(problem, OSError) else problem.__cause__
        raise FileProblem(
            path,
            f"vectors cannot be kept here ({getattr(cause, 'strerror', None) or cause or problem})",
            remedy="Free some room, or set ASKANCE_CACHE to another folder. What was committed stays.",
        ) from problem
