"""Figures for tables that have little room: ".188 .13–.24", no nought before the point."""

from __future__ import annotations

from askance.core.estimate import Estimate
from askance.report.numbers import DASH, MINUS, decimal


def short_figure(estimate: Estimate, *, signed: bool = False) -> str:
    """A figure with three decimals and its interval with two: ".188 .13–.24", "−.010 −.05 to .03"; a dash undefined."""
    if estimate.value is None:
        return DASH
    if estimate.low is None or estimate.high is None:
        return short(estimate.value, 3, signed=signed)
    low, high = short(estimate.low, 2), short(estimate.high, 2)
    between = " to " if MINUS in low + high else "–"
    return f"{short(estimate.value, 3, signed=signed)} {low}{between}{high}"


def short(value: float | None, places: int, *, signed: bool = False) -> str:
    """Fixed decimals without the nought before the point; a dash where undefined."""
    text = decimal(value, places, signed=signed)
    return text.replace("0.", ".", 1) if text.lstrip(MINUS + "+").startswith("0.") else text
