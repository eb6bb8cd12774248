"""The language models that a study file may name, and what each is built from."""

from __future__ import annotations

from typing import Protocol

from pydantic import BaseModel

from askance.core.registry import Registry
from askance.models.chat import LanguageModel
from askance.models.ledger import Ledger


class LanguageModelKind(Protocol):
    """What the registry holds: settings that a study file may give, and how a model is made from them."""

    Settings: type[BaseModel]

    @classmethod
    def build(cls, settings: BaseModel, ledger: Ledger | None) -> LanguageModel:
        """`ledger`: where calls to a paid or remote model are recorded; None keeps them for this process only."""


LANGUAGE_MODELS: Registry[LanguageModelKind] = Registry(
    "language model",
    {
        "endpoint": "askance.models.chat_endpoint:ChatEndpoint",
        "recorded": "askance.models.chat_fake:Recorded",
    },
)
