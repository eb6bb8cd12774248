"""Interned identifiers: every array elsewhere holds positions in one of these."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import overload

from askance.core.errors import DataProblem


class Ids:
    """Distinct identifiers in a fixed order; position ↔ identifier.

    Never normalised: `7`, `07` and NFC/NFD forms are different identifiers.
    """

    __slots__ = ("_index", "_names")

    def __init__(self, names: Iterable[str]) -> None:
        self._names = tuple(names)
        self._index = {name: position for position, name in enumerate(self._names)}
        if len(self._index) != len(self._names):
            seen: set[str] = set()
            twice = next(name for name in self._names if name in seen or seen.add(name))  # type: ignore[func-returns-value]
            raise DataProblem(f"the identifier {twice!r} occurs more than once", remedy="Give each its own.")

    @property
    def names(self) -> tuple[str, ...]:
        return self._names

    def position(self, name: str) -> int | None:
        """Where `name` stands; None where it is unknown."""
        return self._index.get(name)

    def __len__(self) -> int:
        return len(self._names)

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    @overload
    def __getitem__(self, at: int) -> str: ...
    @overload
    def __getitem__(self, at: slice) -> tuple[str, ...]: ...
    def __getitem__(self, at: int | slice) -> str | tuple[str, ...]:
        return self._names[at]

    def __contains__(self, name: object) -> bool:
        return name in self._index

    def __eq__(self, other: object) -> bool:
        return self is other or (isinstance(other, Ids) and self._names == other._names)

    def __hash__(self) -> int:
        return hash(self._names)

    def __repr__(self) -> str:
        return f"Ids({len(self)} names)"
