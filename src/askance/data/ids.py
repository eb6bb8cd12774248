"""Interned identifiers: every array elsewhere holds positions in one of these."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, overload

from askance.core.errors import DataProblem

if TYPE_CHECKING:
    from polars import Series


class Ids:
    """Distinct identifiers in a fixed order; position ↔ identifier.

    Never normalised: `7`, `07` and NFC/NFD forms are different identifiers. Names may stand in a column of polars;
    they become Python text, and are indexed, where somebody asks for that.
    """

    __slots__ = ("_column", "_index", "_names")

    def __init__(self, names: Iterable[str]) -> None:
        self._column: Series | None = None
        self._names: tuple[str, ...] | None = tuple(names)
        self._index: dict[str, int] | None = {name: position for position, name in enumerate(self._names)}
        if len(self._index) != len(self._names):
            seen: set[str] = set()
            twice = next(name for name in self._names if name in seen or seen.add(name))  # type: ignore[func-returns-value]
            raise DataProblem(f"the identifier {twice!r} occurs more than once", remedy="Give each its own.")

    @classmethod
    def of_column(cls, names: Series) -> Ids:
        """From a column of text whose entries are known to differ."""
        ids = cls(())
        ids._column, ids._names, ids._index = names, None, None
        return ids

    @property
    def names(self) -> tuple[str, ...]:
        if self._names is None:
            self._names = tuple(self.column)
        return self._names

    @property
    def column(self) -> Series:
        """The names as a column of polars; DataProblem where one is no valid text."""
        if self._column is None:
            from polars import Series, String

            try:
                self._column = Series("names", self.names, dtype=String)
            except UnicodeEncodeError as error:
                raise DataProblem(
                    f"the identifier {error.object!r} holds half a character", remedy="Write it as valid Unicode text."
                ) from None
        return self._column

    def position(self, name: str) -> int | None:
        """Where `name` stands; None where it is unknown."""
        return self._places.get(name)

    @property
    def _places(self) -> dict[str, int]:
        if self._index is None:
            self._index = {name: position for position, name in enumerate(self.names)}
        return self._index

    def __len__(self) -> int:
        return len(self.column) if self._names is None else len(self._names)

    def __iter__(self) -> Iterator[str]:
        return iter(self.names)

    @overload
    def __getitem__(self, at: int) -> str: ...
    @overload
    def __getitem__(self, at: slice) -> tuple[str, ...]: ...
    def __getitem__(self, at: int | slice) -> str | tuple[str, ...]:
        if self._names is not None:
            return self._names[at]
        return tuple(self.column[at]) if isinstance(at, slice) else str(self.column[int(at)])

    def __contains__(self, name: object) -> bool:
        return name in self._places

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        return isinstance(other, Ids) and len(self) == len(other) and self.names == other.names

    def __hash__(self) -> int:
        return hash(self.names)

    def __repr__(self) -> str:
        return f"Ids({len(self)} names)"
