"""The embedders that a study file may name, and what each is built from."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Protocol

from pydantic import BaseModel

from askance.core.places import found_beside
from askance.core.registry import Registry
from askance.models.embedder import Embedder
from askance.models.ledger import Ledger


class EmbedderKind(Protocol):
    """What the registry holds: settings that a study file may give, and how an embedder is made from them."""

    Settings: type[BaseModel]

    @classmethod
    def build(cls, settings: BaseModel, ledger: Ledger | None) -> Embedder:
        """`ledger`: where calls to a paid or remote model are recorded; None keeps them for this process only."""


EMBEDDERS: Registry[EmbedderKind] = Registry(
    "embedder",
    {
        "minilm": "askance.models.minilm:MiniLM",
        "folder": "askance.models.folder:Folder",
        "endpoint": "askance.models.endpoint:Endpoint",
        "fake": "askance.models.fake:Fake",
    },
)


def built_beside(name: str, settings: Mapping[str, Any], folder: Path | None, ledger: Ledger | None = None) -> Embedder:
    """An embedder of the registry as a study file in `folder` describes it: paths that are not in the current directory
    are looked for beside that file."""
    kind = EMBEDDERS.get(name)
    given = kind.Settings.model_validate(settings)
    paths = {key: found_beside(value, folder) for key, value in given if isinstance(value, Path)}
    return kind.build(given.model_copy(update=paths), ledger)
