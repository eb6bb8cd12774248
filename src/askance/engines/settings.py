"""How an index is made: settings that its manifest keeps, so that updates and questions are cut the same way."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from askance.data.fields.schema import Record

POSITION_GAP = 100
LEGACY = 2.2  # k1 + 1: what Lucene 8 dropped from BM25, and tantivy and OpenSearch 2 keep

Scale = Literal["lucene", "legacy"]  # legacy: lexical scores times 2.2, as OpenSearch 2 gives them
Precision = Literal["float32", "int8"]
Lookup = Literal["exact", "approximate"]


class Analysis(BaseModel):
    """The analyzer of every text field: Lucene's standard one, and options of it."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    stemmer: str | None = None
    stop_words: tuple[str, ...] = ()
    fold_apostrophes: bool = False
    normalize: Literal["nfc", "nfkc"] | None = None


class VectorSettings(BaseModel):
    """Vectors of the documents: `embedder` is a name of models.registry.EMBEDDERS, with its settings."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    embedder: str
    settings: Mapping[str, Any] = {}
    precision: Precision = "float32"
    lookup: Lookup = "exact"


class IndexSettings(BaseModel):
    """How an index is made. `position_gap`: places between two items of one document."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    analysis: Analysis = Analysis()
    scale: Scale = "lucene"
    k1: float = Field(default=1.2, ge=0)
    b: float = Field(default=0.75, ge=0, le=1)
    position_gap: int = Field(default=POSITION_GAP, ge=0)
    vectors: VectorSettings | None = None


@dataclass(frozen=True)
class Indexed:
    """A document to index. `record`: what a schema splits, "text" among it; `metadata`: what filters ask for."""

    id: str
    text: str
    metadata: Mapping[str, str | float | bool] = field(default_factory=dict)
    record: Record = field(default_factory=dict)
