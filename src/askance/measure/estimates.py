"""Measures of a judged run as estimates."""

from __future__ import annotations

import numpy as np

from askance.core.estimate import Estimate
from askance.measure.intervals import proportion, resampled_mean
from askance.measure.judged import Judged
from askance.measure.measures import Measure
from askance.measure.resamples import RESAMPLES

WITHOUT_GOLD = "queries without gold"


def estimate(measure: Measure, judged: Judged, seed: int, resamples: int = RESAMPLES) -> Estimate:
    """The mean over the queries that have gold, with its interval; the others are left out and counted.

    A yes/no measure is a proportion; the values of any other are resampled. A query whose list is empty or lacks gold
    counts, with 0.
    """
    kept = judged.where(judged.with_gold)
    without = len(judged) - len(kept)
    left_out = {WITHOUT_GOLD: without} if without else {}
    values = measure.compute(kept)
    if measure.binary and np.isin(values, (0.0, 1.0)).all():
        return proportion(int(values.sum()), len(values), left_out)
    return resampled_mean(values, seed, resamples, left_out)
