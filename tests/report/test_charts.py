"""Charts: well-formed, nothing on anything else, and the figures are where they should be."""

from __future__ import annotations

import math
from collections.abc import Callable
from itertools import combinations
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from askance.report.charts.axes import highest_of, nice_ticks
from askance.report.charts.curves import draw_curves
from askance.report.charts.drawing import FONTS, NARROW, WIDE, Box, Drawing, Spot, text_width, wrap
from askance.report.charts.gap import draw_gap
from askance.report.charts.ladder import draw_ladder
from askance.report.charts.preference import draw_preferences, draw_token_classes
from askance.report.charts.winners import draw_winners
from askance.report.domain_view import DomainView
from askance.report.palette import HUES, Palette
from askance.study.results import Results

Draw = Callable[[list[DomainView], Palette, float], Drawing | None]
CHARTS: dict[str, Draw] = {
    "ladder": lambda views, palette, width: draw_ladder(views[0], palette, width),
    "curves": lambda views, palette, width: draw_curves(views[0], palette, width),
    "curves of another domain": lambda views, palette, width: draw_curves(views[1], palette, width),
    "curves of three systems": lambda views, palette, width: draw_curves(views[2], palette, width),
    "winners": lambda views, palette, width: draw_winners(views[0], palette, width),
    "gap": lambda views, palette, width: draw_gap(views, palette, width),
    "preferences": lambda views, _, width: draw_preferences(views, width),
    "classes": lambda views, _, width: draw_token_classes(views[0], width),
}


def drawn_chart(results: Results, name: str, width: float) -> Drawing:
    views = [DomainView(domain) for domain in results.domains]
    chart = CHARTS[name](views, Palette.of(views), width)
    assert chart is not None
    return chart


def texts(chart: Drawing) -> list[str]:
    return [element.text or "" for element in ElementTree.fromstring(chart.svg()).iter("text")]


@pytest.mark.parametrize("width", [WIDE, NARROW])
@pytest.mark.parametrize("name", CHARTS)
def test_no_label_lies_on_another_or_leaves_the_chart(drawn: Results, name: str, width: float) -> None:
    chart = drawn_chart(drawn, name, width)
    assert len(chart.boxes) > 5
    for one, other in combinations(chart.boxes, 2):
        assert not one.meets(other), (one, other)
    for box in chart.boxes:
        assert box.inside(Box(-1, -1, chart.width + 1, chart.height + 1)), box


@pytest.mark.parametrize("name", CHARTS)
def test_charts_are_xml_and_say_what_they_show(drawn: Results, name: str) -> None:
    root = ElementTree.fromstring(drawn_chart(drawn, name, WIDE).svg("wide"))
    assert root.get("role") == "img"
    assert root.get("class") == "wide"
    assert len(root.get("aria-label") or "") > 60
    title = root.find("title")
    assert title is not None
    assert title.text
    for element in root.iter():
        for value in (element.get(name) for name in ("x", "y", "x1", "y1", "x2", "y2", "cx", "cy", "width", "height")):
            assert value is None or math.isfinite(float(value))


def test_the_ladder_has_a_line_intervals_and_values_per_system_and_chance_per_tier(drawn: Results) -> None:
    root = ElementTree.fromstring(drawn_chart(drawn, "ladder", WIDE).svg())
    kinds = [element.get("class") for element in root.iter()]
    assert kinds.count("ci chance") == 3
    for css in ("s0", "s1"):
        assert kinds.count(f"line {css}") == 1
        assert kinds.count(f"ci {css}") == 3
        assert kinds.count(f"dot {css}") == 3
    shown = texts(drawn_chart(drawn, "ladder", WIDE))
    assert {"50.0", "48.3", "9.3", "11.0", "6.8 MiniLM", "7.6 BM25", "chance", "any object"} <= set(shown)


def test_heights_are_in_proportion(drawn: Results) -> None:
    """A point of the ladder stands at its share of the axis, which runs to 75 % here."""
    root = ElementTree.fromstring(drawn_chart(drawn, "ladder", WIDE).svg())
    ticks = {e.text: float(e.get("y", "nan")) - 4 for e in root.iter("text") if e.get("text-anchor") == "end"}
    nought, top = ticks["0"], ticks["75"]
    marks = [e for e in root.iter("polygon") if e.get("class") == "dot s1"]
    first = [tuple(map(float, point.split(","))) for point in (marks[0].get("points") or "").split()]
    middle = (min(y for _, y in first) + max(y for _, y in first)) / 2
    assert middle == pytest.approx(nought + (top - nought) * 0.5 / 0.75, abs=0.2)


