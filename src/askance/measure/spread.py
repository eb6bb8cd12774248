"""What the order of tied documents can do to a figure."""

from __future__ import annotations

import numpy as np

from askance.data.collection import Excluded
from askance.data.judgments import Judgments
from askance.data.run import Run
from askance.measure.judged import Judged
from askance.measure.measures import Measure
from askance.measure.order import judge_by, ordered
from askance.measure.ties import ties_of

MATTERS = 0.001  # a spread above this is worth a word


def extremes(
    run: Run, judgments: Judgments, threshold: float = 1.0, excluded: Excluded | None = None
) -> tuple[Judged, Judged] | None:
    """The run under the luckiest and under the unluckiest order of its ties; None where it has no ties."""
    if ties_of(ordered(run, "input")) is None:
        return None
    best, worst = (judge_by(policy, run, judgments, threshold, excluded) for policy in ("optimistic", "pessimistic"))
    return best, worst


def spread(
    measure: Measure, run: Run, judgments: Judgments, threshold: float = 1.0, excluded: Excluded | None = None
) -> float:
    """How far apart the means of the luckiest and the unluckiest order of the ties are, over queries with gold.

    0 where nothing is tied, or no query has a value.
    """
    return spread_between(measure, extremes(run, judgments, threshold, excluded))


def spread_between(measure: Measure, pair: tuple[Judged, Judged] | None) -> float:
    """The same, of what `extremes` found; it serves every measure."""
    if pair is None:
        return 0.0
    means = []
    for judged in pair:
        values = measure.compute(judged)[measure.held(judged).with_gold]
        defined = values[~np.isnan(values)]
        means.append(float(defined.mean()) if len(defined) else 0.0)
    return abs(means[0] - means[1])
