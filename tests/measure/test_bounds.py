"""Intervals from margins alone: enumerated resamples, drawn resamples, and what the source printed."""

from __future__ import annotations

import json
from fractions import Fraction
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from askance.core.errors import BadInput
from askance.measure.bounds import change_bounds, paired_share_bounds, ratio_interval, share_bounds
from askance.measure.gap import share_of_gap
from askance.measure.intervals import binomial_interval

Kind = tuple[int, int, int]  # before, after, ceiling


def quantiles(ratios: list[Fraction]) -> tuple[float, float]:
    """The smallest ratio that at least 2.5 % (97.5 %) of equally likely resamples do not exceed."""
    ordered = sorted(ratios)
    low, high = (ordered[-(-len(ordered) * tail // 1000) - 1] for tail in (25, 975))
    return float(low), float(high)


def enumerated(queries: list[Kind], *, held: bool) -> tuple[float, float]:
    """The interval over all n^n resamples, in fractions."""
    most = sum(ceiling for _, _, ceiling in queries)
    ratios = []
    for drawn in product(queries, repeat=len(queries)):
        before, after, ceiling = (sum(kind[at] for kind in drawn) for at in range(3))
        gap = (most if held else ceiling) - before
        if gap > 0:
            ratios.append(Fraction(after - before, gap))
    return quantiles(ratios)


def table(n: int, before: int, after: int, ceiling: int, kept: int) -> list[Kind]:
    lost, gained = before - kept, after - kept
    missed = ceiling - kept - lost - gained
    return [
        *[(1, 1, 1)] * kept,
        *[(1, 0, 1)] * lost,
        *[(0, 1, 1)] * gained,
        *[(0, 0, 1)] * missed,
        *[(0, 0, 0)] * (n - ceiling),
    ]


@pytest.mark.parametrize(
    ("n", "before", "after", "ceiling"),
    [(4, 1, 2, 3), (5, 2, 2, 4), (5, 0, 2, 3), (5, 1, 4, 5), (6, 2, 3, 5), (6, 3, 1, 6), (6, 1, 1, 2)],
)
@pytest.mark.parametrize("held", [True, False])
def test_every_table_has_the_interval_of_all_its_resamples(
    n: int, before: int, after: int, ceiling: int, held: bool
) -> None:
    found = share_bounds(n, before, after, ceiling, "held" if held else "resampled")
    kept = range(max(0, before + after - ceiling), min(before, after) + 1)
    expected = [enumerated(table(n, before, after, ceiling, number), held=held) for number in kept]
    np.testing.assert_allclose(found.ends, expected, atol=1e-12)
    assert found.value == pytest.approx((after - before) / (ceiling - before))


def test_large_tables_agree_with_drawn_resamples() -> None:
    found = share_bounds(118, 11, 29, 67, "held")
    kept = 10
    columns = np.array(table(118, 11, 29, 67, kept), dtype=np.float64).T
    drawn = share_of_gap(columns[0], columns[1], columns[2], 7, 200_000, hold="held")
    assert (drawn.low, drawn.high) == pytest.approx(tuple(found.ends[kept]), abs=1 / 56 / 2)
    again = share_bounds(118, 11, 29, 67, "resampled")
    drawn = share_of_gap(columns[0], columns[1], columns[2], 7, 200_000, hold="resampled")
    assert (drawn.low, drawn.high) == pytest.approx(tuple(again.ends[kept]), abs=1 / 56 / 2)


def test_nothing_before_leaves_one_table_and_a_binomial() -> None:
    found = share_bounds(500, 0, 123, 277, "held")
    assert len(found.ends) == 1
    low, high = binomial_interval(123, 500)
    assert tuple(found.ends[0]) == pytest.approx((low * 500 / 277, high * 500 / 277), abs=1e-12)
    assert found.widest().method.endswith("0 of the 0 hits before are hits after; ceiling held")


def test_the_widest_interval_and_what_lies_in_it() -> None:
    found = share_bounds(118, 21, 35, 75, "held")
    assert len(found.ends) == 22
    widest = found.widest()
    assert (widest.low, widest.high) == (found.ends[:, 0].min(), found.ends[:, 1].max())
    assert widest.n == 118
    assert "all 22 joint tables" in widest.method
    low, high = found.ends[3].tolist()
    assert found.holds(low, high, 0.0)
    assert not found.holds(found.lowest[0] - 0.02, found.highest[1], 0.01)
    assert not found.holds(found.lowest[0], found.highest[1] + 0.02, 0.01)
    assert 3 in found.tables_that_give(low, high, 0.0)
    assert found.tables_that_give(-9.0, 9.0, 0.01) == []


def test_a_change_of_a_share_is_a_share_of_all_queries() -> None:
    found = change_bounds(6, 2, 3)
    for number, ends in zip(range(3), found.ends, strict=True):
        ratios = [
            Fraction(sum(after - before for before, after, _ in drawn), 6)
            for drawn in product(table(6, 2, 3, 6, number), repeat=6)
        ]
        assert tuple(ends) == pytest.approx(quantiles(ratios), abs=1e-12)
    assert change_bounds(40, 6, 11).value == 0.125


def test_two_judges_over_one_gap() -> None:
    found = paired_share_bounds(5, 1, 3, 2, 4)
    everything = []
    for kinds in product(range(9), repeat=5):
        queries = [(0, 0, 0, 0) if kind == 8 else (kind & 1, kind >> 1 & 1, kind >> 2 & 1, 1) for kind in kinds]
        margins = tuple(sum(column) for column in zip(*queries, strict=True))
        if margins == (1, 3, 2, 4) and list(kinds) == sorted(kinds):
            ratios = []
            for drawn in product(queries, repeat=5):
                before, first, second, ceiling = (sum(column) for column in zip(*drawn, strict=True))
                if ceiling > before:
                    ratios.append(Fraction(first - second, ceiling - before))
            everything.append(quantiles(ratios))
    lows, highs = zip(*everything, strict=True)
    assert len(everything) == 6
    assert min(lows) - 1e-12 <= found.lowest[0] <= found.lowest[1] <= max(lows) + 1e-12
    assert min(highs) - 1e-12 <= found.highest[0] <= found.highest[1] <= max(highs) + 1e-12
    assert found.lowest[0] < found.lowest[1]
    assert found.value == pytest.approx(1 / 3)


@given(
    st.integers(1, 60).flatmap(
        lambda n: st.tuples(st.just(n), st.integers(1, n)).flatmap(
            lambda pair: st.tuples(
                st.just(pair[0]), st.integers(0, pair[1] - 1), st.integers(0, pair[1]), st.just(pair[1])
            )
        )
    )
)
def test_no_interval_leaves_out_its_share_by_more_than_the_lattice(margins: tuple[int, int, int, int]) -> None:
    n, before, after, ceiling = margins
    found = share_bounds(n, before, after, ceiling, "held")
    assert (found.ends[:, 0] <= found.ends[:, 1]).all()
    slack = 1.0 / (ceiling - before)
    assert (found.ends[:, 0] <= found.value + slack).all()
    assert (found.ends[:, 1] >= found.value - slack).all()


@pytest.mark.parametrize(
    ("margins", "said"),
    [
        ((10, 5, 2, 4), "cannot be"),
        ((10, 2, 5, 4), "cannot be"),
        ((10, 2, 5, 11), "cannot be"),
        ((10, -1, 2, 4), "cannot be"),
        ((0, 0, 0, 0), "cannot be"),
        ((10, 4, 4, 4), "no gap"),
    ],
)
def test_margins_that_cannot_be(margins: tuple[int, int, int, int], said: str) -> None:
    with pytest.raises(BadInput, match=said):
        share_bounds(*margins, "held")


def test_resamples_without_a_gap_are_dropped() -> None:
    with pytest.raises(BadInput, match="lacks a gap"):
        ratio_interval(np.array([[1, -1]]), np.array([3]), 3)


def test_printed_intervals_of_source_000_are_those_of_a_table(shared_data: Path) -> None:
    rows = json.loads((shared_data / "structural_retrieval" / "published.json").read_text(encoding="utf-8"))
    fitting = {}
    for row in rows:
        if row["figure"] == "share_of_gap_closed_pct" and row["low"] is not None:
            told = row["config"]
            found = share_bounds(row["n"], told["before_hits"], row["hits"], told["hit10_hits"], "held")
            one = 1 / told["gap_hits"] + 1e-9
            fitting[row["id"]] = found.tables_that_give(row["low"] / 100, row["high"] / 100, one)
    assert len(fitting) == 24
    assert all(fitting.values())
    # MiniLM's lists are here, and of its 11 hits the control kept 10 (19 gained, 1 lost): see `trajectories`
    assert 10 in fitting["traj/minilm/pooled/lexical_full_mix/share"]
