"""Shares of queries, counts of them, and differences of two shares: recomputed from hits and n."""

from __future__ import annotations

from askance.core.estimate import Estimate
from askance.measure.bounds import change_bounds
from askance.measure.intervals import binomial_interval, proportion
from askance.study.structural.finding import Found
from askance.study.structural.printed import Printed
from askance.study.structural.recounts import recount
from askance.study.structural.source import Source


def share(printed: Printed, source: Source) -> Found:
    """Hits of n. The printed interval is the percentile bootstrap's, with the noise of its draws: one count."""
    hits, n = printed.found, printed.queries
    point = hits in (0, n) and printed.ends is not None
    anew = recount(printed, source)
    said = "the percentile interval is a point, as printed; ours is Clopper-Pearson's" if point else ""
    return Found(
        "recomputed",
        proportion(hits, n),
        why="; ".join(part for part in (anew.why, said) if part),
        ends=binomial_interval(hits, n),
        slack=1 / n,
        wrong=anew.wrong,
    )


def count(printed: Printed, source: Source) -> Found:
    """A number of queries out of n, with its interval in queries."""
    hits, n = printed.found, printed.queries
    there = proportion(hits, n)
    low, high = (None if end is None else end * n for end in (there.low, there.high))
    anew = recount(printed, source)
    return Found("recomputed", Estimate(hits, low, high, n, there.method), why=anew.why, wrong=anew.wrong)


def change(printed: Printed, source: Source) -> Found:
    """Difference of two shares of the same queries, before and after."""
    hits, n = printed.found, printed.queries
    return Found("recomputed", change_bounds(n, printed.told("before_hits"), hits).widest())
