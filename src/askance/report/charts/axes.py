"""Scales and axes that charts share."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

from askance.report.charts.drawing import FONTS, Box, Drawing, Spot, text_width, wrap
from askance.report.numbers import defined


@dataclass(frozen=True)
class Frame:
    """The part of a drawing in which figures are plotted."""

    left: float
    right: float
    top: float
    bottom: float

    @property
    def room(self) -> Box:
        """Where values may be written: inside, in the margin above, and between the labels of the axis."""
        return Box(0, 0, self.right + 4, self.bottom)

    def y(self, share: float, highest: float) -> float:
        """Where a fraction stands on an axis from 0 to `highest`."""
        return self.bottom - (self.bottom - self.top) * min(max(share / highest, 0.0), 1.0)


def highest_of(values: Iterable[float | None]) -> float:
    """The top of an axis that begins at 0: the least of 10, 25, 50, 75 and 100 % that holds every value."""
    top = max((value for value in values if value is not None and math.isfinite(value)), default=1.0)
    return next((limit for limit in (0.1, 0.25, 0.5, 0.75) if top <= limit), 1.0)


def percent_axis(drawing: Drawing, frame: Frame, highest: float) -> None:
    """Rules across the frame at round values, labelled in percent."""
    parts = {1.0: 4, 0.75: 3}.get(highest, 5)
    for step in range(parts + 1):
        share = highest * step / parts
        y = frame.y(share, highest)
        drawing.line((frame.left, y), (frame.right, y), "grid")
        drawing.text(Spot(frame.left - 8, y + 4, "end"), f"{share * 100:.0f}", "tick")


@dataclass(frozen=True)
class EndLabel:
    """What stands at the end of a line: its text, its class, and the height at which the line ends."""

    text: str
    css: str
    y: float


def end_column(labels: Iterable[str], most: float) -> float:
    """How wide a column the names at the ends of lines need, at most `most`."""
    size, bold = FONTS["name"]
    widest = max((text_width(line, size, bold) for label in labels for line in wrap(label, most, "name", 2)), default=0)
    return min(widest, most)


def end_labels(drawing: Drawing, labels: Iterable[EndLabel], x: float, width: float, top: float, bottom: float) -> None:
    """Names beside the ends of their lines, pushed apart where lines end close together."""
    blocks = [(label, wrap(label.text, width, "name", 2)) for label in sorted(labels, key=lambda label: label.y)]
    heights = [15.0 * len(lines) + 3 for _, lines in blocks]
    tops = _spread(
        [label.y - height / 2 for (label, _), height in zip(blocks, heights, strict=True)], heights, top, bottom
    )
    for (label, lines), start in zip(blocks, tops, strict=True):
        for place, line in enumerate(lines):
            whole = label.text if place == 0 else None
            drawing.text(Spot(x, start + 12 + 15 * place), line, "name", label.css, whole=whole and _rest(whole, lines))


def _rest(whole: str, lines: list[str]) -> str | None:
    return whole if " ".join(lines) != whole else None


def _spread(wanted: list[float], heights: list[float], top: float, bottom: float) -> list[float]:
    """Starts of blocks near where they are wanted, in order, none on another, inside top and bottom if they fit."""
    starts: list[float] = []
    free = top
    for want, height in zip(wanted, heights, strict=True):
        starts.append(max(want, free))
        free = starts[-1] + height
    free = max(bottom, top + sum(heights))
    for place in range(len(starts) - 1, -1, -1):
        starts[place] = min(starts[place], free - heights[place])
        free = starts[place]
    return starts


def nice_ticks(low: float, high: float, most: int = 6) -> list[float]:
    """Round values that span low … high: steps of 1, 2 or 5 times a power of ten, at most `most` of them or so."""
    span = high - low
    if not defined(span) or span <= 0:
        return [low]
    step = 10 ** math.floor(math.log10(span / most))
    step = next(step * factor for factor in (1, 2, 5, 10, 20) if span / (step * factor) <= most)
    return [round(place * step, 10) for place in range(math.floor(low / step), math.ceil(high / step) + 1)]
