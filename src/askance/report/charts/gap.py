"""How much of the gap between rank 1 and the first ten does a lexical reranker close? Points around zero."""

from __future__ import annotations

from collections.abc import Sequence

from askance.report.charts.axes import nice_ticks
from askance.report.charts.dots import DotAxis, DotGroup, DotRow, draw_dots
from askance.report.charts.drawing import NARROW, Drawing
from askance.report.domain_view import DomainView
from askance.report.numbers import DASH, MINUS, percent, percent_interval
from askance.report.palette import Palette
from askance.report.readings import SIGNS
from askance.study.results import Control

_MOST_ROWS = 8


def draw_gap(views: Sequence[DomainView], palette: Palette, width: float) -> Drawing | None:
    """A group per domain, a row per system: its control over all words."""
    shown = [(view, controls) for view in views if (controls := shown_controls(view, palette))]
    groups = [DotGroup(view.title, [_row(view, palette, control) for control in found]) for view, found in shown]
    controls = [control for _, found in shown for control in found]
    axis = _axis(controls, 4 if width <= NARROW else 5)
    return draw_dots(groups, axis, width, "Share of the gap that a lexical reranker closes")


def shown_controls(view: DomainView, palette: Palette) -> list[Control]:
    """All of a few; of many those of the systems that have a hue."""
    found = view.lexical_controls
    if len(found) <= _MOST_ROWS:
        return found
    return [control for control in found if palette.hue(view.system(control.system)) is not None]


def _row(view: DomainView, palette: Palette, control: Control) -> DotRow:
    share, label = control.share_held, view.system(control.system)
    note = SIGNS[control.sign].word
    value = share.value if control.sign != "no room" else 0.0
    text = percent(share.value, signed=True) if control.sign != "no room" else ""
    if text == DASH:
        value, text, note = None, "", "undefined"
    shown = control.sign != "no room"
    return DotRow(
        label=label,
        value=value,
        low=share.low if shown else None,
        high=share.high if shown else None,
        text=text,
        note=note,
        interval=percent_interval(share) if shown else "",
        css=palette.css(label),
        shape=palette.hue(label),
        hollow=control.sign in ("undecided", "no room"),
    )


def _axis(controls: Sequence[Control], most: int) -> DotAxis:
    """From the lowest to the highest interval, zero and ten points included, but no farther than −100 … 100 %.

    Where next to nothing is left to win, losing a little is many times the gap: such points become arrows.
    """
    shares = [control.share_held for control in controls if control.sign != "no room"]
    ends = [end for share in shares for end in (share.low, share.high, share.value) if end is not None]
    low, high = max(min([0.0, *ends]), -1.0), min(max([0.1, *ends]), 1.0)
    ticks = nice_ticks(low, high, most)
    labels = [(tick, f"{MINUS if tick < 0 else ''}{abs(tick) * 100:.0f} %") for tick in ticks]
    return DotAxis(ticks[0], ticks[-1], 0.0, labels)
