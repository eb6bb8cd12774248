"""Where a query can run, by the place it is given."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from askance.core.errors import BadInput, UnknownName
from askance.core.registry import Registry

if TYPE_CHECKING:
    from askance.engines.engine import Engine
    from askance.models.embedder import Embedder


class EngineKind(Protocol):
    """What the registry holds: opens the index at a place."""

    @classmethod
    def open(cls, place: Path, embedder: Embedder | None = None) -> Engine: ...


ENGINES: Registry[EngineKind] = Registry("engine", {"embedded": "askance.engines.embedded.engine:EmbeddedEngine"})


def open_engine(place: str | Path, embedder: Embedder | None = None) -> Engine:
    """The engine at `place`: a folder holds an index of the embedded one; another is named as NAME://….

    `embedder`: makes the vectors of questions; the one the index names unless given. BadInput for an engine that is
    not there, FileProblem for a folder without an index.
    """
    name, told, rest = str(place).partition("://")
    if not told:
        return ENGINES.get("embedded").open(Path(place), embedder)
    if name not in ENGINES:
        raise _no_such_engine(name, rest)
    return ENGINES.get(name).open(Path(rest), embedder)


def folder_of(place: str | Path) -> Path:
    """The folder that an index of the embedded engine is built in; BadInput for NAME://… of an engine not there."""
    name, told, rest = str(place).partition("://")
    if told and name != "embedded":
        raise _no_such_engine(name, rest)
    return Path(rest) if told else Path(place)


def _no_such_engine(name: str, rest: str) -> BadInput:
    """Says it without what may be a password in front of @."""
    place = f"{name}://{rest.rpartition('@')[2]}"
    if name == "opensearch":
        return BadInput(
            f"{place}: the OpenSearch engine is a part of askance that this version does not have",
            remedy="Name a folder: the embedded engine gives the same hits in the same order.",
        )
    return UnknownName("engine", name, ENGINES, where=place)
