"""What a perfect reranker of the first n could win: queries whose gold is among them and not at rank 1."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from askance.core.estimate import Estimate
from askance.diagnose.case import Case, System
from askance.diagnose.standing import gold_ranks
from askance.measure.estimates import WITHOUT_GOLD
from askance.measure.intervals import proportion

FIRSTS = (5, 10, 50)


@dataclass(frozen=True, slots=True)
class Headroom:
    """`first` ranks reranked perfectly: the share of queries won by it; `whole`: they are the whole list."""

    system: str
    label: str
    first: int
    whole: bool
    share: Estimate


def headroom(case: Case, system: System) -> list[Headroom]:
    """For 5, 10, 50 and all ranks, those beyond the longest list left out."""
    ranks = gold_ranks(case, system.run)[case.mask]
    with_gold = ranks >= 0  # 0: gold that is not listed
    n, left_out = int(with_gold.sum()), int((~with_gold).sum())
    depth = int(np.diff(system.run.offsets).max(initial=0))
    firsts: Sequence[int] = [first for first in FIRSTS if first < depth] + ([depth] if depth > 1 else [])
    found = []
    for first in firsts:
        won = int(((ranks > 1) & (ranks <= first)).sum())
        share = proportion(won, n, {WITHOUT_GOLD: left_out} if left_out else None)
        found.append(Headroom(system.name, system.label, first, first == depth, share))
    return found
