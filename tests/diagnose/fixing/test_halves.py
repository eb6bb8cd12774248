"""Halves of the queries."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from askance.core.errors import DataProblem
from askance.diagnose.fixing.halves import LEAST, split
from askance.measure.compare.clusters import Groups


@given(st.lists(st.integers(0, 30), min_size=60, max_size=120), st.integers(0, 9))
def test_groups_stay_whole_and_every_query_is_in_one_half(groups: list[int], seed: int) -> None:
    names = [f"g{group}" for group in groups]
    mask = np.arange(len(names)) % 7 != 0
    there = {name for name, counted in zip(names, mask, strict=True) if counted}
    if len(there) < 2 * LEAST:
        return
    found = split(mask, Groups.of(names, len(names)), seed)
    assert not (found.first & found.second).any()
    assert ((found.first | found.second) == mask).all()
    in_each = [{name for name, at in zip(names, half, strict=True) if at} for half in found.each]
    assert not in_each[0] & in_each[1]
    largest = max(names.count(name) for name in there)
    assert abs(int(found.first.sum()) - int(found.second.sum())) <= largest


def test_the_seed_decides() -> None:
    mask, groups = np.ones(40, dtype=np.bool_), Groups.of([None] * 40, 40)
    assert (split(mask, groups, 1).first == split(mask, groups, 1).first).all()
    assert (split(mask, groups, 1).first != split(mask, groups, 2).first).any()


def test_too_few_queries_are_refused() -> None:
    groups = Groups.of([f"g{at % 5}" for at in range(100)], 100)
    with pytest.raises(DataProblem, match="5 independent judged queries are too few"):
        split(np.ones(100, dtype=np.bool_), groups, 0)
