from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from askance.report import numbers
from askance.study.results import EstimateIn


def estimate(value: float | None, low: float | None = None, high: float | None = None, method: str = "m") -> EstimateIn:
    return EstimateIn(value=value, low=low, high=high, n=9, method=method)


@pytest.mark.parametrize(
    ("value", "signed", "written"),
    [
        (0.0932, False, "9.3"),
        (0.0, False, "0.0"),
        (-0.0, True, "0.0"),
        (1.0, False, "100.0"),
        (0.321, True, "+32.1"),
        (-0.1851, True, "−18.5"),
        (-34.714, True, "−3,471.4"),
        (0.00048, False, "<0.1"),
        (-0.0002, True, "0.0"),
        (0.0005, False, "0.1"),
        (None, False, "–"),
        (math.nan, False, "–"),
        (math.inf, True, "–"),
    ],
)
def test_percent(value: float | None, signed: bool, written: str) -> None:
    assert numbers.percent(value, signed=signed) == written


@pytest.mark.parametrize(
    ("p", "written"),
    [
        (0.0785, "p = .08"),
        (0.0496, "p = .0496"),
        (0.0499999, "p ≈ .05"),
        (0.0504, "p = .05"),
        (0.013, "p = .01"),
        (0.0042, "p = .004"),
        (0.0009, "p < .001"),
        (0.0, "p < .001"),
        (0.42, "p = .42"),
        (1.0, "p = 1"),
        (0.9999, "p = 1"),
        (None, "p –"),
        (math.nan, "p –"),
    ],
)
def test_p_values(p: float | None, written: str) -> None:
    assert numbers.p_value(p) == written


@given(st.floats(0, 1))
def test_a_p_value_is_never_written_on_the_other_side_of_the_level(p: float) -> None:
    written = numbers.p_value(p)
    if "=" in written:
        assert (float(written.removeprefix("p = ")) < 0.05) == (p < 0.05)


@pytest.mark.parametrize(
    ("low", "high", "written"),
    [
        (0.042, 0.152, "4.2–15.2"),
        (-0.031, 0.124, "−3.1 to 12.4"),
        (-0.3, -0.1, "−30.0 to −10.0"),
        (None, 0.1, ""),
        (0.1, math.nan, ""),
    ],
)
def test_intervals(low: float | None, high: float | None, written: str) -> None:
    assert numbers.percent_interval(estimate(0.1, low, high)) == written


def test_estimates_in_sentences() -> None:
    assert numbers.percent_with_interval(estimate(0.093, 0.042, 0.152)) == "9.3 % (4.2–15.2)"
    assert numbers.percent_with_interval(estimate(0.093)) == "9.3 %"
    assert numbers.probability_with_interval(estimate(0.792, 0.768, 0.815)) == "0.792 (0.768–0.815)"
    missing = estimate(None, method="undefined: no query has gold")
    assert numbers.percent_with_interval(missing) == "undefined (no query has gold)"
    assert numbers.reason(estimate(None, method="undefined:")) == "no reason given"


@pytest.mark.parametrize(
    ("number", "written"),
    [(1, "1st"), (2, "2nd"), (3, "3rd"), (7, "7th"), (11, "11th"), (112, "112th"), (1021, "1,021st")],
)
def test_ordinals(number: int, written: str) -> None:
    assert numbers.ordinal(number) == written


def test_lists_counts_and_spans() -> None:
    assert [numbers.listed(list("abc"[:n])) for n in range(4)] == ["", "a", "a and b", "a, b and c"]
    assert numbers.counted(1, "query", "queries") == "1 query"
    assert numbers.counted(2100, "query", "queries") == "2,100 queries"
    assert numbers.span_of_n([118, 118]) == "n = 118"
    assert numbers.span_of_n([118, 96]) == "n = 96 to 118"
    assert numbers.span_of_n([]) == "nothing measured"
    assert (numbers.in_words(10), numbers.in_words(11)) == ("ten", "11")
