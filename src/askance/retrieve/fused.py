"""Retrieval by several systems together: their runs fused into one."""

from __future__ import annotations

from typing import cast

from pydantic import BaseModel, ConfigDict, Field, model_validator

from askance.core.progress import Progress
from askance.data.run import Run
from askance.engines.fusion import fuse_runs
from askance.irl.nodes import FUSE_DEPTH, RRF_K, FuseKind
from askance.retrieve.retriever import Resources, RetrievalTask


class FusedSettings(BaseModel):
    """What a study file may say of a fusion. `of`: systems that stand before it in the same domain."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)

    of: tuple[str, ...] = Field(min_length=2, description="systems of this domain, named above this one")
    kind: FuseKind = Field("rrf", description="rrf by ranks, sum of scores, or minmax of scaled scores")
    weights: tuple[float, ...] = Field((), description="one a system; all 1 unless told")
    k: float = Field(RRF_K, ge=1, le=10_000, description="rrf: 1 / (k + rank)")
    depth: int = Field(FUSE_DEPTH, ge=1, description="how much of each list is read")

    @model_validator(mode="after")
    def _fits(self) -> FusedSettings:
        if len(set(self.of)) < len(self.of):
            raise ValueError("a system is named twice in `of`; name each once and give it a weight")
        if self.weights and len(self.weights) != len(self.of):
            raise ValueError(f"{len(self.weights)} weights for {len(self.of)} systems; give one a system, or none")
        if any(weight < 0 for weight in self.weights) or (self.weights and not any(self.weights)):
            raise ValueError("weights are 0 or more, one of them more")
        return self


class FusedRetriever:
    """Fuses the runs of other systems: see irl.nodes.Fuse for the arithmetic; ties by document position."""

    Settings = FusedSettings

    def __init__(self, settings: FusedSettings, resources: Resources) -> None:
        self.settings = settings
        self._runs = resources.runs

    @classmethod
    def build(cls, settings: BaseModel, resources: Resources) -> FusedRetriever:
        return cls(cast(FusedSettings, settings), resources)

    def retrieve(self, task: RetrievalTask, progress: Progress) -> Run:
        told = self.settings
        runs = [self._runs[name] for name in told.of]
        return fuse_runs(runs, told.kind, weights=told.weights, k=told.k, depth=told.depth).top(task.depth)
