"""What the order of tied documents can do to a figure."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from askance.data.judgments import Judgments
from askance.data.run import Run
from askance.measure.judged import Counts, Found, Judged
from askance.measure.measures import Measure
from askance.measure.order import judge_by

if TYPE_CHECKING:
    from askance.data.collection import Excluded

MATTERS = 0.001  # a spread above this is worth a word


def extremes(
    run: Run, judgments: Judgments, threshold: float = 1.0, excluded: Excluded | None = None
) -> tuple[Judged, Judged] | None:
    """The run under the luckiest and under the unluckiest order of its ties; None where no judged document is tied."""
    return extremes_of(judge_by("expected", run, judgments, threshold, excluded))


def extremes_of(judged: Judged) -> tuple[Judged, Judged] | None:
    """The same, of a run that was judged with its ties.

    Within a tie the judged documents stand by falling grade: the luckiest order has them first, as they are, the
    unluckiest last, the other way round.
    """
    if not (judged.size > 1).any():
        return None
    inside = np.arange(len(judged.group)) - np.searchsorted(judged.group, judged.group)
    first, last = judged.before[judged.group] + 1, (judged.before + judged.size)[judged.group]
    return _at_ranks(judged, first + inside), _at_ranks(judged, last - inside)


def _at_ranks(judged: Judged, rank: Counts) -> Judged:
    """The same documents, each at a rank of its own [found]."""
    query = judged.query[judged.group]
    order = np.lexsort((rank, query))
    found = Found(query[order], rank[order], judged.grade[order], judged.relevant[order])
    return Judged.of(found, judged.listed, judged.gold, judged.pool, judged.ideal)


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
