"""The bill as chart and as tables: one group a domain, nothing on anything else, the same words everywhere."""

from __future__ import annotations

from itertools import combinations
from xml.etree import ElementTree

import pytest

from askance.core.estimate import Estimate
from askance.measure.bill import Bill, BillEntry, Prescription, Verdict
from askance.report.bill_chart import draw_bill
from askance.report.bill_tables import bill_figures_grid, bill_grid, bill_lines
from askance.report.charts.drawing import NARROW, WIDE, Box
from askance.report.grid import as_text


def entry(
    tokens: str,
    value: float | None,
    verdict: Verdict,
    prescription: Prescription,
    *,
    learned: bool = False,
    read: int = 9,
) -> BillEntry:
    estimate = (
        Estimate.undefined("no queries")
        if value is None
        else Estimate(value, max(value - 0.02, 0), min(value + 0.02, 1), 300, "made", {"queries without gold": 3})
    )
    return BillEntry(tokens, f"{tokens}, more …", estimate, read, verdict, prescription, learned)


MATHS = Bill(
    "gsm", "paraphrase", "its paraphrase", "near", "its own near misses", 303,
    (
        entry("numbers", 0.916, "friend", "anchor"),
        entry("content", 0.007, "enemy", "abstract"),
        entry("function", 0.0, "enemy", "abstract"),
        entry("units", 0.5, "undecided", "leave", read=0),
    ),
)  # fmt: skip
TASKS = Bill(
    "tasks <b>" + "x" * 300, "strict", "the same procedure", "other", "other task\x1b[1m " * 30, 118,
    (
        entry("slota", 0.487, "enemy", "abstract", learned=True),
        entry("verbs " * 60, 1.0, "friend", "anchor", learned=True),
        entry("names", None, "undecided", "leave"),
    ),
)  # fmt: skip


@pytest.mark.parametrize("width", [WIDE, NARROW])
def test_one_chart_for_several_domains(width: float) -> None:
    chart = draw_bill([("Word problems", MATHS), ("", TASKS)], width)
    assert chart is not None
    texts = [element.text or "" for element in ElementTree.fromstring(chart.svg()).iter("text")]
    for said in ("0.916", "friend", "0.007", "0.487", "enemy"):
        assert said in texts, said
    drawn = " ".join(texts)
    assert "n\N{NO-BREAK SPACE}=\N{NO-BREAK SPACE}300" in drawn
    assert "units" not in drawn  # too few queries hold one
    assert "undefined" not in drawn
    assert any(text.startswith("Word problems") for text in texts)
    assert "tasks <b>" in drawn
    for one, other in combinations(chart.boxes, 2):
        assert not one.meets(other), (one, other)
    for box in chart.boxes:
        assert box.inside(Box(-1, -1, chart.width + 1, chart.height + 1)), box


def test_no_class_no_chart() -> None:
    assert draw_bill([], WIDE) is None
    assert draw_bill([("x", Bill("x", "t", "t", "d", "d", 0, ()))], WIDE) is None


def test_the_table_and_what_it_comes_to() -> None:
    grid = bill_grid(MATHS, "Word problems")
    assert "Word problems: gold is “its paraphrase”, against “its own near misses”" in grid.caption
    assert "left out: 3 queries without gold" in grid.caption
    assert list(grid.rows[0]) == ["numbers", "0.916", "0.896–0.936", "300", "9", "▲ friend", "anchor"]
    assert list(grid.rows[1])[0::6] == ["content words", "abstract"]
    assert bill_lines(MATHS) == [
        "Anchor on numbers: there gold agrees more with its query than “its own near misses”.",
        "Abstract function words and content words: there gold agrees less with its query than “its own near misses”.",
    ]
    assert bill_lines(TASKS)[-1].startswith("Abstract “slota, more …”: there gold agrees less")
    undecided = Bill("x", "t", "t", "d", "decoys", 1, (entry("names", 0.5, "undecided", "leave"),))
    assert bill_lines(undecided) == ["No class tells gold from “decoys”: nothing to anchor on, nothing to abstract."]


def test_machines_get_fractions() -> None:
    lines = as_text(bill_figures_grid([MATHS]), "csv").splitlines()
    assert lines[0] == "collection,tier,against,words,value,low,high,n,asked,verdict,prescription"
    assert lines[1] == "gsm,paraphrase,near,numbers,0.9160,0.8960,0.9360,300,9,friend,anchor"
    assert "\x1b" not in as_text(bill_figures_grid([TASKS]), "csv") + as_text(bill_grid(TASKS), "markdown")
