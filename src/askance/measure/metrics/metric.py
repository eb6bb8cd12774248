"""What a metric declares."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from askance.measure.judged import Counts, Gains, Judged, Values

Parameter = Literal["rel", "gains", "judged_only"]


@dataclass(frozen=True, eq=False)
class Candidates:
    """What a random ranking draws from, per query.

    `size` int64 [queries]: candidates, excluded ones not among them. `gold`, `pool` int64 [queries]: how many of them
    are gold, how many judged. `gains`: grades above 0, as the measure counts them; for a pooled metric also zeros for
    the other judged documents. `cutoff` int64 [queries]: how many ranks count, never more than there are candidates.
    """

    size: Counts
    gold: Counts
    pool: Counts
    gains: Gains
    cutoff: Counts

    def __len__(self) -> int:
        return len(self.size)


@dataclass(frozen=True)
class Metric:
    """A metric: a value for each query, between 0 and 1 unless `bounds` say otherwise; 0 where nothing is gold.

    `says`: what it is, in one line. `graded`: whether it reads more of a grade than "gold or not". `binary`: when the
    value of a query can only be 0 or 1 where nothing is tied, so that its mean is a plain proportion. `cutoff`:
    whether "@k" must, may or cannot be there. `takes`: the parameters that it knows. `pooled`: whether judged documents
    that are not gold matter.

    `compute(judged, k)` and `expected(candidates, k)`: values [queries]. Computed are exact means over all orders of
    tied documents; expected is the exact mean over all orders of the candidates, None where there is no closed form.
    `k` None: the whole list.

    `undefined`: the reason why a query may have no value (NaN); such queries are left out of the mean and counted.
    `unplaced`: the reason why the mean cannot be held against random rankings. `lower_is_better`: what it counts is
    unwanted.
    """

    name: str
    says: str
    graded: bool
    binary: Literal["always", "at 1", "never"]
    cutoff: Literal["required", "optional", "never"]
    compute: Callable[[Judged, int | None], Values]
    expected: Callable[[Candidates, int | None], Values] | None = None
    takes: tuple[Parameter, ...] = ("rel", "judged_only")
    pooled: bool = False
    bounds: tuple[float, float] = (0.0, 1.0)
    lower_is_better: bool = False
    undefined: str = ""
    unplaced: str = ""
