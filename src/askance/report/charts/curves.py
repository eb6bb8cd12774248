"""How much of gold is within the first k? A line per retriever, its interval as a band, chance dashed."""

from __future__ import annotations

import math
from collections.abc import Sequence

from askance.report.charts.axes import EndLabel, Frame, end_column, end_labels, highest_of, percent_axis
from askance.report.charts.drawing import NARROW, Drawing, Point, Spot
from askance.report.domain_view import DomainView
from askance.report.numbers import percent, percent_with_interval
from askance.report.palette import Palette
from askance.study.results import Curve, EstimateIn

MOST_BANDS = 3
_ROUND_RANKS = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000)
# Beyond this depth the axis is logarithmic: what happens among the first few is what counts.
_LINEAR_DEPTH = 20
_TICKS_APART = 26.0


def draw_curves(view: DomainView, palette: Palette, width: float) -> Drawing | None:
    """The chart of the main tier and subset, or None where no curve was measured."""
    return _Curves(view, palette, width).draw() if view.curves else None


class _Curves:
    def __init__(self, view: DomainView, palette: Palette, width: float) -> None:
        self.view, self.palette, self.curves = view, palette, view.curves
        self.named = [curve for curve in self.curves if palette.hue(view.system(curve.system)) is not None]
        self.depth = max(len(curve.hits) for curve in self.curves)
        self.column = end_column([*map(self._end_text, self.named), "chance"], 84 if width <= NARROW else 120)
        self.frame = Frame(36, width - self.column - 12, 14, 200 if width <= NARROW else 228)
        self.drawing = Drawing(width, self.frame.bottom + 42, "Gold within the first k results", self._summary())
        self.highest = highest_of(value for curve in self.curves for value in _values(curve))

    def draw(self) -> Drawing:
        percent_axis(self.drawing, self.frame, self.highest)
        for k in self._ticks():
            self.drawing.text(Spot(self._x(k), self.frame.bottom + 17, "middle"), f"{k:,}", "tick")
        middle = (self.frame.left + self.frame.right) / 2
        self.drawing.text(Spot(middle, self.frame.bottom + 36, "middle"), "first k results", "tick")
        if len(self.named) <= MOST_BANDS:
            for curve in self.named:
                self._band(curve)
        ends = self._chance()
        for curve in sorted(self.curves, key=lambda curve: curve in self.named):
            ends += self._line(curve)
        end_labels(self.drawing, ends, self.frame.right + 12, self.column, 0, self.frame.bottom + 10)
        for curve in self.named:
            self._point_values(curve)
        return self.drawing

    def _x(self, k: int) -> float:
        if self.depth == 1:
            return self.frame.left + 6
        linear = self.depth <= _LINEAR_DEPTH
        far = (k - 1) / (self.depth - 1) if linear else math.log(k) / math.log(self.depth)
        return self.frame.left + 6 + (self.frame.right - self.frame.left - 6) * far

    def _y(self, share: float) -> float:
        return self.frame.y(share, self.highest)

    def _ticks(self) -> list[int]:
        """Round ranks and the depth itself, never two so close that their labels meet."""
        found: list[int] = []
        for k in (1, self.depth, *_ROUND_RANKS):
            if k <= self.depth and all(abs(self._x(k) - self._x(other)) > _TICKS_APART for other in found):
                found.append(k)
        if self.depth <= _LINEAR_DEPTH:
            found = [k for k in found if k != 2]
        return sorted(found)

    def _drawn(self) -> list[int]:
        """Every rank of a short list; of a long one, those that differ on paper."""
        if self.depth <= 60:
            return list(range(1, self.depth + 1))
        return sorted({round(self.depth ** (step / 59)) for step in range(60)} | set(self._ticks()))

    def _chance(self) -> list[EndLabel]:
        chance = max((curve.chance for curve in self.curves), key=len)
        points: list[Point] = []
        for k in self._drawn():
            expected = chance[k - 1] if k <= len(chance) else None
            if expected is not None:
                points.append((self._x(k), self._y(expected)))
        if not points:
            return []
        self.drawing.polyline(points, "chanceline")
        return [EndLabel("chance", "chance-t", points[-1][1])]

    def _band(self, curve: Curve) -> None:
        above: list[Point] = []
        below: list[Point] = []
        for k, hit in self._hits(curve):
            if hit.low is not None and hit.high is not None:
                above.append((self._x(k), self._y(hit.high)))
                below.append((self._x(k), self._y(hit.low)))
        if len(above) > 1:
            self.drawing.polygon([*above, *reversed(below)], f"band {self._css(curve)}")

    def _line(self, curve: Curve) -> list[EndLabel]:
        points = [(self._x(k), self._y(hit.value)) for k, hit in self._hits(curve) if hit.value is not None]
        label = self.view.system(curve.system)
        hue = self.palette.hue(label)
        if not points:
            return []
        self.drawing.polyline(points, f"line {self._css(curve)}")
        if hue is None:
            return []
        for k, value in self._marked(curve):
            hit = curve.hits[k - 1]
            note = f"{label}, first {k}: {percent_with_interval(hit)}, n = {hit.n}"
            self.drawing.mark((self._x(k), self._y(value)), f"dot {self._css(curve)}", hue, note)
        return [EndLabel(self._end_text(curve), self._css(curve), points[-1][1])]

    def _point_values(self, curve: Curve) -> None:
        """At the marked ranks but the last, whose value stands with the name; left out where there is no room."""
        for k, value in self._marked(curve):
            if k < len(curve.hits):
                x, y = self._x(k), self._y(value)
                self.drawing.place(
                    percent(value),
                    "val",
                    self._css(curve),
                    [Spot(x + dx, y + dy, a) for dx, dy, a in _NEAR],
                    self.frame.room,
                )

    def _hits(self, curve: Curve) -> list[tuple[int, EstimateIn]]:
        return [(k, curve.hits[k - 1]) for k in self._drawn() if k <= len(curve.hits)]

    def _marked(self, curve: Curve) -> list[tuple[int, float]]:
        found = [(k, curve.hits[k - 1].value) for k in self._ticks() if k <= len(curve.hits)]
        return [(k, value) for k, value in found if value is not None]

    def _css(self, curve: Curve) -> str:
        return self.palette.css(self.view.system(curve.system))

    def _end_text(self, curve: Curve) -> str:
        return f"{percent(curve.hits[-1].value)} {self.view.system(curve.system)}"

    def _summary(self) -> str:
        return "; ".join(f"{self.view.system(curve.system)}: {_at(curve.hits)}" for curve in self.curves)


# Where the value of a mark may stand, best first: above, below, then farther off.
_NEAR = [
    (dx, (-8.0 - far) if up else (18.0 + far), anchor)
    for far in (0.0, 8.0, 16.0)
    for up in (True, False)
    for dx, anchor in ((7.0, "start"), (-7.0, "end"), (0.0, "middle"))
]


def _values(curve: Curve) -> list[float | None]:
    return [value for hit in curve.hits for value in (hit.value, hit.high)] + list(curve.chance)


def _at(hits: Sequence[EstimateIn]) -> str:
    ranks = sorted({k for k in (1, 5, 10) if k < len(hits)} | {len(hits)})
    return ", ".join(f"first {k} {percent_with_interval(hits[k - 1])}" for k in ranks)
