"""What an index on OpenSearch says of itself: kept in the `_meta` of its mapping, so that whoever opens it knows."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from askance.core.errors import BadInput
from askance.engines.counting import Counts
from askance.engines.settings import IndexSettings, Lookup

FORMAT = 1
KEY = "askance"  # under which it stands in `_meta`

_AGAIN = "Build it again: askance index DOCS --into opensearch://HOST/INDEX --replace"


class GraphRecall(BaseModel):
    """Share of the exactly nearest `depth` that the graph found: mean over `questions`, `within` 1.96 standard errors.

    The questions are some of the documents' own vectors.
    """

    model_config = ConfigDict(frozen=True)

    depth: int
    mean: float
    within: float
    questions: int

    def __str__(self) -> str:
        return f"recall@{self.depth} {self.mean:.4f} ± {self.within:.4f}"


class Vectored(BaseModel):
    """The vectors of the documents: the model (its card) with its fingerprint, the embedder's name in the registry
    with its settings (None where it was handed over), how near documents are found, and how many have no vector."""

    model_config = ConfigDict(frozen=True)

    fingerprint: str
    model: Mapping[str, Any]
    embedder: str | None
    settings: Mapping[str, Any]
    lookup: Lookup
    without: int = 0
    recall: tuple[GraphRecall, ...] = ()


class Meta(BaseModel):
    """What an index is. `complete`: False until all documents are loaded and counted.

    `splits`: the schema as JSON, None without one. `fields`: its text fields, `text` first. `next_position`: the
    position of the next document that is added. `deleted`, `superseded`: documents that count in the statistics until
    the segments that hold them are merged.
    """

    model_config = ConfigDict(frozen=True, populate_by_name=True)

    format: int = FORMAT
    complete: bool = False
    settings: IndexSettings
    splits: Mapping[str, Any] | None = Field(default=None, alias="schema")
    fields: tuple[str, ...] = ("text",)
    counts: Counts = Counts()
    vectors: Vectored | None = None
    superseded: int = 0
    deleted: int = 0

    def as_mapping(self) -> Mapping[str, Any]:
        """What is written into `_meta`."""
        return {KEY: self.model_dump(mode="json", by_alias=True)}


def read_meta(mapping: Mapping[str, Any], place: str) -> Meta:
    """The Meta in an index's mapping. BadInput where the index is not of askance, of a newer one, or half loaded."""
    told = (mapping.get("_meta") or {}).get(KEY)
    if told is None:
        raise BadInput(f"{place}: the index was not made by askance: its mapping has no _meta.{KEY}", remedy=_AGAIN)
    if isinstance(told, Mapping) and isinstance(told.get("format"), int) and told["format"] > FORMAT:
        raise BadInput(
            f"{place}: the index has format {told['format']}; this askance reads up to {FORMAT}",
            remedy="Install the askance that wrote it, or build the index again.",
        )
    try:
        meta = Meta.model_validate(told)
    except ValidationError as problem:
        first = problem.errors()[0]
        where = ".".join(map(str, first["loc"]))
        raise BadInput(f"{place}: _meta.{KEY} is damaged: {where}: {first['msg']}", remedy=_AGAIN) from None
    if not meta.complete:
        raise BadInput(
            f"{place}: the index is half loaded: the build was stopped before all documents were counted",
            remedy="Build it again; what another index of that name holds still answers under its alias.",
        )
    return meta
