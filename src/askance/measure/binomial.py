"""The binomial distribution, in numpy alone: scipy.stats takes longer to import than most figures to compute."""

from __future__ import annotations

import numpy as np

from askance.measure.judged import Values

_SLACK = 1e-13  # rounding of cumulated probabilities


def binomial_pmf(n: int, p: float) -> Values:
    """P(h hits) for h = 0 … n of n trials with chance `p` each; float64 [n + 1], right to about 1e-12, relative.

    Each term follows from its neighbour nearer to the mode, so that nothing cancels.
    """
    if p <= 0.0 or p >= 1.0:
        certain: Values = (np.arange(n + 1) == (n if p >= 1.0 else 0)).astype(np.float64)
        return certain
    mode = min(n, int((n + 1) * p))
    odds = p / (1.0 - p)
    up = np.arange(mode, n)
    down = np.arange(mode, 0, -1)
    with np.errstate(under="ignore"):  # far tails are 0
        above = np.cumprod((n - up) / (up + 1) * odds)
        below = np.cumprod(down / (n - down + 1) / odds)
    terms = np.concatenate((below[::-1], [1.0], above))
    pmf: Values = terms / terms.sum()
    return pmf


def binomial_quantile(tail: float, n: int, p: float) -> int:
    """The smallest number of hits of n trials that is not exceeded with probability `tail`."""
    below = np.cumsum(binomial_pmf(n, p))
    return min(int(np.searchsorted(below, tail - _SLACK)), n)


def binomial_tail(hits: int, n: int, p: float) -> float:
    """P(at most `hits` of n trials)."""
    return float(min(1.0, binomial_pmf(n, p)[: hits + 1].sum()))
