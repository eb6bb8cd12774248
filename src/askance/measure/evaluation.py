"""Evaluating a run file: every measure as an estimate, beside chance where the size of the corpus is known."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from askance.core.errors import DataProblem, UnknownName
from askance.core.estimate import Estimate, EstimateRecord
from askance.data.fit import Fitted, fit
from askance.data.judgments import Judgments
from askance.data.problems import Problem
from askance.data.run import Run
from askance.measure.chance import Chance, against_chance
from askance.measure.estimates import estimate
from askance.measure.judged import Counts, Judged, Values
from askance.measure.measures import Measure
from askance.measure.order import TiePolicy, judge_by, ordered
from askance.measure.spread import MATTERS, extremes, extremes_of, spread_between
from askance.measure.ties import tied_share

DEFAULT_MEASURES = ("nDCG@10", "AP", "RR@10", "Recall@100", "Hit@1")


@dataclass(frozen=True, slots=True)
class QueryCounts:
    """What became of the queries: `evaluated` stand in the figures, `missing` of them are not in the run (counted 0).

    `unjudged`: queries of the run without judgments, left out. `excluded`: judged queries without gold, left out.
    """

    evaluated: int
    missing: int
    unjudged: int
    excluded: int

    def record(self) -> dict[str, int]:
        """The machine form."""
        return {
            "evaluated": self.evaluated,
            "missing": self.missing,
            "unjudged": self.unjudged,
            "excluded": self.excluded,
        }


@dataclass(frozen=True, eq=False)
class EvaluatedRun:
    """One run: each measure by its name, with its estimate and chance.

    `tied`: share of the first ten places tied with a neighbour. `spread`: how far apart the luckiest and the unluckiest
    order of ties lie, for measures where that is more than .001. `values` [queries] and `queries`: per measure and
    query, in the order of the judgments; NaN where a query is left out. `problems`: warnings, counted.
    """

    name: str
    measures: Mapping[str, Estimate]
    chance: Mapping[str, Chance]
    counts: QueryCounts
    tied: float
    spread: Mapping[str, float]
    queries: Mapping[str, Sequence[str]]
    values: Mapping[str, Values]
    problems: Sequence[Problem]

    def per_query(self) -> dict[str, dict[str, float]]:
        """measure → query → value, of the queries that stand in the figures."""
        return {
            name: {
                query: value
                for query, value in zip(self.queries[name], values.tolist(), strict=True)
                if not np.isnan(value)
            }
            for name, values in self.values.items()
        }

    def record(self, *, per_query: bool = False) -> dict[str, object]:
        """The machine form of one run."""
        chances = {
            name: {"expected": one.expected, "p": one.p, "verdict": one.verdict, "method": one.method}
            for name, one in self.chance.items()
        }
        measures: dict[str, EstimateRecord] = {name: one.record() for name, one in self.measures.items()}
        found: dict[str, object] = {
            "name": self.name,
            "measures": measures,
            "chance": chances,
            "counts": self.counts.record(),
            "tied_first_ten": self.tied,
            "tie_spread": dict(self.spread),
            "problems": [problem.record() for problem in self.problems],
        }
        return found | ({"per_query": self.per_query()} if per_query else {})


@dataclass(frozen=True)
class EvaluationSettings:
    """How runs are evaluated. `corpus_size`: documents to choose from, None unknown: then there is no chance."""

    measures: Sequence[Measure]
    ties: TiePolicy = "expected"
    corpus_size: int | None = None
    seed: int = 0


@dataclass(frozen=True)
class Evaluation:
    """All runs, in the order given. `ties`: how equal scores were treated. `problems`: of the judgments."""

    runs: Sequence[EvaluatedRun]
    measures: Sequence[str]
    ties: TiePolicy
    corpus_size: int | None
    problems: Sequence[Problem]

    def record(self, *, per_query: bool = False) -> dict[str, object]:
        """The machine form: askance/evaluate/1."""
        return {
            "schema": "askance/evaluate/1",
            "ties": self.ties,
            "corpus_size": self.corpus_size,
            "problems": [problem.record() for problem in self.problems],
            "runs": [run.record(per_query=per_query) for run in self.runs],
        }


@dataclass
class _Lens:
    """A run through one tier; made once for all measures of the tier."""

    fitted: Fitted
    judged: Judged
    extremes: tuple[Judged, Judged] | None = field(default=None)


def evaluate_run(run: Run, tiers: Mapping[str, Judgments], settings: EvaluationSettings) -> EvaluatedRun:
    """Every measure of one run; `tiers`: judgments by the name of their definition of gold, the first the default.

    DataProblem where not one query of the run is judged. UnknownName where a measure names a tier that is not there.
    """
    main = next(iter(tiers))
    lenses = {name: _lens(run, judgments, settings) for name, judgments in _needed(tiers, settings.measures).items()}
    first = lenses.get(main) or _lens(run, tiers[main], settings)
    measures: dict[str, Estimate] = {}
    chances: dict[str, Chance] = {}
    spreads: dict[str, float] = {}
    values: dict[str, Values] = {}
    queries: dict[str, Sequence[str]] = {}
    for measure in settings.measures:
        lens = lenses[measure.tier or main]
        name = str(measure)
        measures[name] = estimate(measure, lens.judged)
        chances[name] = against_chance(
            measure, lens.judged, _sizes(lens.judged, settings), settings.seed, depth=_depth(lens.judged)
        )
        apart = spread_between(measure, lens.extremes)
        if apart > MATTERS:
            spreads[name] = apart
        found = measure.compute(lens.judged)
        values[name] = np.where(measure.held(lens.judged).with_gold, found, np.nan)
        queries[name] = lens.fitted.judgments.queries.names
    with_gold = first.judged.with_gold
    return EvaluatedRun(
        name=run.name,
        measures=measures,
        chance=chances,
        counts=QueryCounts(
            evaluated=int(with_gold.sum()),
            missing=len(first.fitted.missing),
            unjudged=len(first.fitted.unjudged),
            excluded=int((~with_gold).sum()),
        ),
        tied=tied_share(ordered(run, "input"), 10),
        spread=spreads,
        queries=queries,
        values=values,
        problems=first.fitted.problems,
    )


def _needed(tiers: Mapping[str, Judgments], measures: Sequence[Measure]) -> dict[str, Judgments]:
    main = next(iter(tiers))
    names = {measure.tier or main for measure in measures}
    for name in names:
        if name not in tiers:
            raise UnknownName("tier", name, tiers, where="a measure")
    return {name: tiers[name] for name in tiers if name in names}


def _lens(run: Run, judgments: Judgments, settings: EvaluationSettings) -> _Lens:
    fitted = fit(run, judgments)
    error = next((problem for problem in fitted.problems if problem.severity == "error"), None)
    if error is not None:
        raise DataProblem(f"run {run.name!r}: {error.text}", remedy=error.remedy)
    judged = judge_by(settings.ties, fitted.run, fitted.judgments)
    if settings.ties != "expected":
        return _Lens(fitted, judged, extremes(fitted.run, fitted.judgments))
    return _Lens(fitted, judged, None if _few_ties(judged, settings.measures) else extremes_of(judged))


def _few_ties(judged: Judged, measures: Sequence[Measure]) -> bool:
    """Whether so few queries have a judged document in a tie that no order of them could make a spread that matters."""
    plain = all(measure.rel is None and not measure.judged_only for measure in measures)  # else others have gold
    within = plain and all(0.0 <= bound <= 1.0 for measure in measures for bound in measure.metric.bounds)
    touched = np.count_nonzero(np.bincount(judged.query[judged.size > 1]))
    return within and bool(touched <= MATTERS * int(judged.with_gold.sum()))


def _sizes(judged: Judged, settings: EvaluationSettings) -> Counts | None:
    if settings.corpus_size is None:
        return None
    return np.full(len(judged), settings.corpus_size, dtype=np.int64)


def _depth(judged: Judged) -> int:
    """How long lists were asked for, as far as the run shows it."""
    return int(judged.listed.max(initial=1))
