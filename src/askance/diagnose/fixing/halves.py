"""Two halves of the queries, by seed; queries of one group stay together."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

import numpy as np

from askance.core.errors import DataProblem
from askance.measure.compare.clusters import Groups
from askance.measure.judged import Mask, Values

LEAST = 6
"""Units of a half: with fewer, no two-sided exact test of signs can reach 5 %."""


@dataclass(frozen=True, eq=False)
class Halves:
    """`first`, `second` [queries]: no query is in both; `groups`: which belong together."""

    first: Mask
    second: Mask
    groups: Groups

    @property
    def each(self) -> tuple[Mask, Mask]:
        """Both, in order."""
        return self.first, self.second

    def units(self, values: Values, mask: Mask) -> Values:
        """Sums over the groups of the queries in `mask`: what may be exchanged in a test [groups]."""
        there = self.groups.sizes(mask) > 0
        return self.groups.sums(np.where(mask, values, 0.0))[there]


def split(mask: Mask, groups: Groups, seed: int) -> Halves:
    """Groups in random order, each to the half that has fewer queries; DataProblem where a half has under 6 groups."""
    sizes = groups.sizes(mask)
    order = np.flatnonzero(sizes > 0).tolist()
    if len(order) < 2 * LEAST:
        raise DataProblem(
            f"{len(order)} independent judged queries are too few to choose a change on one half and try it on the "
            "other",
            remedy=f"Judge at least {2 * LEAST}; a hundred are better.",
        )
    Random(f"halves:{seed}").shuffle(order)
    in_first = np.zeros(groups.count, dtype=np.bool_)
    filled = [0.0, 0.0]
    for group in order:
        half = 0 if filled[0] <= filled[1] else 1
        in_first[group] = half == 0
        filled[half] += sizes[group]
    first = mask & in_first[groups.code]
    return Halves(first, mask & ~first, groups)
