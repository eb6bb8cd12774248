"""How figures are written: one place, so that page, terminal and sentences say the same."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from askance.study.results import ChanceIn, EstimateIn

DASH = "–"
MINUS = "−"
SMALL_NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


def defined(value: float | None) -> bool:
    """Whether there is a figure to write: not null, not NaN, not infinite."""
    return value is not None and math.isfinite(value)


def decimal(value: float | None, places: int, *, signed: bool = False) -> str:
    """Fixed decimals, a true minus sign, no negative zero; a dash where undefined."""
    if value is None or not math.isfinite(value):
        return DASH
    text = f"{abs(value):,.{places}f}"
    nought = not text.strip("0.,")
    if value < 0 and not nought:
        return MINUS + text
    return "+" + text if signed and not nought else text


def percent(value: float | None, *, signed: bool = False) -> str:
    """A fraction as a percentage of one decimal, without the sign %: .0932 → 9.3; what is not nought is never 0.0."""
    if value is not None and 0 < value < 0.0005 and not signed:
        return "<0.1"
    return decimal(None if value is None else value * 100, 1, signed=signed)


def probability(value: float | None) -> str:
    """A probability of three decimals: 0.792."""
    return decimal(value, 3)


def _span(low: str, high: str) -> str:
    if DASH in (low, high):
        return ""
    return f"{low} to {high}" if MINUS in low + high else f"{low}–{high}"


def percent_interval(estimate: EstimateIn) -> str:
    """Its interval in percent, "4.2–15.2" ("−3.1 to 12.4" below zero); empty where there is none."""
    return _span(percent(estimate.low), percent(estimate.high))


def probability_interval(estimate: EstimateIn) -> str:
    """Its interval as probabilities, "0.768–0.815"; empty where there is none."""
    return _span(probability(estimate.low), probability(estimate.high))


def percent_with_interval(estimate: EstimateIn, *, signed: bool = False, unit: str = " %") -> str:
    """ "9.3 % (4.2–15.2)", for sentences; the reason where undefined."""
    return _with_interval(percent(estimate.value, signed=signed), unit, percent_interval(estimate), estimate)


def probability_with_interval(estimate: EstimateIn) -> str:
    """ "0.792 (0.768–0.815)", for sentences; the reason where undefined."""
    return _with_interval(probability(estimate.value), "", probability_interval(estimate), estimate)


def _with_interval(value: str, unit: str, interval: str, estimate: EstimateIn) -> str:
    if value == DASH:
        return f"undefined ({reason(estimate)})"
    return f"{value}{unit} ({interval})" if interval else f"{value}{unit}"


def reason(estimate: EstimateIn | ChanceIn) -> str:
    """Why it is undefined, as its method says."""
    return estimate.method.removeprefix("undefined:").strip() or "no reason given"


def p_value(p: float | None) -> str:
    """ "p = .08", "p < .001"; never rounded across the 5 % level."""
    if p is None or not math.isfinite(p):
        return f"p {DASH}"
    if p < 0.001:
        return "p < .001"
    if p >= 0.9995:
        return "p = 1"
    for places in (2, 3, 4, 6):
        shown = f"{p:.{places}f}"
        if (float(shown) < 0.05) == (p < 0.05) and float(shown) > 0 and (p >= 0.01 or places > 2):
            return f"p = {shown[1:] if shown.startswith('0') else shown}"
    return "p ≈ .05"


def count(number: int) -> str:
    """With thousands apart: 2,100."""
    return f"{number:,}".replace("-", MINUS)


def counted(number: int, one: str, many: str) -> str:
    """ "1 query", "118 queries"."""
    return f"{count(number)} {one if number == 1 else many}"


def span_of_n(sizes: Iterable[int]) -> str:
    """ "n = 118", "n = 96 to 118"."""
    found = sorted(set(sizes))
    if not found:
        return "nothing measured"
    return f"n = {count(found[0])}" if len(found) == 1 else f"n = {count(found[0])} to {count(found[-1])}"


def in_words(number: int) -> str:
    """Up to ten in words, then in digits."""
    return SMALL_NUMBERS[number] if 0 <= number <= 10 else count(number)


def ordinal(number: int) -> str:
    """1st, 2nd, 3rd, 4th, 11th."""
    if 10 <= number % 100 <= 20:
        return f"{count(number)}th"
    return count(number) + {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")


def listed(things: Sequence[str]) -> str:
    """ "a", "a and b", "a, b and c"."""
    if len(things) < 2:
        return "".join(things)
    return f"{', '.join(things[:-1])} and {things[-1]}"
