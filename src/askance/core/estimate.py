"""An estimate: a figure that never travels without its interval and n."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypedDict


class EstimateRecord(TypedDict):
    """An estimate as JSON: rates are fractions; null where undefined, `method` says why."""

    value: float | None
    low: float | None
    high: float | None
    n: int
    method: str
    left_out: dict[str, int]


@dataclass(frozen=True, slots=True)
class Estimate:
    """A figure with its 95 % interval.

    `value`, `low`, `high`: in the measure's own unit (rates are fractions); None where undefined, and then
    `method` begins with "undefined:" and says why. `n`: how many queries stand behind it. `method`: how the
    interval was made. `left_out`: what was not counted, reason → count.
    """

    value: float | None
    low: float | None
    high: float | None
    n: int
    method: str
    left_out: Mapping[str, int] = field(default_factory=dict)

    @classmethod
    def undefined(cls, reason: str, *, n: int = 0, left_out: Mapping[str, int] | None = None) -> Estimate:
        """An estimate that cannot be made, and why."""
        return cls(None, None, None, n, f"undefined: {reason}", left_out or {})

    @property
    def defined(self) -> bool:
        return self.value is not None

    def record(self) -> EstimateRecord:
        """The stable machine form."""
        return {
            "value": self.value,
            "low": self.low,
            "high": self.high,
            "n": self.n,
            "method": self.method,
            "left_out": dict(self.left_out),
        }
