"""What was found about a printed figure, held against what was printed."""

from __future__ import annotations

from dataclasses import dataclass

from askance.core.estimate import Estimate
from askance.study.records import estimate_record
from askance.study.reproduce import ROUNDING, Row, Status
from askance.study.structural.printed import Printed

Ends = tuple[float, float]


@dataclass(frozen=True)
class Found:
    """Our figure and what may be said of it.

    `ends`, `slack`: the interval that the printed one is held against (ours unless told), and how far its ends may lie
    from there; `slack` None: there is nothing to hold it against. `wrong`: what does not agree, found by whoever
    computed it; empty where all does. `tolerance`: where it is not half a unit of the last printed digit.
    """

    status: Status
    ours: Estimate | None = None
    why: str = ""
    ends: Ends | None = None
    slack: float | None = None
    wrong: str = ""
    tolerance: float | None = None


def exact(value: float, n: int, method: str) -> Estimate:
    """A figure without an interval: nothing was sampled."""
    return Estimate(value, value, value, n, method)


def row_of(printed: Printed, found: Found) -> Row:
    """The row of a printed figure: `fail` where something does not agree, and then `why` begins with what."""
    tolerance = printed.tolerance if found.tolerance is None else found.tolerance
    wrong = found.wrong or _value_differs(printed, found, tolerance) or _interval_differs(printed, found)
    low, high = printed.ends or (None, None)
    return Row(
        id=printed.id,
        figure=said(printed),
        published=printed.published,
        published_low=low,
        published_high=high,
        ours=None if found.ours is None else estimate_record(found.ours),
        tolerance=tolerance,
        status="fail" if wrong else found.status,
        why="; ".join(part for part in (wrong, found.why) if part),
        group=printed.domain,
        about={**printed.about, "from": printed.source_file},
    )


def said(printed: Printed) -> str:
    """What the figure is, in words: its name and what it is of."""
    about = [value for key, value in printed.about.items() if value not in ("none", printed.figure)]
    return ", ".join([printed.figure.replace("_", " "), *about])


def _value_differs(printed: Printed, found: Found, tolerance: float) -> str:
    ours, told = found.ours, printed.published
    if ours is None or told is None:
        return ""
    if ours.value is not None:
        return f"differs by {ours.value - told:+.4g}" if abs(ours.value - told) > tolerance + ROUNDING else ""
    if ours.low is None or ours.high is None:
        return ours.method
    slack = tolerance + ROUNDING
    outside = not ours.low - slack <= told <= ours.high + slack
    return f"lies outside {ours.low:.4f} to {ours.high:.4f}" if outside else ""


def _interval_differs(printed: Printed, found: Found) -> str:
    if printed.ends is None or found.slack is None or found.ours is None:
        return ""
    ends = found.ends or (found.ours.low, found.ours.high)
    for name, told, ours in zip(("low", "high"), printed.ends, ends, strict=True):
        if ours is None or abs(told - ours) > found.slack + ROUNDING:
            return f"the interval's {name} end is {ours}, printed {told}"
    return ""
