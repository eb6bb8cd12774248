"""What is left as gold must share less with the query? A line per retriever over the tiers, easy to hard."""

from __future__ import annotations

from askance.report.charts.axes import EndLabel, Frame, end_column, end_labels, highest_of, percent_axis
from askance.report.charts.drawing import NARROW, Drawing, Spot, wrap
from askance.report.domain_view import DomainView
from askance.report.numbers import percent, percent_with_interval
from askance.report.palette import Palette
from askance.study.results import Figure

_TICK_LINES = 4
# How far apart the marks of two systems stand on one rung, at most, so that their intervals do not hide each other.
_APART = 9.0

Rungs = list[Figure | None]


def draw_ladder(view: DomainView, palette: Palette, width: float) -> Drawing | None:
    """The chart of the first measure over the main subset, or None where there are not two tiers to compare."""
    lines = {
        system: [view.figure(system, view.first_measure, tier=tier) for tier in view.tiers] for system in view.systems
    }
    lines = {system: rungs for system, rungs in lines.items() if _measured(rungs)}
    if len(view.tiers) < 2 or not lines:
        return None
    return _Ladder(view, palette, width, lines).draw()


class _Ladder:
    def __init__(self, view: DomainView, palette: Palette, width: float, lines: dict[str, Rungs]) -> None:
        self.view, self.palette, self.lines = view, palette, lines
        self.named = [system for system in lines if palette.hue(view.system(system)) is not None]
        self.column = end_column([*map(self._end_text, self.named), "chance"], 84 if width <= NARROW else 120)
        self.frame = Frame(36, width - self.column - 12, 14, 200 if width <= NARROW else 218)
        self.step = (self.frame.right - self.frame.left) / len(view.tiers)
        self.xs = [self.frame.left + self.step * (place + 0.5) for place in range(len(view.tiers))]
        self.ticks = [wrap(view.tier(tier), max(self.step - 6, 20), "tick", _TICK_LINES) for tier in view.tiers]
        height = self.frame.bottom + 14 + 15 * max(len(tick) for tick in self.ticks)
        title = f"{view.first_measure} as gold must share less with the query"
        self.drawing = Drawing(width, height, title, self._summary())
        self.highest = highest_of(value for rungs in lines.values() for value in _values(rungs))

    def draw(self) -> Drawing:
        percent_axis(self.drawing, self.frame, self.highest)
        self._tier_names()
        ends = self._chance()
        for system in self.lines:
            if system not in self.named:
                ends += self._line(system, 0.0)
        for place, system in enumerate(self.named):
            apart = min(_APART, self.step / 3 / len(self.named))
            ends += self._line(system, (place - (len(self.named) - 1) / 2) * apart)
        end_labels(self.drawing, ends, self.frame.right + 12, self.column, 0, self.frame.bottom + 10)
        for system in self.named:
            self._values(system)
        return self.drawing

    def _tier_names(self) -> None:
        for x, tier, tick in zip(self.xs, self.view.tiers, self.ticks, strict=True):
            for row, text in enumerate(tick):
                spot = Spot(x, self.frame.bottom + 17 + 15 * row, "middle")
                self.drawing.text(spot, text, "tick", whole=self._whole(tier, tick) if row == 0 else None)

    def _whole(self, tier: str, lines: list[str]) -> str | None:
        return self.view.tier(tier) if " ".join(lines) != self.view.tier(tier) else None

    def _chance(self) -> list[EndLabel]:
        """A tick per rung: the chance of the first system that has one there."""
        ends: list[EndLabel] = []
        half = min(22.0, self.step * 0.4)
        for place, x in enumerate(self.xs):
            found = (rungs[place] for rungs in self.lines.values())
            chance = next((f.chance.expected for f in found if f and f.chance.expected is not None), None)
            if chance is not None:
                y = self.frame.y(chance, self.highest)
                self.drawing.interval((x - half, y), (x + half, y), "chance")
                ends = [EndLabel("chance", "chance-t", y)] if place == len(self.xs) - 1 else []
        return ends

    def _line(self, system: str, shift: float) -> list[EndLabel]:
        label = self.view.system(system)
        css, hue = self.palette.css(label), self.palette.hue(label)
        points = [
            (x + shift, f) for x, f in zip(self.xs, self.lines[system], strict=True) if f and self._y(f) is not None
        ]
        at = [(x, y) for x, f in points if (y := self._y(f)) is not None]
        self.drawing.polyline(at, f"line {css}")
        if hue is None:
            return []
        for (x, figure), (_, y) in zip(points, at, strict=True):
            low, high = figure.estimate.low, figure.estimate.high
            if low is not None and high is not None:
                self.drawing.interval((x, self.frame.y(low, self.highest)), (x, self.frame.y(high, self.highest)), css)
            note = f"{label}, {self.view.tier(figure.tier)}: {percent_with_interval(figure.estimate)}"
            self.drawing.mark((x, y), f"dot {css}", hue, f"{note}, n = {figure.estimate.n}")
        return [EndLabel(self._end_text(system), css, at[-1][1])]

    def _values(self, system: str) -> None:
        """Beside the marks, but for the last, whose value stands with the name; left out where there is no room."""
        last = _measured(self.lines[system])[-1]
        for x, figure in zip(self.xs, self.lines[system], strict=True):
            y = self._y(figure) if figure else None
            if figure is None or y is None or figure is last:
                continue
            spots = [
                Spot(x + side * dx, y + dy, "start" if side > 0 else "end")
                for dx in (10.0, 16.0, 22.0)
                for dy in (-6.0, 4.5, 15.0, -14.0, 24.0)
                for side in (1, -1)
            ]
            self.drawing.place(
                percent(figure.estimate.value),
                "val",
                self.palette.css(self.view.system(system)),
                spots,
                self.frame.room,
            )

    def _y(self, figure: Figure) -> float | None:
        value = figure.estimate.value
        return None if value is None else self.frame.y(value, self.highest)

    def _end_text(self, system: str) -> str:
        return f"{percent(_measured(self.lines[system])[-1].estimate.value)} {self.view.system(system)}"

    def _summary(self) -> str:
        return "; ".join(
            f"{self.view.system(system)}: "
            + ", ".join(f"{self.view.tier(f.tier)} {percent_with_interval(f.estimate)}" for f in _measured(rungs))
            for system, rungs in self.lines.items()
        )


def _measured(rungs: Rungs) -> list[Figure]:
    return [figure for figure in rungs if figure is not None and figure.estimate.value is not None]


def _values(rungs: Rungs) -> list[float | None]:
    return [value for f in rungs if f for value in (f.estimate.value, f.estimate.high, f.chance.expected)]
