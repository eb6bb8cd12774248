"""How one model call ended."""

from __future__ import annotations

from enum import StrEnum


class Outcome(StrEnum):
    """`repaired`: usable after a stated repair. A truncated reply is never a verdict."""

    OK = "ok"
    REPAIRED = "repaired"
    UNPARSED = "unparsed"
    TRUNCATED = "truncated"
    REFUSED = "refused"
    ERROR = "error"
