"""Two yes/no outcomes of the same queries."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from askance.core.errors import BadInput
from askance.measure.binomial import binomial_tail
from askance.measure.judged import Mask, Values


class Discordant(NamedTuple):
    """Queries that hit only after, and only before."""

    gained: int
    lost: int


def gained_lost(before: Values | Mask, after: Values | Mask) -> Discordant:
    """How many queries [queries] hit only after, and only before; BadInput where a value is neither 0 nor 1."""
    for values in (before, after):
        if not np.isin(values, (0, 1)).all():
            raise BadInput(
                "gained and lost can only be counted where every query hits or misses",
                remedy="Compare a yes/no measure, e.g. Hit@1, without fractional values for ties.",
            )
    if before.shape != after.shape:
        raise BadInput(f"{len(before)} queries before and {len(after)} after", remedy="Compare the same queries.")
    return Discordant(int((after > before).sum()), int((before > after).sum()))


def mcnemar(gained: int, lost: int) -> float:
    """Exact two-sided p that gained and lost are equally likely: min(1, 2 · P(Binomial(g + l, ½) ≤ min)).

    1 where nothing changed (McNemar 1947, in its exact binomial form).
    """
    if gained + lost == 0:
        return 1.0
    return min(1.0, 2.0 * binomial_tail(min(gained, lost), gained + lost, 0.5))
