"""Share of the recoverable gap: what a reranker won of what its candidates allowed.

share = (after − before) / (ceiling − before), of Hit@1 before and after and of Hit@n before, n ranks reranked.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

import numpy as np

from askance.core.errors import BadInput
from askance.core.estimate import Estimate
from askance.measure.intervals import NO_QUERIES, TAILS, most_others
from askance.measure.judged import Values
from askance.measure.resamples import RESAMPLES, resampled_sums_of_kinds

Sign = Literal["positive", "negative", "undecided", "no room"]
Ceiling = Literal["held", "resampled"]

NO_GAP = "resamples without a gap"

_SAID = {"held": "ceiling held at its point value", "resampled": "ceiling resampled with the rest"}
_ROUNDING = 1e-9


def share_of_gap(
    before: Values,
    after: Values,
    ceiling: Values,
    seed: int,
    resamples: int = RESAMPLES,
    *,
    hold: Ceiling,
    left_out: Mapping[str, int] | None = None,
) -> Estimate:
    """The share with the percentile interval of joint resamples of (before, after, ceiling), each [queries].

    `hold` "held": the mean of the ceiling stays what it was found to be, and a resample's share may pass 1;
    "resampled": it is taken anew from each resample. Resamples that leave no gap are dropped and counted. Undefined
    where there is no gap to begin with. Where every resample gives the same share, the interval is the one that at
    most `most_others(n)` of the queries could move, were they all gained or all lost.
    """
    n = len(before)
    if not (before.shape == after.shape == ceiling.shape):
        raise BadInput(
            f"{len(before)} queries before, {len(after)} after and {len(ceiling)} in the ceiling",
            remedy="Give one value per query to each.",
        )
    if n == 0:
        return Estimate.undefined(NO_QUERIES, left_out=left_out)
    rows, times = np.unique(np.column_stack([before, after, ceiling]), axis=0, return_counts=True)
    base, won, most = times @ rows
    if most - base <= _ROUNDING:
        return Estimate.undefined("there is no gap: nothing below rank 1 to recover", n=n, left_out=left_out)
    value = float((won - base) / (most - base))
    sums = resampled_sums_of_kinds(rows, times, seed, resamples)
    gaps = (most if hold == "held" else sums[:, 2]) - sums[:, 0]
    there = gaps > _ROUNDING
    counted = dict(left_out or {}) | ({NO_GAP: int((~there).sum())} if not there.all() else {})
    shares = (sums[there, 1] - sums[there, 0]) / gaps[there]
    method = f"percentile bootstrap over queries, {resamples:,} joint resamples, seed {seed}; {_SAID[hold]}"
    if not len(shares) or np.ptp(shares) <= _ROUNDING:
        reach = most_others(n) * n / float(most - base)
        said = f"{method}; all alike, so Clopper-Pearson for the share of queries that may differ"
        return Estimate(value, value - reach, min(1.0, value + reach), n, said, counted)
    low, high = np.quantile(shares, TAILS)
    return Estimate(value, float(low), float(high), n, method, counted)


def sign(share: Estimate, before: float | None, ceiling: float | None) -> Sign:
    """What the share says of lexical signal: its interval above 0, below 0, or across it.

    "no room": Hit@1 `before` is 0, so that nothing can be lost, or equals the ceiling, so that nothing can be won.
    """
    if share.low is None or share.high is None or not before or before == ceiling:
        return "no room"
    if share.low > 0:
        return "positive"
    return "negative" if share.high < 0 else "undecided"
