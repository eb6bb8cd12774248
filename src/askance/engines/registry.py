"""Where a query can run, by the place it is given."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from askance.core.errors import UnknownName
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

    `embedder`: makes the vectors of questions; the one the index names unless given. UnknownName for an engine that is
    not there, FileProblem for a folder without an index.
    """
    name, told, _ = str(place).partition("://")
    if not told:
        return ENGINES.get("embedded").open(Path(place), embedder)
    if name not in ENGINES:
        raise UnknownName("engine", name, ENGINES, where=str(place).partition("@")[2] or str(place))
    return ENGINES.get(name).open(Path(str(place).removeprefix(f"{name}://")), embedder)
