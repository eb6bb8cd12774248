"""Measures of a judged run as estimates."""

from __future__ import annotations

import numpy as np

from askance.core.estimate import Estimate
from askance.measure.bootstrap import bootstrap_mean
from askance.measure.intervals import proportion
from askance.measure.judged import Judged
from askance.measure.measures import Measure

WITHOUT_GOLD = "queries without gold"


def estimate(measure: Measure, judged: Judged) -> Estimate:
    """The mean over the queries that have gold, with its interval; the others are left out and counted.

    A yes/no measure is a proportion; any other has the bootstrap interval of a mean, and so has a yes/no measure with
    shares of tied orders. A query whose list is empty or lacks gold counts, with 0, unless the metric has no value for
    it: then it is left out and counted as well.
    """
    with_gold = measure.held(judged).with_gold
    values = measure.compute(judged)[with_gold]
    undefined = np.isnan(values)
    counted = {WITHOUT_GOLD: len(judged) - len(values), measure.metric.undefined: int(undefined.sum())}
    left_out = {reason: count for reason, count in counted.items() if count}
    values = values[~undefined]
    if measure.says_yes_or_no(values):
        return proportion(int(values.sum()), len(values), left_out)
    return bootstrap_mean(values, left_out, _bounds(measure, judged))


def _bounds(measure: Measure, judged: Judged) -> tuple[float, float]:
    """The lowest and highest value that the measure can have in lists like these."""
    low, high = measure.metric.bounds
    return low, high if np.isfinite(high) else float(judged.listed.max(initial=1))
