"""The source's own gates: figures of other papers that it wanted to meet within a point before it went on."""

from __future__ import annotations

import numpy as np

from askance.core.estimate import Estimate
from askance.measure.bootstrap import bootstrap_mean
from askance.measure.intervals import proportion
from askance.study.gates import off
from askance.study.records import estimate_record
from askance.study.structural.finding import Found
from askance.study.structural.printed import Printed
from askance.study.structural.source import Source, Table

POINT = 0.01
FIRST = 10  # documents of each list that the gate looks at

# What the benchmark's paper prints for MiniLM (state-aware embedding, 336 trajectories, 40 queries).
_BENCHMARK = {"overall": 0.7945, "EASY": 0.842, "MEDIUM": 0.746, "HARD": 0.791}

AP = "average precision over the relevant among the first ten, as the benchmark computes it"


def mean_average_precision(printed: Printed, source: Source) -> Found:
    """Mean of the 40 values of AP that the source computed, or of those of one tier, beside what the benchmark prints.

    AP is `measure.compatibility`'s: it divides by the relevant documents among the first ten.
    """
    return Found("recomputed", _mean(printed, source), why=f"{AP}; {verdict(printed, source)}")


def verdict(printed: Printed, source: Source) -> str:
    """Whether the source's mean is within a point of the benchmark's."""
    wanted = _BENCHMARK[_tier(printed)]
    wrong = off(wanted, POINT, estimate_record(_mean(printed, source)))
    if not wrong:
        return f"the benchmark prints {wanted:g}: the gate passes, within a point"
    rows = _of_tier(printed, source)
    unlisted = sum(FIRST - int(row["n_relevant_retrieved_in_top10"]) for row in rows)
    return (
        f"the benchmark prints {wanted:g}: the gate fails, {wrong}; its judge read every list anew, while the released "
        f"labels alone leave {unlisted} of the {FIRST * len(rows)} documents in the first tens irrelevant"
    )


def other_paper(printed: Printed, source: Source) -> Found:
    """A figure of MathNet over all its queries, which the source's 500 were to meet."""
    k = printed.figure.rpartition("@")[2]
    counterpart = source.row(f"math/gemini/easy/strict_hit@{k}")
    ours = estimate_record(proportion(counterpart.found, counterpart.queries))
    wrong = off(printed.published or 0.0, POINT, ours)
    said = f"the gate fails, {wrong}" if wrong else "the gate passes, within a point"
    why = f"MathNet's own figure; the source has {counterpart.found} of {counterpart.queries} against it: {said}"
    return Found("no counts", why=why)


def _mean(printed: Printed, source: Source) -> Estimate:
    return bootstrap_mean(np.array([float(row["ap"]) for row in _of_tier(printed, source)]))


def _of_tier(printed: Printed, source: Source) -> Table:
    return [row for row in source.gate if _tier(printed) in ("overall", row["tier"])]


def _tier(printed: Printed) -> str:
    return printed.id.rpartition("_")[2]
