"""Whether so many queries can show the difference one looks for, in two plain sentences that hold in every regime."""

from __future__ import annotations

from askance.diagnose.power import FEWEST, Detectable
from askance.report.numbers import count, counted, in_words, percent, percent_with_interval
from askance.report.texts import shorten
from askance.study.records import estimate_record

_LONGEST = 100  # letters of a name


def power_said(one: Detectable) -> tuple[str, str]:
    """What so many queries show, and the figures that it rests on."""
    n, wanted = one.least.n, f"a difference of {percent(one.looked_for)} points"
    if n < FEWEST:
        strong = f"{counted(n, 'query', 'queries')} can show no difference at all."
        won = "that one" if n == 1 else f"all {in_words(n)}"
        return strong, (
            f"Were one system ahead on {won}, p would still be {2 * 0.5**n:.4g} (McNemar, exact: 2 · ½ⁿ); "
            f"{in_words(FEWEST)} queries are the fewest that reach .05.{_needed(one)}"
        )
    strong = f"{count(n)} queries are {'enough' if one.enough else 'too few'} to show {wanted}."
    least = percent_with_interval(estimate_record(one.least), unit=" points")
    found = f"{least} for McNemar's exact test to find it in 80 of 100 samples.{'' if one.enough else _needed(one)}"
    if one.easiest:
        return strong, (
            f"{_differ(one)}, and any difference that shows takes more. In the easiest case, one system ahead wherever "
            f"two differ, the difference at rank 1 must be {found}"
        )
    return strong, f"{_differ(one)}. The difference at rank 1 of two such systems must be {found}"


def _differ(one: Detectable) -> str:
    on = f"on {percent(one.discordant)} % of them" if one.discordant else "on none of them"
    if one.other:
        return f"{_name(one.label)} and {_name(one.other)} differ {on}"
    return f"Two systems that hit as often as {_name(one.label)}, and independently, differ {on}"


def _needed(one: Detectable) -> str:
    if one.needed is None:
        return f" More than a million queries would show {percent(one.looked_for)} points."
    return f" {count(one.needed)} queries would show {percent(one.looked_for)} points."


def _name(text: str) -> str:
    return shorten(text, _LONGEST)
