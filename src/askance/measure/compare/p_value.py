"""A p-value, which test it is of, and how it was found: the name of the test is part of the result."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from typing import TypedDict


class PValueRecord(TypedDict):
    """A p-value as JSON; null where undefined, `method` says why. `holm` and `bh`: corrected for all of its family."""

    p: float | None
    holm: float | None
    bh: float | None
    method: str


@dataclass(frozen=True, slots=True)
class PValue:
    """A two-sided p-value of the test called `test`.

    `p` is None where it is undefined, and then `method` begins with "undefined:" and says why. It is never NaN, and
    never 0: what is smaller than 2.2e-308 is that. `holm`, `bh`: corrected for everything that was tested; None until
    that is done, or where undefined.
    """

    test: str
    p: float | None
    method: str
    holm: float | None = None
    bh: float | None = None

    def __post_init__(self) -> None:
        if self.p is not None:
            object.__setattr__(self, "p", max(self.p, sys.float_info.min))

    @classmethod
    def undefined(cls, test: str, reason: str) -> PValue:
        """A test that cannot be made, and why."""
        return cls(test, None, f"undefined: {reason}")

    @property
    def reason(self) -> str:
        """Why it is undefined; empty where it is not."""
        return self.method.removeprefix("undefined: ") if self.p is None else ""

    def record(self) -> PValueRecord:
        """The machine form."""
        return {"p": self.p, "holm": self.holm, "bh": self.bh, "method": self.method}
