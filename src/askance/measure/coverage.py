"""How often a 95 % interval holds the true value: computed, not simulated.

For a share of n queries that each hit with chance p, the number of hits is binomial: coverage is the sum of its
probabilities over the numbers whose interval holds p. For the difference of two systems the pair (gained, lost) is
multinomial.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

from askance.core.estimate import Estimate
from askance.measure.bootstrap import bootstrap_mean
from askance.measure.intervals import TAILS, binomial_interval, clopper_pearson, proportion
from askance.measure.judged import Values
from askance.measure.resamples import RESAMPLES, resampled_means

Interval = tuple[float, float]
Ends = Callable[[int], list[Interval]]

DRAWN_SEED = 0

_NEGLIGIBLE = 1e-10
_ROUNDING = 1e-12


def every_clopper_pearson(n: int) -> list[Interval]:
    """Clopper-Pearson's interval for 0 … n hits."""
    return [clopper_pearson(hits, n) for hits in range(n + 1)]


def every_percentile(n: int) -> list[Interval]:
    """The percentile bootstrap's interval for 0 … n hits; a point at both ends."""
    return [binomial_interval(hits, n) for hits in range(n + 1)]


def every_proportion(n: int) -> list[Interval]:
    """What is printed with a share: the percentile interval, and Clopper-Pearson's at 0 and n hits."""
    return [_ends(proportion(hits, n)) for hits in range(n + 1)]


def every_drawn(n: int) -> list[Interval]:
    """The percentile interval of 10,000 drawn resamples for 0 … n hits, with one seed."""
    columns = (np.arange(n)[:, None] < np.arange(n + 1)).astype(np.float64)
    low, high = np.quantile(resampled_means(columns, DRAWN_SEED, RESAMPLES), TAILS, axis=0)
    return list(zip(low.tolist(), high.tolist(), strict=True))


METHODS: Mapping[str, Ends] = {
    "Clopper-Pearson": every_clopper_pearson,
    "printed with a share": every_proportion,
    "percentile bootstrap, computed": every_percentile,
    "percentile bootstrap, 10,000 drawn": every_drawn,
}


def coverage(ends: list[Interval], p: float) -> float:
    """How often the interval holds the true share `p`; `ends`: the interval for 0 … n hits."""
    from scipy.stats import binom

    n = len(ends) - 1
    bounds = np.array(ends)
    holds = (bounds[:, 0] <= p + _ROUNDING) & (p - _ROUNDING <= bounds[:, 1])
    return float(binom.pmf(np.arange(n + 1), n, p)[holds].sum())


def difference_coverage(n: int, gained: float, lost: float) -> float:
    """How often the interval of a paired difference of yes/no outcomes holds the true `gained` − `lost`.

    Chances that a query hits with the second system only, and with the first only. What has a probability below 1e-10
    is not looked at.
    """
    from scipy.stats import multinomial

    covered = 0.0
    up, down = (array.ravel() for array in np.meshgrid(np.arange(n + 1), np.arange(n + 1)))
    fits = up + down <= n
    up, down = up[fits], down[fits]
    counts = np.column_stack([up, down, n - up - down])
    chances = np.atleast_1d(multinomial.pmf(counts, n, [gained, lost, 1 - gained - lost]))
    for wins, losses, chance in zip(up.tolist(), down.tolist(), chances.tolist(), strict=True):
        if chance > _NEGLIGIBLE:
            low, high = difference_ends(n, wins, losses)
            covered += chance * (low <= gained - lost + _ROUNDING and gained - lost - _ROUNDING <= high)
    return covered


def difference_ends(n: int, wins: int, losses: int) -> Interval:
    """The interval that is printed with a difference of `wins` and `losses` among `n` queries."""
    differences: Values = np.repeat([1.0, -1.0, 0.0], [wins, losses, n - wins - losses])
    return _ends(bootstrap_mean(differences, bounds=(-1.0, 1.0)))


def simulated_coverage(n: int, samples: int, seed: int) -> float:
    """How often, of `samples` drawn samples of n queries, the interval of a graded mean holds the true one.

    The values are those of P@10 with uneven queries: k of 10 documents, each with the chance of its query, which is
    beta(1/2, 1) distributed; the true mean is 1/3, and most queries have little.
    """
    rng = np.random.default_rng(seed)
    chances = rng.beta(0.5, 1.0, (samples, n))
    values = rng.binomial(10, chances) / 10
    ends = [_ends(bootstrap_mean(row)) for row in values]
    return float(np.mean([low <= 1 / 3 <= high for low, high in ends]))


def _ends(estimate: Estimate) -> Interval:
    assert estimate.low is not None
    assert estimate.high is not None
    return estimate.low, estimate.high
