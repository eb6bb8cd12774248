"""Thin margins: queries whose first two documents score almost the same, and what changes if they change places."""

from __future__ import annotations

from dataclasses import dataclass

from askance.core.estimate import Estimate
from askance.diagnose.case import Case, System
from askance.measure.intervals import proportion
from askance.measure.judged import gold_of

THIN = 0.02
FIRST = 10

SHORT = "lists of one document, or of one score"


@dataclass(frozen=True, slots=True)
class Margins:
    """`thin`: share of queries whose first two scores differ by less than `below` of the spread of the first ten.

    The spread is the score of rank 1 less that of rank 10 (of the last, in a shorter list). If the first two changed
    places, `won` of these queries would gain gold at rank 1, and `lost` would lose it; nothing changes in the others.
    """

    system: str
    label: str
    below: float
    thin: Estimate
    won: int
    lost: int


def margins(case: Case, system: System, below: float = THIN) -> Margins | None:
    """None for reranked lists, whose scores are places, and where no list has a spread."""
    if system.before is not None:
        return None
    thin = won = lost = n = short = 0
    for query in case.queries:
        listed, scores = system.run.of_query(query)
        spread = float(scores[0] - scores[:FIRST][-1]) if len(scores) > 1 else 0.0
        if spread <= 0:
            short += 1
            continue
        n += 1
        if float(scores[0] - scores[1]) < below * spread:
            thin += 1
            gold = gold_of(case.tier.judgments, query, case.tier.threshold, case.collection.excluded)
            first, second = int(listed[0]) in gold, int(listed[1]) in gold
            won += second and not first
            lost += first and not second
    if n == 0:
        return None
    return Margins(system.name, system.label, below, proportion(thin, n, {SHORT: short} if short else None), won, lost)
