"""Where a query can run, by the place it is given: a folder, or NAME://… of another engine."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from askance.core.errors import BadInput, UnknownName
from askance.core.places import found_beside
from askance.core.progress import Progress
from askance.core.registry import Registry

if TYPE_CHECKING:
    from askance.data.fields.schema import Schema
    from askance.engines.engine import Engine
    from askance.engines.held import IndexHeld
    from askance.engines.settings import Indexed, IndexSettings
    from askance.models.embedder import Embedder


class EngineKind(Protocol):
    """What the registry holds. `place` is as the user names it, NAME:// in front."""

    @classmethod
    def open(cls, place: str, embedder: Embedder | None = None) -> Engine:
        """The index at a place."""
        ...

    @classmethod
    def stands(cls, place: str) -> bool:
        """Whether an index is there already."""
        ...

    @classmethod
    def build(
        cls,
        documents: Iterable[Indexed],
        place: str,
        *,
        schema: Schema | None = None,
        settings: IndexSettings | None = None,
        embedder: Embedder | None = None,
        replace: bool = False,
        progress: Progress | None = None,
    ) -> IndexHeld:
        """An index of the documents, whole or not at all."""
        ...

    @classmethod
    def change(
        cls,
        place: str,
        *,
        put: Iterable[Indexed] = (),
        delete: Sequence[str] = (),
        compact: bool = False,
        schema: Schema | None = None,
        embedder: Embedder | None = None,
        progress: Progress | None = None,
    ) -> IndexHeld:
        """The index with documents put in and taken out, whole or not at all."""
        ...


DEFAULT = "embedded"

ENGINES: Registry[EngineKind] = Registry(
    "engine",
    {
        "embedded": "askance.engines.embedded.kind:Embedded",
        "opensearch": "askance.engines.opensearch.kind:OnOpenSearch",
    },
)


def open_engine(place: str | Path, embedder: Embedder | None = None) -> Engine:
    """The engine at `place`: a folder holds an index of the embedded one; another is named as NAME://….

    `embedder`: makes the vectors of questions; the one the index names unless given. UnknownName for an engine that is
    not there, FileProblem for a folder without an index, ClusterProblem where a cluster does not answer.
    """
    return engine_kind(place).open(str(place), embedder)


def place_beside(place: str, folder: Path | None) -> str:
    """An index as a file in `folder` names it: a folder is looked for here, then beside that file."""
    if engine_name(place) != DEFAULT:
        return place
    return str(found_beside(folder_of(place), folder, Path.is_dir))


def is_index(place: str | Path) -> bool:
    """Whether a place is one of another engine, or a folder with an index."""
    name, told, _ = str(place).partition("://")
    return (bool(told) and name in ENGINES) or (Path(place).is_dir() and engine_kind(place).stands(str(place)))


def engine_kind(place: str | Path) -> EngineKind:
    """The kind of engine that keeps what is at `place`."""
    return ENGINES.get(engine_name(place))


def engine_name(place: str | Path) -> str:
    """Its name; UnknownName, without what may be a password in front of @, for one that is not there."""
    name, told, rest = str(place).partition("://")
    if not told:
        return DEFAULT
    if name not in ENGINES:
        raise UnknownName("engine", name, ENGINES, where=f"{name}://{rest.rpartition('@')[2]}")
    return name


def folder_of(place: str | Path) -> Path:
    """The folder of an index of the embedded engine; BadInput where another engine keeps it."""
    name = engine_name(place)
    if name != DEFAULT:
        shown = f"{name}://{str(place).partition('://')[2].rpartition('@')[2]}"
        raise BadInput(
            f"{shown}: an index in a folder is needed here", remedy="Build one: askance index DOCS --into DIR"
        )
    return Path(str(place).removeprefix(f"{DEFAULT}://"))
