"""Share of the recoverable gap."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from askance.core.errors import BadInput
from askance.core.estimate import Estimate
from askance.measure.gap import NO_GAP, Ceiling, share_of_gap, sign
from askance.measure.judged import Values

Columns = tuple[Values, Values, Values]


def columns(kept: int, lost: int, gained: int, open_: int, out: int) -> Columns:
    """Queries right before and after, only before, only after, in reach but never right, out of reach."""
    before = np.repeat([1.0, 1, 0, 0, 0], [kept, lost, gained, open_, out])
    after = np.repeat([1.0, 0, 1, 0, 0], [kept, lost, gained, open_, out])
    ceiling = np.repeat([1.0, 1, 1, 1, 0], [kept, lost, gained, open_, out])
    return before, after, ceiling


# MiniLM on the trajectories, strict: 11 of 118 before, 67 in the first ten, 19 gained and 1 lost
PUBLISHED = columns(10, 1, 19, 37, 51)


def test_the_published_share_and_interval() -> None:
    found = share_of_gap(*PUBLISHED, seed=12345, hold="held")
    assert found.value == pytest.approx(18 / 56)
    assert found.low == pytest.approx(0.185, abs=1 / 56)
    assert found.high == pytest.approx(0.471, abs=1 / 56)
    assert found.n == 118
    assert sign(found, 11 / 118, 67 / 118) == "positive"


@pytest.mark.parametrize("hold", ["held", "resampled"])
def test_drawn_by_kinds_is_drawn_by_queries(hold: Ceiling) -> None:
    before, after, ceiling = PUBLISHED
    drawn = np.random.default_rng(8).integers(0, 118, size=(20_000, 118))
    base, won, most = (column[drawn].mean(axis=1) for column in PUBLISHED)
    top = ceiling.mean() if hold == "held" else most
    low, high = np.quantile((won - base) / (top - base), (0.025, 0.975))
    found = share_of_gap(before, after, ceiling, seed=3, resamples=20_000, hold=hold)
    assert found.low == pytest.approx(low, abs=0.012)
    assert found.high == pytest.approx(high, abs=0.012)


def test_the_two_definitions_say_which_they_are_and_differ() -> None:
    held = share_of_gap(*PUBLISHED, seed=1, hold="held")
    resampled = share_of_gap(*PUBLISHED, seed=1, hold="resampled")
    assert held.value == resampled.value
    assert "ceiling held" in held.method
    assert "ceiling resampled" in resampled.method
    assert (held.low, held.high) != (resampled.low, resampled.high)


def test_resamples_without_a_gap_are_dropped_and_counted() -> None:
    found = share_of_gap(*columns(1, 1, 1, 1, 2), seed=1, hold="resampled")
    # no gap: none of the two queries in reach was drawn, (4/6)^6 of the resamples
    assert found.left_out[NO_GAP] == pytest.approx(10_000 * (4 / 6) ** 6, abs=4 * (10_000 * 0.088 * 0.912) ** 0.5)
    assert found.low is not None
    assert found.high is not None
    assert np.isfinite([found.low, found.high]).all()


def test_what_was_left_out_before_stays_counted() -> None:
    found = share_of_gap(*PUBLISHED, seed=1, hold="held", left_out={"queries without gold": 4})
    assert dict(found.left_out) == {"queries without gold": 4}


@pytest.mark.parametrize("hold", ["held", "resampled"])
def test_without_a_gap_it_is_undefined(hold: Ceiling) -> None:
    found = share_of_gap(*columns(5, 1, 0, 0, 3), seed=1, hold=hold)
    assert not found.defined
    assert "no gap" in found.method
    assert found.n == 9
    assert sign(found, 6 / 9, 6 / 9) == "no room"
    empty = share_of_gap(np.zeros(0), np.zeros(0), np.zeros(0), seed=1, hold=hold)
    assert empty.method == "undefined: no queries"


def test_a_reranker_that_changes_nothing_is_not_certain_to_change_nothing() -> None:
    found = share_of_gap(*columns(20, 0, 0, 30, 50), seed=1, hold="held")
    assert found.value == 0.0
    assert found.low is not None
    assert found.high is not None
    assert found.low < 0 < found.high
    assert sign(found, 0.2, 0.5) == "undecided"


def test_two_queries_cannot_make_a_sign() -> None:
    found = share_of_gap(*columns(1, 0, 1, 0, 0), seed=1, hold="held")
    assert found.value == 1.0
    assert sign(found, 0.5, 1.0) == "undecided"


def test_an_oracle_closes_the_gap() -> None:
    found = share_of_gap(*columns(11, 0, 56, 0, 51), seed=1, hold="resampled")
    assert (found.value, found.high) == (1.0, 1.0)
    assert sign(found, 11 / 118, 67 / 118) == "positive"


@given(st.lists(st.integers(0, 12), min_size=5, max_size=5), st.randoms(use_true_random=False))
def test_the_order_of_queries_changes_nothing(counts: list[int], chance: object) -> None:
    given_columns = columns(*counts)
    order = np.random.default_rng(getattr(chance, "randrange")(2**32)).permutation(sum(counts))  # noqa: B009
    before, after, ceiling = (column[order] for column in given_columns)
    found = share_of_gap(*given_columns, seed=1, resamples=200, hold="resampled")
    assert share_of_gap(before, after, ceiling, seed=1, resamples=200, hold="resampled") == found
    if found.value is not None:
        assert found.low is not None
        assert found.high is not None
        assert found.low <= found.high <= 1.0


@pytest.mark.parametrize(
    ("low", "high", "before", "ceiling", "expected"),
    [
        (0.1, 0.4, 0.2, 0.5, "positive"),
        (-0.4, -0.1, 0.2, 0.5, "negative"),
        (-0.1, 0.1, 0.2, 0.5, "undecided"),
        (0.0, 0.2, 0.2, 0.5, "undecided"),
        (0.1, 0.4, 0.0, 0.5, "no room"),
        (0.1, 0.4, 0.5, 0.5, "no room"),
        (None, None, 0.2, 0.5, "no room"),
        (0.1, 0.4, None, None, "no room"),
    ],
)
def test_signs(
    low: float | None, high: float | None, before: float | None, ceiling: float | None, expected: str
) -> None:
    assert sign(Estimate(0.1, low, high, 9, "by hand"), before, ceiling) == expected


def test_columns_of_other_lengths_are_refused() -> None:
    with pytest.raises(BadInput, match="2 queries before, 1 after"):
        share_of_gap(np.zeros(2), np.zeros(1), np.zeros(2), seed=1, hold="held")


def test_labels_permuted_within_queries_are_undecided() -> None:
    """A control that reorders without looking at labels: in 2,000 draws of the labels it has no sign in 93 %."""
    rng = np.random.default_rng(20)
    queries, documents, first = 118, 336, 10
    gold = rng.integers(29, 70, queries)
    # the control moves one of the first ten to rank 1, and leaves it where it is in a tenth of the queries
    moved = rng.integers(0, first, queries)
    signs = []
    for _ in range(2_000):
        relevant = rng.random((queries, documents)).argsort(axis=1)[:, :first] < gold[:, None]
        before = relevant[:, 0].astype(float)
        after = relevant[np.arange(queries), moved].astype(float)
        ceiling = relevant.any(axis=1).astype(float)
        share = share_of_gap(before, after, ceiling, seed=1, resamples=1_000, hold="held")
        signs.append(sign(share, float(before.mean()), float(ceiling.mean())))
    assert signs.count("undecided") >= 0.93 * len(signs)
    assert signs.count("positive") > 0
    assert signs.count("negative") > 0
