"""What stands at rank 1 instead of gold? A bar per role and system, with its interval."""

from __future__ import annotations

from askance.report.charts.drawing import FONTS, NARROW, Drawing, Spot, text_width, wrap
from askance.report.domain_view import DomainView
from askance.report.numbers import count, percent, percent_with_interval
from askance.report.palette import Palette
from askance.report.texts import shorten
from askance.study.results import Taxonomy, Winner

_BAR, _LABEL_COLUMN = 15.0, 176.0


def draw_winners(view: DomainView, palette: Palette, width: float) -> Drawing | None:
    """The chart of the systems that have a hue, or None where no system misses."""
    shown = [
        t
        for t in view.taxonomies
        if t.misses and any(w.count for w in t.winners) and palette.hue(view.system(t.system)) is not None
    ]
    return _Winners(view, palette, width, shown).draw() if shown else None


class _Winners:
    def __init__(self, view: DomainView, palette: Palette, width: float, shown: list[Taxonomy]) -> None:
        self.view, self.palette, self.shown = view, palette, shown
        self.width, self.narrow = width, width <= NARROW
        self.roles = list(dict.fromkeys(winner.role for t in shown for winner in t.winners if winner.count))
        order = [card.name for card in view.domain.roles]
        self.roles.sort(key=lambda role: order.index(role) if role in order else len(order))
        self.left = 0.0 if self.narrow else _LABEL_COLUMN + 14
        self.scale = min(self._longest(taxonomy, role) for taxonomy in shown for role in self.roles)
        self.group = (20.0 if self.narrow else 0.0) + (_BAR + 3) * len(shown) + 12
        title = "What stands at rank 1 instead of gold"
        self.drawing = Drawing(width, self.group * len(self.roles), title, self._summary())

    def draw(self) -> Drawing:
        bars = (_BAR + 3) * len(self.shown)
        for place, role in enumerate(self.roles):
            top = self.group * place + (20.0 if self.narrow else 0.0)
            self._label(role, top, bars)
            for row, taxonomy in enumerate(self.shown):
                self._bar(taxonomy, role, top + (_BAR + 3) * row)
            self.drawing.line((self.left, top - 1), (self.left, top + bars - 2), "zero")
        return self.drawing

    def _label(self, role: str, top: float, bars: float) -> None:
        label = self.view.role(role)
        if self.narrow:
            [text] = wrap(label, self.drawing.width - 4, "row", 1)
            self.drawing.text(Spot(0, top - 6), text, "row", whole=label)
            return
        lines = wrap(label, _LABEL_COLUMN, "row", 2 if bars >= 30 else 1)
        start = top + bars / 2 + 3.5 - 7.5 * (len(lines) - 1)
        for place, line in enumerate(lines):
            whole = label if place == 0 and " ".join(lines) != label else None
            self.drawing.text(Spot(_LABEL_COLUMN, start + 15 * place, "end"), line, "row", whole=whole)

    def _bar(self, taxonomy: Taxonomy, role: str, top: float) -> None:
        winner = self._winner(taxonomy, role)
        css = self.palette.css(self.view.system(taxonomy.system))
        value = winner.count / taxonomy.misses if winner else 0.0
        self.drawing.rect(self.left, top, self._x(value) - self.left, _BAR, f"bar {css}")
        if winner and winner.share.low is not None and winner.share.high is not None:
            middle = top + _BAR / 2
            self.drawing.line((self._x(winner.share.low), middle), (self._x(winner.share.high), middle), "whisker")
        spot = Spot(self._x(_end(taxonomy, winner)) + 6, top + _BAR / 2 + 4.5)
        self.drawing.text(spot, self._note(taxonomy, role), "val", css)

    def _longest(self, taxonomy: Taxonomy, role: str) -> float:
        """The longest scale, in units for a share of 1, at which this bar leaves room for its note."""
        size, bold = FONTS["val"]
        room = self.width - self.left - 8 - text_width(self._note(taxonomy, role), size, bold)
        return min(room / max(_end(taxonomy, self._winner(taxonomy, role)), 0.05), self.width - self.left)

    def _x(self, share: float) -> float:
        return self.left + self.scale * min(max(share, 0.0), 1.0)

    def _winner(self, taxonomy: Taxonomy, role: str) -> Winner | None:
        return next((winner for winner in taxonomy.winners if winner.role == role), None)

    def _note(self, taxonomy: Taxonomy, role: str) -> str:
        """Count and share; beside the bars of the first role, also which system each is."""
        winner = self._winner(taxonomy, role)
        figures = f"{count(winner.count)} · {percent(winner.count / taxonomy.misses)} %" if winner else "0"
        named = role == self.roles[0] and len(self.shown) > 1
        return f"{figures}  {shorten(self.view.system(taxonomy.system), 18)}" if named else figures

    def _summary(self) -> str:
        return "; ".join(
            f"{self.view.system(t.system)}, {count(t.misses)} misses: "
            + ", ".join(
                f"{self.view.role(w.role)} {count(w.count)}, {percent_with_interval(w.share)}" for w in t.winners
            )
            for t in self.shown
        )


def _end(taxonomy: Taxonomy, winner: Winner | None) -> float:
    """How far bar and interval reach."""
    if winner is None:
        return 0.0
    return min(max(winner.count / taxonomy.misses, winner.share.high or 0.0), 1.0)
