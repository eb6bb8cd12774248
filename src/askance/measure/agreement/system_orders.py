"""Would other labels rank the systems alike? The order of systems under one label set against that under another."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from askance.core.errors import DataProblem
from askance.core.estimate import Estimate
from askance.data.ids import Ids
from askance.data.judgments import Judgments
from askance.data.run import Run
from askance.measure.agreement.rank_orders import PERSISTENCE, kendall, overlap_of_orders
from askance.measure.judged import Values
from askance.measure.measures import Measure
from askance.measure.order import judge_by
from askance.measure.resamples import resampled_means

MOST_RESAMPLES = 2_000
NOT_SHARED = "queries that only one side judges"

_TWO_SIDED = 1.959963984540054  # the normal quantile of .975
_CELLS = 4_000_000
_DECIMALS = 12


@dataclass(frozen=True, eq=False)
class SystemValues:
    """One measure of every system under one label set: float64 [queries, systems], and which queries.

    `unanswered`: judged queries that no run answers; they are not among `queries`.
    """

    queries: Ids
    values: Values
    unanswered: int = 0


@dataclass(frozen=True)
class OrderAgreement:
    """Two orders of `systems` systems: Kendall's tau, tau-b, and rank-biased overlap with persistence `p`."""

    systems: int
    p: float
    tau: Estimate
    tau_b: Estimate
    rbo: Estimate


def system_values(runs: Sequence[Run], judgments: Judgments, measure: Measure) -> SystemValues:
    """The measure of every run, query by query; a judged query without an answer counts 0 for its run.

    Tied documents: the expectation over their orders. Queries for which a measure has no value are left out, as are
    those that no run answers. DataProblem where a run is over other queries or documents.
    """
    judged = judgments.offsets[1:] > judgments.offsets[:-1]
    answered = np.zeros(len(judgments.queries), dtype=np.bool_)
    for run in runs:
        answered |= run.offsets[1:] > run.offsets[:-1]
    values = np.column_stack([measure.compute(judge_by("expected", run, judgments)) for run in runs])
    kept = np.flatnonzero(judged & answered & np.isfinite(values).all(axis=1))
    queries = Ids(judgments.queries[int(query)] for query in kept)
    return SystemValues(queries, values[kept], int((judged & ~answered).sum()))


def compare_orders(
    gold: SystemValues,
    other: SystemValues,
    *,
    p: float = PERSISTENCE,
    seed: int = 0,
    resamples: int = MOST_RESAMPLES,
) -> OrderAgreement:
    """How alike the two sides order the systems by their means.

    Over the queries that both judge; where they share none, each over its own, resampled apart. A resampled order is
    noisier than the sample's, so resampled taus lie too low for their quantiles to be an interval; it is the value
    ± 1.96 standard deviations of them, cut at the ends of the scale.
    """
    systems = gold.values.shape[1]
    if other.values.shape[1] != systems:
        raise DataProblem(f"orders of {systems} and {other.values.shape[1]} systems", remedy="Compare the same ones.")
    shared = [query for query in gold.queries if query in other.queries]
    sides = [_only(side, shared) for side in (gold, other)] if shared else [gold.values, other.values]
    n = len(shared) if shared else len(gold.queries) + len(other.queries)
    not_shared = len(gold.queries) + len(other.queries) - 2 * len(shared) if shared else 0
    left_out = {NOT_SHARED: not_shared} if not_shared else {}
    if systems < 2 or not all(len(side) for side in sides):
        reason = "an order needs two systems" if systems < 2 else "no run answers a query that it judges"
        nothing = Estimate.undefined(reason, n=n, left_out=left_out)
        return OrderAgreement(systems, p, nothing, nothing, nothing)
    times = min(resamples, MOST_RESAMPLES)
    if shared:
        drawn = np.split(resampled_means(np.hstack(sides), seed, times), 2, axis=1)
        over = f"{n} queries that both judge"
    else:
        drawn = [resampled_means(side, seed + number, times) for number, side in enumerate(sides)]
        over = f"{len(sides[0])} and {len(sides[1])} queries, of which they share none"
    method = f"± 1.96 standard deviations over {times:,} resamples, seed {seed}, of {over}; {systems} systems"
    whole = _likeness(sides[0].mean(axis=0)[None], sides[1].mean(axis=0)[None], p)[0]
    spread = _likeness(drawn[0], drawn[1], p)
    tau, tau_b, rbo = (
        _estimate(float(whole[at]), spread[:, at], n, said + method, left_out, lowest)
        for at, (said, lowest) in enumerate((("", -1.0), ("", -1.0), (f"p = {p:g}, extrapolated; ", 0.0)))
    )
    return OrderAgreement(systems, p, tau, tau_b, rbo)


def _only(side: SystemValues, queries: Sequence[str]) -> Values:
    """The rows of these queries, in this order."""
    row = {query: at for at, query in enumerate(side.queries)}
    return side.values[[row[query] for query in queries]]


def _likeness(gold: Values, other: Values, p: float) -> Values:
    """Tau, tau-b and rank-biased overlap of orders by means [rows, systems]: float64 [rows, 3].

    Means that differ by the noise of the arithmetic alone are equal.
    """
    gold, other = np.round(gold, _DECIMALS), np.round(other, _DECIMALS)
    block = max(1, _CELLS // gold.shape[1] ** 2)
    found = np.empty((len(gold), 3))
    for start in range(0, len(gold), block):
        rows = slice(start, start + block)
        found[rows, 0], found[rows, 1] = kendall(gold[rows], other[rows])
        found[rows, 2] = overlap_of_orders(gold[rows], other[rows], p)
    return found


def _estimate(value: float, drawn: Values, n: int, method: str, left_out: Mapping[str, int], lowest: float) -> Estimate:
    """The normal interval, cut at `lowest` and 1; a point where all resamples agree, and then the method says so."""
    if not np.isfinite(value):
        return Estimate.undefined("one side gives all systems the same mean", n=n, left_out=left_out)
    found = drawn[np.isfinite(drawn)]
    wide = _TWO_SIDED * float(found.std()) if len(found) else 0.0
    if wide < 1e-12:
        method = f"a point: every resample says the same; {method}"
    return Estimate(value, max(lowest, value - wide), min(1.0, value + wide), n, method, left_out)
