"""Registries: a name, and where the thing lives. Nothing is imported before it is asked for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib import import_module
from typing import Generic, TypeVar, cast

from askance.core.errors import UnknownName

T = TypeVar("T")


class Registry(Generic[T]):
    """Maps names to things that are imported on first use.

    >>> shouts: Registry[type] = Registry("outcome", {"outcome": "askance.core.outcome:Outcome"})
    >>> shouts.get("outcome").__name__
    'Outcome'
    """

    def __init__(self, kind: str, places: Mapping[str, str]) -> None:
        """`places`: name → "module:attribute"."""
        self.kind = kind
        self._places = dict(places)

    def get(self, name: str) -> T:
        """The thing registered under `name`; UnknownName, with the nearest name, where there is none."""
        place = self._places.get(name)
        if place is None:
            raise UnknownName(self.kind, name, self._places)
        module, _, attribute = place.partition(":")
        return cast(T, getattr(import_module(module), attribute))

    def __contains__(self, name: object) -> bool:
        return name in self._places

    def __iter__(self) -> Iterator[str]:
        return iter(self._places)
