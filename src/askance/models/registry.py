"""The embedders that a study file may name, and what each is built from."""

from __future__ import annotations

from typing import Protocol

from pydantic import BaseModel

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
