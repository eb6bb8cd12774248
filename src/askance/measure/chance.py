"""What a random ranking gets, and whether a system is below, at or above it.

Exact wherever there is a closed form: the expectation of most metrics, and the whole distribution of a yes/no measure
(Poisson-binomial). The distribution of other measures is simulated, and so is that of a yes/no measure where ties of
the run reach over its cut-off: its values are shares of tied orders then, and a random ranking is given the same ties.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from askance.core.errors import DataProblem
from askance.measure.judged import Counts, Gains, Judged, Values
from askance.measure.measures import Measure
from askance.measure.metrics.metric import Candidates
from askance.measure.random_rankings import random_means

Verdict = Literal["below", "at", "above"]

LEVEL = 0.05
UNKNOWN_SIZE = "undefined: the number of documents in the corpus is not known"
NO_GOLD = "undefined: no query has a gold document"
JUDGED_ONLY = "undefined: how many judged documents a random list holds is not drawn"

_NEGLIGIBLE = 1e-290
_ROUNDING = 1e-12


@dataclass(frozen=True, slots=True)
class Chance:
    """What a random ranking gets on average, and where the system stands.

    `expected`: mean over the queries that have gold; None where it cannot be known, and then `method` says why. `p`:
    two-sided. `verdict` at the 5 % level; None where there is no p.
    """

    expected: float | None
    p: float | None
    verdict: Verdict | None
    method: str


@dataclass(frozen=True, eq=False)
class Null:
    """The mean of a measure over the queries that have gold, when every ranking is random.

    `support` float64 [values], ascending, with their `weight` [values]: probabilities, or 1 for each drawn mean, and
    then the observed mean is counted as one more draw. Make it once per measure, tier and subset: every system without
    ties is held against the same.
    """

    expected: float | None
    support: Values
    weight: Values
    drawn: bool
    method: str

    def place(self, mean: float) -> Chance:
        """Where this mean stands: two-sided p = min(1, 2 · min(P(≤), P(≥)))."""
        if self.expected is None:
            return Chance(None, None, None, self.method)
        low = self._tail(self.weight[self.support <= mean + _ROUNDING])
        high = self._tail(self.weight[self.support >= mean - _ROUNDING])
        p = min(1.0, 2.0 * min(low, high))
        verdict: Verdict = "at" if p > LEVEL else "below" if low < high else "above"
        return Chance(self.expected, p, verdict, self.method)

    def _tail(self, weight: Values) -> float:
        total = float(weight.sum())
        return (total + 1.0) / (len(self.weight) + 1.0) if self.drawn else total


def candidates_of(
    measure: Measure,
    sizes: Counts,
    gold: Counts,
    *,
    gains: Gains | None = None,
    pool: Counts | None = None,
    depth: int | None = None,
) -> Candidates:
    """What random rankings draw from: `sizes` candidates of which `gold` are gold, per query [queries].

    `gains`: grades above 0 (each gold document has grade 1 unless told); `pool`: how many are judged (no others,
    unless told). All as `measure.held` says, where the measure has parameters. `depth`: how long the lists may get
    (None: all candidates are ranked). DataProblem where a query has more judged documents than candidates.
    """
    gains = Gains.ones(gold) if gains is None else gains
    pool = np.maximum(gold, gains.counts if pool is None else pool)
    needed = np.maximum(pool if measure.metric.pooled else gold, gains.counts)
    short = np.flatnonzero(needed > sizes)
    if len(short):
        raise DataProblem(
            f"query number {short[0] + 1} has {needed[short[0]]} judged documents among {sizes[short[0]]} candidates",
            remedy="Count all documents of the corpus, and do not judge excluded ones.",
        )
    cutoff = sizes
    for limit in (measure.k, depth):
        cutoff = cutoff if limit is None else np.minimum(cutoff, limit)
    return Candidates(sizes, gold, pool, gains.padded(pool) if measure.metric.pooled else gains, cutoff)


def chance(
    measure: Measure,
    sizes: Counts | None,
    gold: Counts,
    *,
    gains: Gains | None = None,
    pool: Counts | None = None,
    depth: int | None = None,
) -> Values | str:
    """The expected value of a random ranking, per query [queries]; else the reason why it cannot be told.

    Exact, whether lists have ties or not. A query without gold has 0. See `candidates_of` for the arguments; `sizes`
    None: unknown.
    """
    reason = _unplaced(measure, sizes)
    if sizes is None or reason:
        return reason
    if measure.metric.expected is None:
        return f"undefined: {measure} has no closed form for random rankings"
    candidates = candidates_of(measure, sizes, gold, gains=gains, pool=pool, depth=depth)
    return measure.metric.expected(candidates, measure.k)


def null(
    measure: Measure, judged: Judged, sizes: Counts | None, seed: int, *, depth: int | None = None, draws: int = 1_999
) -> Null:
    """The distribution of the mean under random rankings, over the queries of `judged` that have gold.

    `sizes` int64 [queries]: candidates per query after exclusions, None where unknown. `depth`: length of the lists
    that were asked for. Yes/no measures: exact. Others, and those whose cut-off splits a tie of `judged`: `draws`
    random rankings of every query (fewer where there is much to draw, see `random_means`), with the ties of `judged`,
    tails counted with the observed one among them (+1).
    """
    reason = _unplaced(measure, sizes)
    if sizes is None or reason:
        return _unknown(reason)
    held = measure.held(judged)
    mask = held.with_gold
    if not mask.any():
        return _unknown(NO_GOLD)
    kept = held.where(mask)
    candidates = candidates_of(measure, sizes[mask], kept.gold, gains=kept.ideal, pool=kept.pool, depth=depth)
    exact = None if measure.metric.expected is None else measure.metric.expected(candidates, measure.k)
    if measure.binary and exact is not None and not _splits_ties(measure, kept):
        return exact_null(exact)
    drawn = _with_whole_ties(measure, candidates, kept, depth)
    means = np.sort(random_means(measure, drawn, seed, draws, kept.ties))
    expected = float(means.mean()) if exact is None else float(exact.mean())
    with_ties = "" if kept.ties is None else " with the ties of the run"
    method = (
        f"{len(means):,} random rankings of every query{with_ties}, seed {seed}, two-sided; "
        f"the expectation is {'simulated as well' if exact is None else 'exact'}"
    )
    return Null(expected, means, np.ones(len(means)), drawn=True, method=method)


def exact_null(chances: Values) -> Null:
    """The distribution of a share of hits, from each query's chance of a hit [queries], at least one."""
    return Null(
        float(chances.mean()),
        np.arange(len(chances) + 1) / len(chances),
        poisson_binomial(chances),
        drawn=False,
        method="exact: hypergeometric chance of each query, Poisson-binomial, two-sided",
    )


