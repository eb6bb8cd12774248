"""What a random ranking gets, and whether a system is below, at or above it.

Exact wherever there is a closed form: the expectation of most metrics, and the whole distribution of a yes/no measure
(Poisson-binomial). The distribution of other measures is simulated where a bound does not do, and so is that of a
yes/no measure where ties of the run reach over its cut-off: its values are shares of tied orders then, and a random
ranking is given the same ties.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from askance.core.errors import DataProblem
from askance.measure.judged import Counts, Gains, Judged, Values
from askance.measure.measures import Measure
from askance.measure.metrics.metric import Candidates
from askance.measure.nulls import Chance, DrawnNull, Null, Verdict, exact_null
from askance.measure.random_rankings import random_means

__all__ = ["Chance", "Null", "Verdict", "against_chance", "candidates_of", "chance", "exact_null", "null"]

UNKNOWN_SIZE = "undefined: the number of documents in the corpus is not known"
NO_GOLD = "undefined: no query has a gold document"
JUDGED_ONLY = "undefined: how many judged documents a random list holds is not drawn"


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
    random rankings of every query (fewer where there is much to draw, see `random_means`), with the ties of `judged`;
    they are drawn when a mean needs them, see `DrawnNull`.
    """
    reason = _unplaced(measure, sizes)
    if sizes is None or reason:
        return Null(None, reason)
    held = measure.held(judged)
    mask = held.with_gold
    if not mask.any():
        return Null(None, NO_GOLD)
    kept = held.where(mask)
    candidates = candidates_of(measure, sizes[mask], kept.gold, gains=kept.ideal, pool=kept.pool, depth=depth)
    exact = None if measure.metric.expected is None else measure.metric.expected(candidates, measure.k)
    if measure.binary and exact is not None and not _splits_ties(measure, kept):
        return exact_null(exact)
    drawn = _with_whole_ties(measure, candidates, kept, depth)

    def draw() -> Values:
        return random_means(measure, drawn, seed, draws, kept.ties)

    with_ties = "" if kept.ties is None else " with the ties of the run"
    method = f"random rankings of every query{with_ties}, seed {seed}, two-sided; the expectation is "
    if exact is not None:
        return DrawnNull(float(exact.mean()), method + "exact", len(kept), draw, exact=True)
    means = draw()
    return DrawnNull(float(means.mean()), method + "simulated as well", len(kept), lambda: means, exact=False)


def against_chance(
    measure: Measure, judged: Judged, sizes: Counts | None, seed: int, *, depth: int | None = None
) -> Chance:
    """Where a run stands against random rankings; see `null`, which several runs may share."""
    there = null(measure, judged, sizes, seed, depth=depth)
    values = measure.compute(judged)[measure.held(judged).with_gold]
    values = values[~np.isnan(values)]
    return there.place(float(values.mean()) if len(values) else 0.0)


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
