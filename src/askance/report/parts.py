"""What pages are made of: charts in two layouts with what they ask, and sentences."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from markupsafe import Markup

from askance.report.charts.drawing import NARROW, WIDE, Drawing


@dataclass(frozen=True)
class Drawn:
    """A chart in two layouts, of which style.css shows the one that fits the screen."""

    wide: Markup
    narrow: Markup


@dataclass(frozen=True)
class ChartPart:
    """A chart with what it asks, how to read it, and what it cannot show."""

    title: str
    caption: str
    drawn: Drawn
    notes: Sequence[str] = ()


@dataclass(frozen=True)
class Said:
    """A sentence as the page sets it: `where` names its domain, `css` the hue of its one system."""

    where: str
    css: str
    strong: str
    rest: str


def drawn_twice(draw: Callable[[float], Drawing | None]) -> Drawn | None:
    """The chart for wide and for narrow screens; None where there is nothing to draw."""
    wide, narrow = draw(WIDE), draw(NARROW)
    if wide is None or narrow is None:
        return None
    return Drawn(Markup(wide.svg("wide")), Markup(narrow.svg("narrow")))
