"""McNemar's exact test from discordant counts, which must agree with the hits of both conditions."""

from __future__ import annotations

from askance.measure.paired import mcnemar
from askance.study.structural.finding import Found, exact
from askance.study.structural.printed import Printed
from askance.study.structural.source import Source

# Printed with three digits as .053: .05248 was rounded to .0525 first, and then again.
_ROUNDED_TWICE = {"pilot6/mcnemar/none_vs_glm_reranked": 0.001}


def paired_test(printed: Printed, source: Source) -> Found:
    """Two-sided p of gained against lost."""
    gained, lost = printed.discordant
    p = mcnemar(gained, lost)
    ours = exact(p, printed.queries, f"exact McNemar, two-sided: {gained} against {lost}")
    why = "" if printed.value is not None else "p is not printed; the counts are"
    tolerance = None
    if printed.id in _ROUNDED_TWICE:
        tolerance = _ROUNDED_TWICE[printed.id]
        why = f"{p:.5f}, rounded to .0525 and from there to the printed .053: a unit of the last digit is allowed here"
    return Found("recomputed", ours, why=why, wrong=_disagreement(printed, source), tolerance=tolerance)


def _disagreement(printed: Printed, source: Source) -> str:
    """Where both conditions' hits are printed, their difference must be that of the discordant counts."""
    pair = _hits_of_both(printed, source)
    gained, lost = printed.discordant
    if pair is None or pair[1] - pair[0] == gained - lost:
        return ""
    return f"the conditions have {pair[0]} and {pair[1]} hits, which {gained} and {lost} cannot part"


def _hits_of_both(printed: Printed, source: Source) -> tuple[int, int] | None:
    """Hits of the condition that `lost` speaks for, and of the one that `gained` speaks for."""
    first, second = str(printed.config["first"]), str(printed.config["second"])
    if printed.domain == "math":  # "gained" are the hits of the first deployment alone
        tier, cutoff = printed.config["tier"], printed.id.rpartition("/")[2]
        ids = [f"math/{name}/{tier}/strict_{cutoff}" for name in (second, first)]
    elif printed.domain == "solver":
        ids = [f"solver/{name}/correct_{printed.config['grader']}" for name in (first, second)]
    else:
        ids = [f"pilot6/{name}" for name in (first, second)]
    before, after = (source.row(one).hits if one in source.printed else None for one in ids)
    return None if before is None or after is None else (before, after)
