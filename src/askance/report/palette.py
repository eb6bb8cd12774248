"""One hue per system through the whole page."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from askance.report.domain_view import DomainView

HUES = 6


@dataclass(frozen=True)
class Palette:
    """Label of a system → its hue, by order of first appearance; those after the sixth are drawn grey."""

    hues: dict[str, int]

    @classmethod
    def of(cls, views: Iterable[DomainView]) -> Palette:
        labels = dict.fromkeys(view.system(name) for view in views for name in view.systems)
        return cls({label: place for place, label in enumerate(labels) if place < HUES})

    def hue(self, label: str) -> int | None:
        return self.hues.get(label)

    def css(self, label: str) -> str:
        """Its class in style.css: "s0" … "s5", "other"."""
        hue = self.hue(label)
        return "other" if hue is None else f"s{hue}"
