"""What a metric declares."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from askance.measure.judged import Counts, Gains, Judged, Values


@dataclass(frozen=True, eq=False)
class Candidates:
    """What a random ranking draws from, per query.

    `size` int64 [queries]: candidates, excluded ones not among them. `gold` int64 [queries]. `gains`: grades above 0.
    `cutoff` int64 [queries]: how many ranks count, never more than there are candidates.
    """

    size: Counts
    gold: Counts
    gains: Gains
    cutoff: Counts

    def __len__(self) -> int:
        return len(self.size)


@dataclass(frozen=True)
class Metric:
    """A metric: a value between 0 and 1 for each query, 0 where the query has no gold document.

    `says`: what it is, in one line. `graded`: whether it reads more of a grade than "gold or not". `binary`: when the
    value of a query can only be 0 or 1, so that its mean is a plain proportion. `cutoff`: whether "@k" must be there.
    `compute(judged, k)` and `expected(candidates, k)`: values [queries]; expected is the exact mean over all orders of
    the candidates, None where there is no closed form. `k` None: the whole list.
    """

    name: str
    says: str
    graded: bool
    binary: Literal["always", "at 1", "never"]
    cutoff: Literal["required", "optional"]
    compute: Callable[[Judged, int | None], Values]
    expected: Callable[[Candidates, int | None], Values] | None = None
