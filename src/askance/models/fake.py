"""The fake embedder as a kind that a study file may name: trigrams instead of a model."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict, Field

from askance.models.embedder import Embedder, FakeEmbedder
from askance.models.ledger import Ledger


class Fake:
    """Needs no weights and no network; its vectors say only which trigrams two texts share."""

    class Settings(BaseModel):
        model_config = ConfigDict(frozen=True, extra="forbid")

        dimension: int = Field(default=64, ge=1, le=4096)
        max_tokens: int = Field(default=256, ge=1)

    @classmethod
    def build(cls, settings: BaseModel, ledger: Ledger | None) -> Embedder:
        given = cls.Settings.model_validate(settings)
        return FakeEmbedder(given.dimension, given.max_tokens)
