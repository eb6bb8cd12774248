"""Shares of the recoverable gap and their paired differences: exact values, and intervals where the counts allow them.

The source held the ceiling at its point value for the interval of a share, and resampled it for a paired difference.
"""

from __future__ import annotations

from collections.abc import Iterator

from askance.measure.bounds import Bounds, paired_share_bounds, share_bounds
from askance.study.structural.finding import Found
from askance.study.structural.printed import Printed
from askance.study.structural.source import Source

JUDGES = {"Gemini-j": "gemini-3.1-flash-lite", "GLM-j": "glm-5.2-fp8", "Haiku-j": "claude-haiku-4-5"}


def share(printed: Printed, source: Source) -> Found:
    """(after − before)/(ceiling − before) of hits.

    One joint table alone has the margins where nothing hit before: then the interval is recomputed, else bounded.
    """
    before, ceiling = printed.told("before_hits"), printed.told("hit10_hits")
    bounds = share_bounds(printed.queries, before, printed.found, ceiling, "held")
    wrong = "; ".join(_contradictions(printed))
    one = 1 / (ceiling - before)
    if printed.ends is None:
        return Found("recomputed", bounds.widest(), why=_siblings(printed), wrong=wrong)
    if len(bounds.ends) == 1:
        return Found("recomputed", bounds.widest(), slack=one, wrong=wrong)
    fewest = max(0, before + printed.found - ceiling)
    fitting = [fewest + table for table in bounds.tables_that_give(*printed.ends, one)]
    if not fitting:
        wrong = wrong or "no joint table with these margins has the printed interval"
        return Found("bounded", bounds.widest(), wrong=wrong)
    why = f"{_range_of(bounds)}; as printed where {fitting[0]} to {fitting[-1]} of the {before} hits are kept"
    return Found("bounded", bounds.widest(), why="; ".join(p for p in (why, _siblings(printed)) if p), wrong=wrong)


def paired_difference(printed: Printed, source: Source) -> Found:
    """Share of one judge less that of another, over the same queries."""
    stem, _, label = printed.id.rpartition("/paired_diff/")
    place = stem if printed.domain == "math" else f"{stem}/pooled"
    first, second = (source.row(f"{place}/{JUDGES[name]}/share") for name in label.split("_minus_"))
    before, ceiling = first.told("before_hits"), first.told("hit10_hits")
    bounds = paired_share_bounds(printed.queries, before, first.found, second.found, ceiling)
    holds = printed.ends is not None and bounds.holds(*printed.ends, 1 / (ceiling - before))
    wrong = "" if holds else f"the printed interval is not within {_range_of(bounds)}"
    zero = bounds.lowest[0] <= 0 <= bounds.highest[1]
    why = _range_of(bounds) + ("; the margins alone would allow an interval that holds 0" if zero else "")
    return Found("bounded", bounds.widest(), why=why, wrong=wrong)


def _range_of(bounds: Bounds) -> str:
    ends = [f"{100 * least:.1f} to {100 * most:.1f} %" for least, most in (bounds.lowest, bounds.highest)]
    return f"low end {ends[0]}, high end {ends[1]}"


def _contradictions(printed: Printed) -> Iterator[str]:
    """What the row tells beside its counts, where it does not follow from them."""
    before, ceiling = printed.told("before_hits"), printed.told("hit10_hits")
    for key, ours in (("net", printed.found - before), ("gap_hits", ceiling - before)):
        if printed.told(key) != ours:
            yield f"{key} is printed as {printed.told(key)}, and is {ours}"
    if "n_miss" in printed.config:
        parts = sum(printed.told(key) for key in ("sibling", "near_miss", "other", "unparsed"))
        if not printed.told("n_miss") == parts == printed.queries - printed.found:
            left = printed.queries - printed.found
            yield f"{printed.told('n_miss')} misses are printed, {parts} have a role, {left} are left"


def _siblings(printed: Printed) -> str:
    """What is left to win after a judge, by the counts that the row tells."""
    if "n_miss" not in printed.config:
        return ""
    return f"{printed.told('sibling')} of {printed.told('n_miss')} misses left have a sibling at rank 1"
