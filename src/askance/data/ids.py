"""Interned identifiers: every array elsewhere holds positions in one of these."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, overload

from askance.core.errors import DataProblem

if TYPE_CHECKING:
    from polars import Series


class Ids:
    """Distinct identifiers in a fixed order; position ↔ identifier.

    Never normalised: `7`, `07` and NFC/NFD forms are different identifiers. Names may stand in a column of polars, or
    be listed where they are first asked for; they become Python text, and are indexed, where somebody needs that.
    """

    __slots__ = ("_ascii", "_column", "_index", "_length", "_make", "_names", "_source")

    def __init__(self, names: Iterable[str]) -> None:
        self._column: Series | None = None
        self._make: Callable[[], Series] | None = None
        self._names: tuple[str, ...] | None = tuple(names)
        self._index: dict[str, int] | None = {name: position for position, name in enumerate(self._names)}
        if len(self._index) != len(self._names):
            seen: set[str] = set()
            twice = next(name for name in self._names if name in seen or seen.add(name))  # type: ignore[func-returns-value]
            raise DataProblem(f"the identifier {twice!r} occurs more than once", remedy="Give each its own.")
        self._length = len(self._names)
        self._source: object = self._names
        self._ascii = False

    @classmethod
    def later(cls, length: int, make: Callable[[], Series], source: object, *, ascii: bool = False) -> Ids:
        """So many names that are known to differ; `make` lists them as a column of text, if somebody asks.

        `source`: of two that have the same one, the shorter's names are the first of the longer's. `ascii`: no name has
        a letter beyond ASCII.
        """
        ids = cls(())
        ids._length, ids._make, ids._names, ids._index, ids._source = length, make, None, None, source
        ids._ascii = ascii
        return ids

    @property
    def known_ascii(self) -> bool:
        """Whether it is known, without a look at the names, that they are ASCII."""
        return self._ascii

    def begins(self, other: Ids) -> bool:
        """Whether it is known, without a look at the names, that `other` begins with all of these, in their order."""
        return self._source is other._source and len(self) <= len(other)

    @property
    def names(self) -> tuple[str, ...]:
        if self._names is None:
            self._names = tuple(self.column)
        return self._names

    @property
    def column(self) -> Series:
        """The names as a column of polars; DataProblem where one is no valid text."""
        if self._column is None and self._make is not None:
            self._column, self._make = self._make(), None
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
        return self._length

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
        if self is other or (isinstance(other, Ids) and len(self) == len(other) and self.begins(other)):
            return True
        return isinstance(other, Ids) and len(self) == len(other) and self.names == other.names

    def __hash__(self) -> int:
        return hash(self.names)

    def __repr__(self) -> str:
        return f"Ids({len(self)} names)"
