"""The waterfall as a chart: long names of roles take a second line, and none is cut."""

from __future__ import annotations

from itertools import combinations
from xml.etree import ElementTree

import pytest

from askance.core.estimate import Estimate
from askance.diagnose.causes import OUTRANKED, WON
from askance.diagnose.waterfall import Step, Waterfall
from askance.report.charts.drawing import NARROW, WIDE, Box
from askance.report.charts.waterfall import draw_waterfall

LONG = "near miss that keeps the answer"


def step(cause: str, label: str, queries: int) -> Step:
    share = queries / 300
    return Step(cause, label, queries, Estimate(share, max(share - 0.05, 0), share + 0.05, 300, "made"))


@pytest.mark.parametrize("width", [WIDE, NARROW])
def test_long_roles_are_whole_and_nothing_lies_on_anything(width: float) -> None:
    steps = [
        step(WON, "won", 11),
        step(f"{OUTRANKED} by a", LONG, 200),
        step(f"{OUTRANKED} by b", "same task, same object", 80),
        step(f"{OUTRANKED} by c", "near miss that keeps the answer and every word but one", 9),
    ]
    drawing = draw_waterfall(Waterfall("x", "X", 300, steps, []), "s0", width)
    texts = [element.text or "" for element in ElementTree.fromstring(drawing.svg()).iter("text")]
    assert not any("…" in text for text in texts)
    assert LONG in " ".join(texts)
    assert "every word but one" in " ".join(texts)
    assert "same task, same object" in " ".join(texts)
    for one, other in combinations(drawing.boxes, 2):
        assert not one.meets(other), (one, other)
    for box in drawing.boxes:
        assert box.inside(Box(-1, -1, drawing.width + 1, drawing.height + 1)), box
