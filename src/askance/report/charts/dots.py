"""Rows of points with their intervals on one axis: what the preference and the gap chart are made of."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from askance.report.charts.drawing import FONTS, LINE, NARROW, Drawing, Spot, text_width, wrap

_LABEL_COLUMN = 176.0


@dataclass(frozen=True)
class DotRow:
    """One point. `value` None: nothing to draw but the words. `hollow`: the figure decides nothing.

    `text`: the figure; `note`: what it says; `interval`: its interval in words, drawn as a bar and read out.
    """

    label: str
    value: float | None
    low: float | None
    high: float | None
    text: str
    note: str
    interval: str
    css: str
    shape: int | None = None
    hollow: bool = False


@dataclass(frozen=True)
class DotGroup:
    """Rows under one heading; an empty heading takes no line."""

    heading: str
    rows: Sequence[DotRow]


@dataclass(frozen=True)
class DotAxis:
    """`middle`: where neither side is favoured; `ticks`: value and label; `ends`: what the two directions mean."""

    low: float
    high: float
    middle: float
    ticks: Sequence[tuple[float, str]]
    ends: tuple[str, str] = field(default=("", ""))


def draw_dots(groups: Sequence[DotGroup], axis: DotAxis, width: float, title: str) -> Drawing | None:
    """The chart, or None where there is no row."""
    rows = [row for group in groups for row in group.rows]
    return _Dots(groups, axis, width, title, rows).draw() if rows else None


class _Dots:
    def __init__(
        self, groups: Sequence[DotGroup], axis: DotAxis, width: float, title: str, rows: Sequence[DotRow]
    ) -> None:
        self.groups, self.axis, self.width, self.narrow = groups, axis, width, width <= NARROW
        noted = max(_words_width(row) for row in rows)
        self.left = 8.0 if self.narrow else _LABEL_COLUMN + 14
        self.right = width - 8 if self.narrow else width - min(noted, 170) - 14
        self.height = 8.0 + sum(
            self._heading_height(group) + sum(map(self._row_height, group.rows)) for group in groups
        )
        lines = (1 if axis.ticks else 0) + (1 if any(axis.ends) else 0)
        summary = "; ".join(
            f"{group.heading} {row.label}: {_told(row)}".strip() for group in groups for row in group.rows
        )
        self.drawing = Drawing(width, self.height + 8 + 17 * lines, title, summary)

    def draw(self) -> Drawing:
        self._axis()
        y = 4.0
        for group in self.groups:
            y += self._heading_height(group)
            if group.heading:
                lines = wrap(group.heading, self.width - 8, "head", 2)
                self.drawing.lines(Spot(0, y - 9 - LINE * (len(lines) - 1)), lines, "head", group.heading)
            for row in group.rows:
                self._row(row, y)
                y += self._row_height(row)
        return self.drawing

    def _heading_height(self, group: DotGroup) -> float:
        """More above a heading than below it, except at the top."""
        if not group.heading:
            return 0.0
        more = 16.0 * (len(wrap(group.heading, self.width - 8, "head", 2)) - 1)
        return more + (24.0 if group is self.groups[0] else 36.0)

    def _label_room(self, row: DotRow) -> float:
        """In a narrow chart a label stands above its point, before the words."""
        return self.width - min(_words_width(row), 190) - 12 if self.narrow else _LABEL_COLUMN

    def _label_lines(self, row: DotRow) -> list[str]:
        return wrap(row.label, self._label_room(row), "row", 2)

    def _row_height(self, row: DotRow) -> float:
        """A second line of its label takes more where the label stands above the point than where beside it."""
        more = len(self._label_lines(row)) - 1
        return 42.0 + 16.0 * more if self.narrow else 28.0 + 8.0 * more

    def _x(self, value: float) -> float:
        share = (value - self.axis.low) / (self.axis.high - self.axis.low)
        return self.left + (self.right - self.left) * min(max(share, 0.0), 1.0)

    def _axis(self) -> None:
        self._rules()
        y = self.height + 12
        taken = -1e9
        for value, label in self.axis.ticks:
            half = text_width(label, FONTS["tick"][0]) / 2
            x = min(max(self._x(value), half), self.drawing.width - half)
            if x - half > taken + 4:
                self.drawing.text(Spot(x, y, "middle"), label, "tick")
                taken = x + half
        if any(self.axis.ends):
            y += 17 if self.axis.ticks else 0
            middle = self._x(self.axis.middle)
            room = min(middle, self.drawing.width - middle) - 10
            first, last = (wrap(end, room, "tick", 1)[0] for end in self.axis.ends)
            self.drawing.text(Spot(middle - 10, y, "end"), first, "tick")
            self.drawing.text(Spot(middle + 10, y), last, "tick")

    def _rules(self) -> None:
        """They run beside rows only, not through headings, nor through the labels above the rows of a narrow chart."""
        y = 4.0
        for group in self.groups:
            y += self._heading_height(group)
            heights = list(map(self._row_height, group.rows))
            end = y + sum(heights)
            stops = [y + sum(heights[: at + 1]) - 3 for at in range(len(heights))] if self.narrow else [end - 2]
            starts = [stop - 18 for stop in stops] if self.narrow else [y + 2]
            for start, stop in zip(starts, stops, strict=True):
                for value, css in [*((tick, "grid") for tick, _ in self.axis.ticks), (self.axis.middle, "zero")]:
                    self.drawing.line((self._x(value), start), (self._x(value), stop), css)
            y = end

    def _row(self, row: DotRow, top: float) -> None:
        height = self._row_height(row)
        y = top + (height - 12 if self.narrow else height / 2)
        self._label(row, top)
        self._words(row, top)
        if row.value is None:
            return
        if row.low is not None and row.high is not None:
            self.drawing.interval((self._x(row.low), y), (self._x(row.high), y), row.css)
        note = f"{row.label}: {_told(row)}"
        if not self.axis.low <= row.value <= self.axis.high:
            self.drawing.beyond((self._x(row.value), y), f"dot {row.css}", row.value > self.axis.high, note)
            return
        css = f"dot {row.css} hollow" if row.hollow else f"dot {row.css}"
        self.drawing.mark((self._x(row.value), y), css, row.shape, note, 4.6)

    def _label(self, row: DotRow, top: float) -> None:
        lines = self._label_lines(row)
        if self.narrow:
            self.drawing.lines(Spot(0, top + LINE), lines, "row", row.label)
            return
        start = top + self._row_height(row) / 2 + 4.5 - 8 * (len(lines) - 1)
        self.drawing.lines(Spot(_LABEL_COLUMN, start, "end"), lines, "row", row.label)

    def _words(self, row: DotRow, top: float) -> None:
        """The figure in bold and what it says, in a column of its own (in a narrow chart: above the row)."""
        y = top + (16 if self.narrow else self._row_height(row) / 2 + 4.5)
        size, bold = FONTS["val"]
        wide = text_width(row.text, size, bold)
        note = wrap(row.note, max((190 if self.narrow else 170) - wide - 8, 20), "tick", 1)[0] if row.note else ""
        x = self.drawing.width - _width_of(row.text, note) if self.narrow else self.right + 14
        if row.text:
            self.drawing.text(Spot(x, y), row.text, "val", row.css)
        if note:
            self.drawing.text(Spot(x + (wide + 6 if row.text else 0), y), note, "tick", whole=row.note)


def _width_of(text: str, note: str) -> float:
    size, bold = FONTS["val"]
    gap = 6 if text and note else 0
    return text_width(text, size, bold) + gap + text_width(note, FONTS["tick"][0])


def _told(row: DotRow) -> str:
    """Figure, interval and what they say, for those who cannot see the chart."""
    interval = f"({row.interval})" if row.interval else ""
    return " ".join(part for part in (row.text, interval, row.note) if part)


def _words_width(row: DotRow) -> float:
    return _width_of(row.text, row.note)
