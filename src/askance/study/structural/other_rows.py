"""Figures without counts of their own that hits of the same configuration fix, or hold between two bounds.

A mathematical query has one gold document in a tier, so hits at ranks 1, 5 and 10 say in which stretch of ranks it
stands: RR and nDCG lie between their values at the stretch's ends. All tiers together are three documents a query.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from math import log2

from askance.core.estimate import Estimate
from askance.measure.intervals import proportion
from askance.study.structural.finding import Found, exact
from askance.study.structural.printed import Printed
from askance.study.structural.source import Source

CUTOFFS = (1, 5, 10)
EQUIVALENTS = 3  # of each query: easy, medium, hard

_FIGURE = re.compile(r"(?P<measure>\w+)@(?P<k>\d+)")


def of_one_gold(printed: Printed, source: Source) -> Found:
    """nDCG@k and AP@k (RR, as there is one gold document) of a tier."""
    told = _FIGURE.fullmatch(printed.figure)
    assert told is not None
    k = int(told["k"])
    place = printed.id.rpartition("/")[0]
    hits = {cutoff: source.row(f"{place}/strict_hit@{cutoff}").found for cutoff in CUTOFFS if cutoff <= k}
    n = printed.queries
    if k == 1:
        return Found("recomputed", proportion(hits[1], n), why="at rank 1, one gold document: the same as Hit@1")
    worth: Callable[[int], float] = _reciprocal if told["measure"] == "strict_map" else _discounted
    low = high = float(hits[1])
    for before, cutoff in zip(CUTOFFS, CUTOFFS[1:], strict=False):
        if cutoff <= k:
            more = hits[cutoff] - hits[before]
            low += more * worth(cutoff)
            high += more * worth(before + 1)
    said = "between hits as late and as early as " + " and ".join(f"Hit@{cutoff}" for cutoff in hits) + " allow"
    return Found("bounded", _between(low / n, high / n, n, said))


def of_equivalents(printed: Printed, source: Source) -> Found:
    """The figures at rank 1 and recall of all three equivalents, from hits of the tiers and of any of the three."""
    told = _FIGURE.fullmatch(printed.figure)
    assert told is not None
    k, n = int(told["k"]), printed.queries
    embedder = printed.about["embedder"]
    easy, hard = (source.row(f"math/{embedder}/{tier}/strict_hit@{k}").found for tier in ("easy", "hard"))
    any_of_them = source.row(f"math/{embedder}/easy/lenient_hit@{k}").found
    if k == 1:
        first = proportion(any_of_them, n)
        if told["measure"] == "lenient_beir_ndcg":
            return Found("recomputed", first, why="nDCG at rank 1 is Hit@1 of any equivalent")
        third = [None if end is None else end / EQUIVALENTS for end in (first.value, first.low, first.high)]
        ours = Estimate(third[0], third[1], third[2], n, f"{first.method}; a third")
        return Found("recomputed", ours, why="a third of Hit@1 of any equivalent: one of three is found")
    if told["measure"] != "lenient_beir_recall":
        return Found("no counts", why="the ranks of a query's three equivalents are not published")
    found = max(any_of_them, easy + hard), easy + hard + any_of_them
    said = "found: the easy and the hard ones that are, and of the medium ones none or as many as any are found"
    low, high = (count / (EQUIVALENTS * n) for count in found)
    return Found("bounded", _between(low, high, n, said))


def total_spent(printed: Printed, source: Source) -> Found:
    """The printed total from its printed parts."""
    parts = [source.row(f"spend/{name}_usd").published or 0.0 for name in ("gemini", "deepseek", "claude")]
    return Found("recomputed", exact(sum(parts), len(parts), "sum of the three printed parts"))


def all_below(printed: Printed, source: Source) -> Found:
    """That all cosines are below .999 follows from the largest."""
    largest = source.row("math/deployment/cosine_max").published
    wrong = "" if largest is not None and largest < 0.999 else f"the largest is printed as {largest}"
    n = printed.queries
    return Found("recomputed", proportion(n, n), why=f"the largest is printed as {largest:.5f}", wrong=wrong)


def _between(low: float, high: float, n: int, method: str) -> Estimate:
    return Estimate(None, low, high, n, method)


def _reciprocal(rank: int) -> float:
    return 1 / rank


def _discounted(rank: int) -> float:
    return 1 / log2(rank + 1)
