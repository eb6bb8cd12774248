"""Pages as a real browser lays them out: nothing overflows, overlaps or is too faint to read."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from tests.report.test_bill_page import billed  # noqa: F401  (a fixture)

from askance.report.page import render
from askance.study.results import Results

WIDTHS = (360, 390, 768, 1024, 1400)
Measure = Callable[..., list[dict[str, Any]]]


@pytest.mark.parametrize("dark", [False, True])
def test_the_page_fits_and_reads_at_every_width(drawn: Results, measured: Measure, dark: bool) -> None:
    found = measured([render(drawn)], WIDTHS, dark=dark)
    assert [frame["width"] for frame in found] == list(WIDTHS)
    for frame in found:
        assert frame["content"] <= frame["width"], frame
        assert frame["overlaps"] == [], frame
        assert frame["outside"] == [], frame
        assert frame["charts"] == 12, frame
        assert frame["texts"] > 500, frame
        assert frame["least"] >= 4.5, frame
        assert frame["dark"] is dark, frame


@pytest.mark.parametrize("dark", [False, True])
def test_the_bill_fits_and_reads_at_every_width(
    billed: Results,  # noqa: F811
    measured: Measure,
    dark: bool,
) -> None:
    for frame in measured([render(billed)], WIDTHS, dark=dark):
        assert frame["content"] <= frame["width"], frame
        assert frame["overlaps"] == [], frame
        assert frame["outside"] == [], frame
        assert frame["least"] >= 4.5, frame


def test_bad_cases_fit_too(bad_cases: dict[str, Results], measured: Measure) -> None:
    names = list(bad_cases)
    found = measured([render(bad_cases[name]) for name in names], (360, 1400))
    assert len(found) == 2 * len(names)
    for frame in found:
        name = names[frame["page"]]
        assert frame["content"] <= frame["width"], (name, frame)
        assert frame["scripts"] == 0, (name, frame)
        assert frame["overlaps"] == [], (name, frame)
        assert frame["least"] >= 4.5, (name, frame)


def test_what_is_printed_fits_on_a4(drawn: Results, measured: Measure) -> None:
    printed = render(drawn).replace("@media print", "@media all")
    [frame] = measured([printed], (688,))  # A4 less its margins, at 96 dots an inch
    assert frame["content"] <= frame["width"]
    assert frame["overlaps"] == []
    assert frame["least"] >= 4.5