def test_curves_have_a_chance_line_and_bands(drawn: Results) -> None:
    kinds = [e.get("class") for e in ElementTree.fromstring(drawn_chart(drawn, "curves", WIDE).svg()).iter()]
    assert kinds.count("chanceline") == 1
    assert kinds.count("band s0") == kinds.count("band s1") == 1


def test_no_room_and_undecided_are_hollow(drawn: Results) -> None:
    root = ElementTree.fromstring(drawn_chart(drawn, "gap", WIDE).svg())
    hollow = [element for element in root.iter() if (element.get("class") or "").endswith("hollow")]
    assert len(hollow) == 4
    assert texts(drawn_chart(drawn, "gap", WIDE)).count("no room") == 3


def test_points_beyond_the_axis_are_arrows(drawn: Results) -> None:
    tree = drawn.model_dump(by_alias=True)
    share = {"value": -34.7, "low": -117.0, "high": -18.0}
    control = tree["domains"][0]["controls"][0]
    control.update(share_held={**control["share_held"], **share}, sign="negative")
    chart = drawn_chart(Results.model_validate(tree), "gap", WIDE)
    assert "−3,470.0" in texts(chart)
    ticks = [text for text in texts(chart) if text.endswith(" %")]
    assert ticks[0] == "−100 %"


def test_systems_beyond_the_hues_are_grey_and_unnamed(drawn: Results) -> None:
    tree = drawn.model_dump(by_alias=True)
    [first, *_] = tree["domains"]
    for copy in range(10):
        first["curves"].append({**first["curves"][0], "system": f"further-{copy}"})
    chart = drawn_chart(Results.model_validate(tree), "curves", WIDE)
    kinds = [element.get("class") for element in ElementTree.fromstring(chart.svg()).iter("polyline")]
    assert len([kind for kind in kinds if kind == "line other"]) == 12 - HUES + 1 - 1
    assert not any("further-9" in text for text in texts(chart))


def test_nothing_to_draw_is_no_chart(drawn: Results) -> None:
    tree = drawn.model_dump(by_alias=True)
    for domain in tree["domains"]:
        for field in ("figures", "curves", "controls", "taxonomies", "preferences"):
            domain[field] = []
    views = [DomainView(domain) for domain in Results.model_validate(tree).domains]
    assert [draw(views, Palette.of(views), WIDE) for draw in CHARTS.values()] == [None] * len(CHARTS)


def test_a_label_finds_a_free_place_or_none() -> None:
    drawing = Drawing(100, 100, "t", "s")
    drawing.text(Spot(10, 50), "taken", "val")
    room = Box(0, 0, 100, 100)
    assert not drawing.place("new", "val", "", [Spot(10, 50), Spot(95, 50)], room)
    assert drawing.place("new", "val", "", [Spot(10, 50), Spot(10, 80)], room)
    assert [box.meets(other) for box, other in combinations(drawing.boxes, 2)] == [False]


@given(st.text(max_size=120), st.floats(30, 300), st.integers(1, 4))
def test_wrapped_labels_fit(text: str, width: float, lines: int) -> None:
    found = wrap(text, width, "row", lines)
    size, bold = FONTS["row"]
    assert 1 <= len(found) <= lines
    assert all(text_width(line, size, bold) <= width or len(line) <= 2 for line in found)


@given(st.floats(-10, 9), st.floats(0.01, 10), st.integers(3, 8))
def test_ticks_span_the_axis(low: float, span: float, most: int) -> None:
    ticks = nice_ticks(low, low + span, most)
    assert ticks == sorted(set(ticks))
    assert ticks[0] <= low + 1e-9
    assert ticks[-1] >= low + span - 1e-9
    assert len(ticks) <= most + 2


@pytest.mark.parametrize(
    ("top", "highest"), [(0.0, 0.1), (0.24, 0.25), (0.3, 0.5), (0.57, 0.75), (0.8, 1.0), (1.0, 1.0)]
)
def test_axes_end_at_round_values(top: float, highest: float) -> None:
    assert highest_of([None, top, math.nan]) == highest
    assert highest_of([]) == 1.0
