"""Rank changes between two runs, against counting by hand and by sets."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from askance.core.errors import DataProblem
from askance.data.ids import Ids
from askance.data.run import Run
from askance.measure.drift.ranks import rank_drift

DOCUMENTS = "abcdefgh"
LIST = st.permutations(DOCUMENTS).flatmap(lambda order: st.integers(0, 8).map(lambda n: "".join(order[:n])))


def run_of(name: str, lists: list[str]) -> Run:
    queries = Ids(f"q{at}" for at in range(len(lists)))
    ranked = {f"q{at}": [(document, -float(rank)) for rank, document in enumerate(row)] for at, row in enumerate(lists)}
    return Run.of(name, queries, Ids(DOCUMENTS), ranked)


def test_a_run_and_itself() -> None:
    run = run_of("a", ["abcd", "hgfe", "b"])
    found = rank_drift(run, run, depths=(1, 3))
    assert [found.overlap[k].value for k in (1, 3)] == [1.0, 1.0]
    assert (found.same_first.value, found.same_order.value) == (1.0, 1.0)
    assert found.rbo.value == pytest.approx(1.0)
    assert (found.moved.value, found.gone.value) == (0.0, 0.0)
    assert found.overlap[3].n == 3


def test_worked_by_hand() -> None:
    first, second = run_of("a", ["abcd", "abc", "h", ""]), run_of("b", ["badc", "def", "", ""])
    found = rank_drift(first, second, depths=(1, 2))
    assert found.overlap[1].n == 2  # the third query is answered by one run only, the fourth by neither
    assert found.overlap[1].left_out == {"queries that only one run answers": 1, "queries that neither run answers": 1}
    assert found.overlap[1].value == 0.0
    assert found.overlap[2].value == pytest.approx((1.0 + 0.0) / 2)
    assert found.moved.value == pytest.approx(1.0)  # a and b of the first query; the second shares nothing
    assert found.moved.left_out["queries whose lists share no document"] == 1
    assert found.gone.value == pytest.approx((0 + 4) / 2)


@settings(deadline=None)
@given(st.lists(st.tuples(LIST, LIST), min_size=1, max_size=5), st.integers(1, 6))
def test_any_lists_against_sets(pairs: list[tuple[str, str]], depth: int) -> None:
    both = [(a, b) for a, b in pairs if a and b]
    first, second = (run_of(name, [pair[side] for pair in pairs]) for side, name in enumerate("ab"))
    if not both:
        with pytest.raises(DataProblem, match="no query in common"):
            rank_drift(first, second, depths=(depth,))
        return
    found = rank_drift(first, second, depths=(depth,))

    def mean(values: list[float]) -> float:
        return sum(values) / len(values)

    tops = [(a[:depth], b[:depth], a, b) for a, b in both]
    overlap = mean([len(set(a) & set(b)) / max(len(a), len(b)) for a, b, _, _ in tops])
    assert found.overlap[depth].value == pytest.approx(overlap)
    gone = mean(
        [float(sum(d not in whole_b for d in a) + sum(d not in whole_a for d in b)) for a, b, whole_a, whole_b in tops]
    )
    assert found.gone.value == pytest.approx(gone)
    moves = [
        mean([float(abs(whole_a.index(d) - whole_b.index(d))) for d in near])
        for a, b, whole_a, whole_b in tops
        if (near := set(a + b) & set(whole_a) & set(whole_b))
    ]
    if moves:
        assert found.moved.value == pytest.approx(mean(moves))
    assert found.same_order.value == pytest.approx(mean([float(a == b) for a, b, _, _ in tops]))
    turned = rank_drift(second, first, depths=(depth,))
    assert turned.overlap[depth].value == pytest.approx(found.overlap[depth].value)
    assert turned.rbo.value == pytest.approx(found.rbo.value)


def test_runs_without_a_common_query_show_what_they_answer() -> None:
    with pytest.raises(DataProblem, match="one answers q0, two q1"):
        rank_drift(run_of("one", ["a", ""]), run_of("two", ["", "a"]))
    other = Run.of("b", Ids(["q0"]), Ids("ba"), {"q0": [("a", 1.0)]})
    with pytest.raises(DataProblem, match="other queries or documents"):
        rank_drift(run_of("a", ["a"]), other)
