"""Two groups of queries: differences, Fisher's exact test, all cells under Holm's correction."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import comb

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import fisher_exact

from askance.core.errors import BadInput
from askance.measure.contamination import TwoGroups, contamination, difference, fisher

# well-known competitions against the rest, hard tier, of source 000
CELLS = [
    TwoGroups(24, 57, 99, 443),
    TwoGroups(9, 57, 34, 443),
    TwoGroups(4, 57, 25, 443),
    TwoGroups(5, 57, 14, 443),
    TwoGroups(4, 57, 11, 443),
    TwoGroups(2, 57, 5, 443),
]


def by_definition(groups: TwoGroups) -> float:
    """Every table with these margins that is no likelier, in fractions."""
    n, hits = groups.n + groups.rest_n, groups.hits + groups.rest_hits
    ways = {
        at: comb(groups.n, at) * comb(groups.rest_n, hits - at)
        for at in range(max(0, hits - groups.rest_n), min(hits, groups.n) + 1)
    }
    return float(Fraction(sum(way for way in ways.values() if way <= ways[groups.hits]), comb(n, hits)))


@given(st.integers(1, 25), st.integers(1, 25), st.data())
def test_fisher_is_the_sum_over_tables_no_likelier(n: int, rest: int, data: st.DataObject) -> None:
    groups = TwoGroups(data.draw(st.integers(0, n)), n, data.draw(st.integers(0, rest)), rest)
    assert fisher(groups) == pytest.approx(by_definition(groups), rel=1e-10)
    table = [[groups.hits, n - groups.hits], [groups.rest_hits, rest - groups.rest_hits]]
    assert fisher(groups) == pytest.approx(float(fisher_exact(np.array(table)).pvalue), rel=1e-7)


def test_fisher_of_the_tea_tasting_lady() -> None:
    assert fisher(TwoGroups(3, 4, 1, 4)) == pytest.approx(34 / 70)
    assert fisher(TwoGroups(4, 4, 0, 4)) == pytest.approx(2 / 70)


def test_the_difference_has_the_interval_of_all_pairs_of_resamples() -> None:
    first, rest = [1, 1, 0], [1, 0, 0, 0]
    values = sorted(
        Fraction(sum(one), 3) - Fraction(sum(other), 4)
        for one in product(first, repeat=3)
        for other in product(rest, repeat=4)
    )
    found = difference(TwoGroups(2, 3, 1, 4))
    low, high = (values[-(-len(values) * tail // 1000) - 1] for tail in (25, 975))
    assert found.value == pytest.approx(2 / 3 - 1 / 4)
    assert (found.low, found.high) == pytest.approx((float(low), float(high)), abs=1e-9)
    assert found.n == 7


def test_groups_that_do_not_vary_have_an_interval_all_the_same() -> None:
    found = difference(TwoGroups(0, 57, 0, 443))
    assert found.value == 0.0
    assert found.low == pytest.approx(-(1 - 0.025 ** (1 / 443)))
    assert found.high == pytest.approx(1 - 0.025 ** (1 / 57))
    assert found.method.startswith("Clopper-Pearson")
    assert difference(TwoGroups(57, 57, 0, 443)).high == 1.0


def test_one_of_the_six_published_cells_is_established() -> None:
    found = contamination(CELLS)
    p = [cell.p for cell in found]
    assert p == pytest.approx([0.00183, 0.07328, 0.55986, 0.05352, 0.07946, 0.18456], abs=6e-6)
    corrected = [cell.corrected for cell in found]
    assert corrected == pytest.approx([0.01100, 0.29312, 0.55986, 0.26762, 0.29312, 0.36912], abs=6e-6)
    assert [cell.established for cell in found] == [True, False, False, False, False, False]
    assert found[0].gap.value == pytest.approx(0.19757633361055003, abs=1e-12)
    # what another program gives for the difference of two binomials, in points
    exact = [(6.52, 33.22), (-1.11, 18.42), (-4.97, 8.89), (-1.18, 13.76), (-1.41, 12.00), (-1.58, 7.87)]
    ends = [(100 * (cell.gap.low or 0), 100 * (cell.gap.high or 0)) for cell in found]
    np.testing.assert_allclose(ends, exact, atol=0.0051)


def test_the_test_holds_its_level_where_nothing_differs() -> None:
    rng = np.random.default_rng(5)
    drawn = rng.binomial((57, 443), 0.1, size=(600, 2)).tolist()
    rejected = sum(fisher(TwoGroups(hits, 57, rest, 443)) <= 0.05 for hits, rest in drawn)
    assert rejected / 600 <= 0.05 + 0.018  # two standard errors


@pytest.mark.parametrize("counts", [(-1, 3, 1, 4), (4, 3, 1, 4), (1, 3, 5, 4), (0, 0, 1, 4), (1, 3, 0, 0)])
def test_counts_that_are_no_shares(counts: tuple[int, int, int, int]) -> None:
    with pytest.raises(BadInput, match="are no share"):
        TwoGroups(*counts)
