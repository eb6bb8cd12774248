"""Identifiers by position: one file of all names, one of where each begins; both memory-mapped."""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import BinaryIO

import numpy as np
from numpy.typing import NDArray

from askance.core.errors import DataProblem, FileProblem

_NAMES, _BEGINS = "identifiers.names", "identifiers.begins"


class IdentifierTable:
    """Position → identifier. Positions of deleted documents keep theirs."""

    def __init__(self, folder: Path) -> None:
        try:
            mapped = np.memmap(folder / _BEGINS, dtype=np.uint64, mode="r")
            self._begins = memoryview(mapped)  # type: ignore[arg-type]
            size = (folder / _NAMES).stat().st_size
            if self._begins[-1] != size:
                raise ValueError(f"{_NAMES} has {size} bytes instead of {self._begins[-1]}")
            filled = np.memmap(folder / _NAMES, dtype=np.uint8, mode="r") if size else b""
            self._names = memoryview(filled)  # type: ignore[arg-type]
        except (OSError, ValueError) as problem:
            raise FileProblem(
                folder,
                f"the table of identifiers is missing or damaged ({problem})",
                remedy="Build the index again: askance index DOCS --into DIR",
            ) from None

    def __len__(self) -> int:
        return len(self._begins) - 1

    def at(self, positions: NDArray[np.int64]) -> tuple[str, ...]:
        """The identifiers of these positions, in their order."""
        begins, names = self._begins, self._names
        return tuple([str(names[begins[at] : begins[at + 1]], "utf-8") for at in positions.tolist()])


class IdentifierWriter:
    """Writes the table, one identifier after another, after those of `before`."""

    def __init__(self, folder: Path, before: Path | None = None) -> None:
        self._folder = folder
        self._begins = array("Q", [0])
        self._names: BinaryIO = (folder / _NAMES).open("wb")
        if before is not None:
            self._begins = array("Q", (before / _BEGINS).read_bytes())
            self._names.write((before / _NAMES).read_bytes())

    def append(self, identifier: str) -> None:
        """Give the next position to this identifier."""
        self._begins.append(self._begins[-1] + self._names.write(identifier.encode()))

    def close(self) -> None:
        """Finish both files; nothing more where that is done."""
        if self._names.closed:
            return
        self._names.close()
        (self._folder / _BEGINS).write_bytes(self._begins.tobytes())


class SeenIdentifiers:
    """Finds identifiers that come twice, in eight bytes a document."""

    def __init__(self) -> None:
        self._hashes = array("q")

    def add(self, identifier: str) -> None:
        self._hashes.append(hash(identifier))

    def check(self, table: IdentifierTable) -> None:
        """DataProblem naming the identifier and both places, where one came twice."""
        hashes = np.frombuffer(self._hashes, dtype=np.int64) if self._hashes else np.empty(0, dtype=np.int64)
        order = np.argsort(hashes, kind="stable")
        ordered = hashes[order]
        for run in _runs(ordered):
            positions = np.sort(order[run])
            _check_few(table.at(positions), positions.tolist())


def _runs(ordered: NDArray[np.int64]) -> Iterator[slice]:
    """Where equal values stand side by side, two at least."""
    same = np.flatnonzero(ordered[1:] == ordered[:-1])
    starts = same[np.diff(same, prepend=-2) > 1] if len(same) else same
    for start in starts.tolist():
        yield slice(start, int(np.searchsorted(ordered, ordered[start], side="right")))


def _check_few(names: Sequence[str], positions: Sequence[int]) -> None:
    first: dict[str, int] = {}
    for name, position in zip(names, positions, strict=True):
        if name in first:
            raise DataProblem(
                f"the identifier {name!r} comes twice: document {first[name] + 1} and document {position + 1}",
                remedy="Give each document its own identifier, or leave one of them out.",
            )
        first[name] = position