def against_chance(
    measure: Measure, judged: Judged, sizes: Counts | None, seed: int, *, depth: int | None = None
) -> Chance:
    """Where a run stands against random rankings; see `null`, which several runs may share."""
    there = null(measure, judged, sizes, seed, depth=depth)
    values = measure.compute(judged)[measure.held(judged).with_gold]
    values = values[~np.isnan(values)]
    return there.place(float(values.mean()) if len(values) else 0.0)


def poisson_binomial(chances: Values) -> Values:
    """P(h hits) for h = 0 … n, of n independent queries with these chances of a hit; float64 [n + 1].

    Equal chances are one binomial; the binomials are convolved. Only positive terms are added, so that the tails are
    right to about 1e-12, relative; what is below 1e-290 counts as 0.
    """
    from scipy.stats import binom

    first, pmf = 0, np.ones(1)
    for chance_of_hit, queries in zip(*np.unique(chances, return_counts=True), strict=True):
        one = binom.pmf(np.arange(queries + 1), queries, chance_of_hit)
        there = np.flatnonzero(one > _NEGLIGIBLE)
        first += int(there[0])
        pmf = np.convolve(pmf, one[there[0] : there[-1] + 1])
        there = np.flatnonzero(pmf > _NEGLIGIBLE)
        first += int(there[0])
        pmf = pmf[there[0] : there[-1] + 1]
    out = np.zeros(len(chances) + 1)
    out[first : first + len(pmf)] = pmf
    return out


def _unplaced(measure: Measure, sizes: Counts | None) -> str:
    """Why this measure cannot be held against random rankings; empty where it can."""
    if sizes is None:
        return UNKNOWN_SIZE
    return JUDGED_ONLY if measure.judged_only else measure.metric.unplaced


def _splits_ties(measure: Measure, judged: Judged) -> bool:
    return measure.k is not None and judged.ties is not None and judged.ties.split_at(measure.k)


def _with_whole_ties(measure: Measure, candidates: Candidates, judged: Judged, depth: int | None) -> Candidates:
    """What stands in a tie that the cut-off splits may come to count: its last rank counts, too."""
    if measure.k is None or judged.ties is None:
        return candidates
    cutoff = np.minimum(candidates.size, judged.ties.reach(measure.k))
    return replace(candidates, cutoff=cutoff if depth is None else np.minimum(cutoff, depth))


def _unknown(reason: str) -> Null:
    return Null(None, np.zeros(0), np.zeros(0), drawn=False, method=reason)
