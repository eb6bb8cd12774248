"""A drawing: SVG made of escaped elements, and the boxes of its texts, so that none lies on another."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from xml.etree import ElementTree

from askance.report.texts import bind, clean, one_line, shorten

WIDE, NARROW = 540.0, 330.0
# Font size in the drawing's units, and whether it is set bold; style.css gives colour and weight by the same names.
FONTS = {"tick": (12.0, False), "row": (13.0, False), "head": (13.0, True), "name": (13.0, True), "val": (12.5, True)}
LINE = 16.0  # from one line of a label to the next
Point = tuple[float, float]


@dataclass(frozen=True)
class Box:
    """Where a text stands."""

    left: float
    top: float
    right: float
    bottom: float

    def inside(self, other: Box) -> bool:
        return (
            other.left <= self.left
            and self.right <= other.right
            and other.top <= self.top
            and self.bottom <= other.bottom
        )

    def meets(self, other: Box) -> bool:
        return (
            self.left < other.right and other.left < self.right and self.top < other.bottom and other.top < self.bottom
        )


@dataclass(frozen=True)
class Spot:
    """A place where a text may stand: a point on its baseline, and which end of the text is there."""

    x: float
    y: float
    anchor: str = "start"


def text_width(text: str, size: float, bold: bool = False) -> float:
    """About how wide a text is set, for the widest of the usual system fonts."""
    return sum(_advance(character) for character in text) * size * (1.1 if bold else 1.0)


def _advance(character: str) -> float:
    if character in "iljI.,:;'|!()[] ’·ft":
        return 0.4
    if character in "mwMW@%—…→←":
        return 0.98
    if character.isupper():
        return 0.74
    return 0.64 if ord(character) < 0x2E80 else 1.05


def wrap(text: str, width: float, font: str, lines: int) -> list[str]:
    """A label in at most so many lines of at most this width, what is too long cut with "…"; "n = 8" is one word."""
    size, bold = FONTS[font]
    found: list[str] = []
    for word in bind(one_line(text)).split(" "):
        joined = f"{found[-1]} {word}" if found else word
        if found and text_width(joined, size, bold) <= width:
            found[-1] = joined
        else:
            found.append(word)
    if len(found) > lines:
        found = [*found[: lines - 1], " ".join(found[lines - 1 :])]
    return [_fit(line, width, size, bold) for line in found]


def _fit(line: str, width: float, size: float, bold: bool) -> str:
    """The line with as much of its middle left out as is needed."""
    if text_width(line, size, bold) <= width:
        return line
    fits, too_long = 2, len(line)
    while too_long - fits > 1:
        middle = (fits + too_long) // 2
        if text_width(shorten(line, middle), size, bold) <= width:
            fits = middle
        else:
            too_long = middle
    return shorten(line, fits)


class Drawing:
    """One chart. `title` says what is asked, `summary` what the figures answer, for those who cannot see it."""

    def __init__(self, width: float, height: float, title: str, summary: str) -> None:
        self.width, self.height = width, height
        self.boxes: list[Box] = []
        self._avoided: list[Box] = []
        label = f"{one_line(title)}. {one_line(summary)}".strip()
        self._root = ElementTree.Element(
            "svg",
            {"viewBox": f"0 0 {_number(width)} {_number(height)}", "role": "img", "aria-label": label},
        )
        ElementTree.SubElement(self._root, "title").text = one_line(title)

    def line(self, start: Point, end: Point, css: str) -> None:
        (x1, y1), (x2, y2) = start, end
        self._add("line", css, x1=x1, y1=y1, x2=x2, y2=y2)

    def polyline(self, points: Sequence[Point], css: str) -> None:
        self._add("polyline", css, points=_points(points))
        for (x1, y1), (x2, y2) in zip(points, points[1:], strict=False):
            steps = max(2, int(max(abs(x2 - x1), abs(y2 - y1)) / 6))
            for step in range(steps + 1):
                x, y = x1 + (x2 - x1) * step / steps, y1 + (y2 - y1) * step / steps
                self._avoided.append(Box(x - 1.5, y - 1.5, x + 1.5, y + 1.5))

    def polygon(self, points: Sequence[Point], css: str) -> None:
        self._add("polygon", css, points=_points(points))

    def rect(self, left: float, top: float, width: float, height: float, css: str) -> None:
        self._add("rect", css, x=left, y=top, width=max(width, 0.0), height=height)

    def mark(self, at: Point, css: str, shape: int | None, note: str, size: float = 4.2) -> None:
        """The point of a system: its shape tells it apart where colours cannot; `note` is read out and on hover."""
        x, y = at
        if shape is None or shape % 6 == 0:
            mark = self._add("circle", css, cx=x, cy=y, r=size)
        else:
            corners = _SHAPES[shape % 6]
            mark = self._add("polygon", css, points=_points([(x + dx * size, y + dy * size) for dx, dy in corners]))
        ElementTree.SubElement(mark, "title").text = one_line(note)
        self._avoided.append(Box(x - size, y - size, x + size, y + size))

    def beyond(self, at: Point, css: str, right: bool, note: str) -> None:
        """An arrow at the end of an axis: the point lies farther on."""
        x, y = at
        tip = 11.0 if right else -11.0
        arrow = self._add("polygon", css, points=_points([(x, y - 5), (x + tip, y), (x, y + 5)]))
        ElementTree.SubElement(arrow, "title").text = one_line(note)

    def interval(self, start: Point, end: Point, css: str) -> None:
        """The thin bar of an interval."""
        self.line(start, end, f"ci {css}")
        (x1, y1), (x2, y2) = start, end
        self._avoided.append(Box(min(x1, x2) - 1.5, min(y1, y2) - 1.5, max(x1, x2) + 1.5, max(y1, y2) + 1.5))

    def text(self, spot: Spot, text: str, font: str, css: str = "", *, whole: str | None = None) -> Box:
        """A text, wherever it may lie; `whole` is the text it was cut from."""
        box = self._box(spot, text, font)
        self.boxes.append(box)
        element = self._add("text", f"{font} {css}".strip(), x=spot.x, y=spot.y, font_size=FONTS[font][0])
        element.set("text-anchor", spot.anchor)
        element.text = clean(text)
        if whole is not None and one_line(whole) != text:
            ElementTree.SubElement(element, "title").text = one_line(whole)
        return box

    def lines(self, first: Spot, lines: Sequence[str], font: str, whole: str) -> None:
        """A label that `wrap` put into lines, the first of them at `first`; where it was cut, all of it on hover."""
        was_cut = one_line(" ".join(lines)) != one_line(whole)
        for place, line in enumerate(lines):
            spot = Spot(first.x, first.y + LINE * place, first.anchor)
            self.text(spot, line, font, whole=whole if was_cut and place == 0 else None)

    def place(self, text: str, font: str, css: str, spots: Iterable[Spot], room: Box) -> bool:
        """The text at the first spot where it is inside `room` and on nothing else; else not at all."""
        for spot in spots:
            box = self._box(spot, text, font)
            if box.inside(room) and not any(box.meets(other) for other in (*self.boxes, *self._avoided)):
                self.text(spot, text, font, css)
                return True
        return False

    def svg(self, css: str = "") -> str:
        """The element, escaped; `css`: its class."""
        self._root.set("class", css)
        return ElementTree.tostring(self._root, encoding="unicode")

    def _box(self, spot: Spot, text: str, font: str) -> Box:
        size, bold = FONTS[font]
        width = text_width(text, size, bold)
        left = spot.x - {"start": 0.0, "middle": width / 2, "end": width}[spot.anchor]
        return Box(left, spot.y - size * 0.85, left + width, spot.y + size * 0.25)

    def _add(self, tag: str, css: str, **attributes: float | str) -> ElementTree.Element:
        written = {
            name.replace("_", "-"): value if isinstance(value, str) else _number(value)
            for name, value in attributes.items()
        }
        return ElementTree.SubElement(self._root, tag, {"class": css, **written})


_SHAPES: dict[int, tuple[Point, ...]] = {
    1: ((-0.9, -0.9), (0.9, -0.9), (0.9, 0.9), (-0.9, 0.9)),
    2: ((0.0, -1.3), (1.3, 0.0), (0.0, 1.3), (-1.3, 0.0)),
    3: ((0.0, -1.2), (1.2, 0.95), (-1.2, 0.95)),
    4: ((0.0, 1.2), (1.2, -0.95), (-1.2, -0.95)),
    5: ((-1.2, -0.5), (-0.5, -0.5), (-0.5, -1.2), (0.5, -1.2), (0.5, -0.5), (1.2, -0.5), (1.2, 0.5), (0.5, 0.5),
        (0.5, 1.2), (-0.5, 1.2), (-0.5, 0.5), (-1.2, 0.5)),
}  # fmt: skip


def _number(value: float) -> str:
    text = f"{value:.1f}".removesuffix(".0")
    return "0" if text == "-0" else text


def _points(points: Sequence[Point]) -> str:
    return " ".join(f"{_number(x)},{_number(y)}" for x, y in points)
