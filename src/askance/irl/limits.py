"""How large a query and its numbers may be."""

from __future__ import annotations

import math
import sys
from dataclasses import dataclass

from askance.irl.nodes import Node

LONGEST = 1_000_000  # code points of a query as text
DEEPEST = 200  # clauses inside one another
MOST_PROBLEMS = 20  # reading stops there


@dataclass(frozen=True)
class NumberRule:
    """What a number may be: from `low` to `high`, both included; `whole`: without a fraction; `or_zero`: 0 too."""

    name: str
    low: float
    high: float
    whole: bool = False
    or_zero: bool = False

    @property
    def expected(self) -> str:
        if self.high == _GREATEST:
            return "a finite number"
        kind = "a whole number" if self.whole else "a number"
        return f"{'0 or ' if self.or_zero else ''}{kind} from {self.low:g} to {_plain(self.high)}"

    def complaint(self, value: object) -> str | None:
        """What is wrong with `value`, as a sentence; None where nothing is."""
        if isinstance(value, bool) or not isinstance(value, int | float):
            return f"{self.name} is {self.expected}, not {_shown(value)}"
        if isinstance(value, float) and not math.isfinite(value):
            return f"{self.name} is {self.expected}, not {value}"
        if self.whole and value != int(value):
            return f"{self.name} is {self.expected}, not {_shown(value)}"
        if not (self.low <= value <= self.high) and not (self.or_zero and value == 0):
            return f"{self.name} is {self.expected}, not {_shown(value)}"
        return None

    def read(self, value: int | float) -> float:
        """`value` as trees keep it: an int where it must be whole, a float elsewhere. It has no complaint."""
        return int(value) if self.whole else float(value)


_GREATEST = sys.float_info.max

# Scores are 32-bit floats: weights keep well inside what those can tell.
WEIGHT = NumberRule("the weight", 1e-30, 1e30)
FUSE_WEIGHT = NumberRule("a weight of a fusion", 1e-30, 1e30, or_zero=True)
KNN_DEPTH_RULE = NumberRule("the depth", 1, 10_000, whole=True)
FUSE_DEPTH_RULE = NumberRule("the depth", 1, 10_000, whole=True)
SLOP = NumberRule("the slop", 0, 1_000_000, whole=True)
RRF_K_RULE = NumberRule("k", 1, 10_000)
MIN_SCORE = NumberRule("the least score", -_GREATEST, _GREATEST)
VALUE = NumberRule("the value", -_GREATEST, _GREATEST)


def nesting(node: Node) -> int:
    """How many clauses stand inside one another, the outermost counted. Not recursive."""
    deepest = 0
    waiting = [(node, 1)]
    while waiting:
        here, depth = waiting.pop()
        deepest = max(deepest, depth)
        waiting.extend((child, depth + 1) for child in here.children)
    return deepest


def _plain(value: float) -> str:
    return f"{value:,.0f}" if value < 1e15 else f"{value:g}"


def _shown(value: object) -> str:
    if isinstance(value, int) and value.bit_length() > 1100:
        return "one of hundreds of digits"
    text = repr(value)
    return text if len(text) <= 40 else f"{text[:40]}…"
