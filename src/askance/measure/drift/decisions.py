"""Where two servings of one model decide otherwise, and by how little.

A margin is a gap of scores at the decision: how much the document in question scores above the one it has to beat.
Small margins decide by noise; a discordant query with a wide one was decided by the model.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from askance.core.estimate import Estimate
from askance.data.collection import Excluded
from askance.data.judgments import Judgments
from askance.data.run import Run
from askance.measure.bootstrap import bootstrap_mean
from askance.measure.drift.cosines import quantile
from askance.measure.drift.ranks import answered_by_both
from askance.measure.intervals import proportion
from askance.measure.judged import Values, gold_of
from askance.measure.measures import Measure
from askance.measure.order import TiePolicy, judge_by, ordered
from askance.measure.paired import gained_lost, mcnemar

WITHOUT_GOLD = "queries without gold"
UNLISTED = "lists of a single document"
NOT_ANSWERED = "queries that not both runs answer"
NOT_DEFINED = "queries without a value"

_DECIDED_BY_GOLD = ("Hit", "P", "RR")  # yes or no by where the first gold document stands


@dataclass(frozen=True, slots=True)
class Side:
    """What one serving did with a query: its value, the rank of its first gold document, the margin of the decision.

    `rank`, `margin` None: no gold document is listed, or there is nothing that it had to beat. A margin below 0 is
    what gold lacks to be a hit.
    """

    value: float
    rank: int | None
    margin: float | None


@dataclass(frozen=True, slots=True)
class DiscordantQuery:
    """A query that hits under one serving only."""

    query: str
    first: Side
    second: Side


@dataclass(frozen=True, eq=False)
class MeasureDrift:
    """One measure under both servings.

    `difference`: second − first, mean over queries. `gained`, `lost`: queries that hit only under the second, only
    under the first; `p`: exact McNemar; all None where the measure is no yes or no. `discordant`: those queries.
    """

    measure: Measure
    first: Estimate
    second: Estimate
    difference: Estimate
    gained: int | None
    lost: int | None
    p: float | None
    discordant: tuple[DiscordantQuery, ...]


@dataclass(frozen=True, slots=True)
class Change:
    """A query with another document at rank 1. Margins: by how much each serving prefers its own to the other's.

    None where the other's document is not in its list.
    """

    query: str
    first: str
    second: str
    first_margin: float | None
    second_margin: float | None


@dataclass(frozen=True, eq=False)
class FirstPlaces:
    """Who stands at rank 1.

    `changed`: share of queries with another document there; `changes`: which. `margin_changed`, `margin_kept`: median
    gap between ranks 1 and 2 of the first serving, over the queries that changed and over the others.
    """

    changed: Estimate
    changes: tuple[Change, ...]
    margin_changed: Estimate
    margin_kept: Estimate


def measure_drift(
    measure: Measure,
    first: Run,
    second: Run,
    judgments: Judgments,
    threshold: float = 1.0,
    excluded: Excluded | None = None,
    *,
    ties: TiePolicy = "input",
) -> MeasureDrift:
    """One measure of two runs over the queries that both answer and that have gold; the others are counted.

    `ties`: how equal scores are ordered. Under "expected" a measure of ties may be a share of their orders, and is no
    yes or no then. DataProblem where the runs share no query.
    """
    runs = [ordered(run, ties, judgments) for run in (first, second)]
    judged = [judge_by(ties, run, judgments, threshold, excluded) for run in runs]
    values = [measure.compute(each) for each in judged]
    answered = answered_by_both(*runs)
    with_gold = measure.held(judged[0]).with_gold
    defined = np.isfinite(values[0]) & np.isfinite(values[1])
    kept = np.flatnonzero(answered & with_gold & defined)
    left_out = {
        NOT_ANSWERED: int((~answered & with_gold).sum()),
        WITHOUT_GOLD: int((~with_gold).sum()),
        NOT_DEFINED: int((answered & with_gold & ~defined).sum()),
    }
    left_out = {reason: count for reason, count in left_out.items() if count}
    a, b = (each[kept] for each in values)
    yes_no = measure.says_yes_or_no(a) and measure.says_yes_or_no(b)
    changed = gained_lost(a, b) if yes_no else None
    gold = _Gold(judgments, measure.rel or threshold, excluded)
    return MeasureDrift(
        measure=measure,
        first=_mean(a, yes_no, left_out),
        second=_mean(b, yes_no, left_out),
        difference=bootstrap_mean(b - a, left_out, (-1.0, 1.0)),
        gained=changed.gained if changed else None,
        lost=changed.lost if changed else None,
        p=mcnemar(changed.gained, changed.lost) if changed else None,
        discordant=tuple(
            DiscordantQuery(
                judgments.queries[query],
                gold.side(measure, runs[0], query, float(values[0][query])),
                gold.side(measure, runs[1], query, float(values[1][query])),
            )
            for query in (kept[a != b].tolist() if yes_no else ())
        ),
    )


def first_places(first: Run, second: Run) -> FirstPlaces:
    """Which queries have another document at rank 1, and how narrow the lead was, over those that both runs answer."""
    kept = np.flatnonzero(answered_by_both(first, second))
    left_out = {NOT_ANSWERED: len(first.queries) - len(kept)} if len(kept) < len(first.queries) else {}
    top = [run.matrix(1)[:, 0] for run in (first, second)]
    changed = top[0] != top[1]
    lead = _lead(first)
    return FirstPlaces(
        changed=proportion(int(changed[kept].sum()), len(kept), left_out),
        changes=tuple(_change(first, second, query) for query in kept[changed[kept]].tolist()),
        margin_changed=_median(lead[kept[changed[kept]]]),
        margin_kept=_median(lead[kept[~changed[kept]]]),
    )


@dataclass(frozen=True)
class _Gold:
    judgments: Judgments
    threshold: float
    excluded: Excluded | None

    def side(self, measure: Measure, run: Run, query: int, value: float) -> Side:
        """What a run whose lists are in order did with a query."""
        documents, scores = run.of_query(query)
        gold = gold_of(self.judgments, query, self.threshold, self.excluded)
        at = np.flatnonzero(np.isin(documents, gold))
        if not len(at) or measure.judged_only or measure.name not in _DECIDED_BY_GOLD:
            return Side(value, None, None)
        rank, k = int(at[0]) + 1, measure.k or len(documents)
        rival = k if rank <= k else k - 1  # the first that is left out; or the last that is not
        margin = float(scores[at[0]] - scores[rival]) if rival < len(scores) else None
        return Side(value, rank, margin)


def _mean(values: Values, yes_no: bool, left_out: Mapping[str, int]) -> Estimate:
    return proportion(int(values.sum()), len(values), left_out) if yes_no else bootstrap_mean(values, left_out)


def _lead(run: Run) -> Values:
    """By how much rank 1 leads over rank 2 [queries]; NaN where the list has fewer than two."""
    begin, two = run.offsets[:-1], np.diff(run.offsets) > 1
    lead = np.full(len(two), np.nan)
    lead[two] = run.score[begin[two]] - run.score[begin[two] + 1]
    return lead


def _median(lead: Values) -> Estimate:
    there = np.isfinite(lead)
    without = len(lead) - int(there.sum())
    return quantile(lead[there], 0.5, (0.0, None), {UNLISTED: without} if without else {})


def _change(first: Run, second: Run, query: int) -> Change:
    own, other = (int(run.of_query(query)[0][0]) for run in (first, second))
    return Change(
        query=first.queries[query],
        first=first.documents[own],
        second=first.documents[other],
        first_margin=_preference(first, query, other),
        second_margin=_preference(second, query, own),
    )


def _preference(run: Run, query: int, other: int) -> float | None:
    """By how much the run scores its document at rank 1 above `other`; None where it does not list that."""
    documents, scores = run.of_query(query)
    at = np.flatnonzero(documents == other)
    return float(scores[0] - scores[at[0]]) if len(at) else None
