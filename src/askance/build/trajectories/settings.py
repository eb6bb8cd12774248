"""What a benchmark from logs shall be."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pydantic import BaseModel, ConfigDict, Field

from askance.data.adapters.agent_logs import Log


class TrajectorySettings(BaseModel):
    """`queries`: at most how many distinct goals are asked, drawn by `seed`, where no queries are given; None: all.

    `audit`: how many labelled texts are drawn for a check by hand. `most_slots`: how many slots tiers vary.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    seed: int = Field(default=0, ge=0)
    queries: int | None = Field(default=None, ge=1)
    audit: int = Field(default=60, ge=1)
    most_slots: int = Field(default=3, ge=1)


@dataclass(frozen=True, slots=True)
class Asked:
    """A query. `type`: what it says of itself, for rules that need it."""

    id: str
    text: str
    type: str | None = None


@dataclass(frozen=True, slots=True)
class Given:
    """What a benchmark is made of. `queries`: None where goals of the logs are to be asked."""

    logs: Sequence[Log]
    queries: Sequence[Asked] | None = None
