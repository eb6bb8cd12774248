"""Measures as values: they parse, print and compare."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from askance.core.errors import BadInput, UnknownName
from askance.measure.measures import ALIASES, METRICS, Measure

CUTOFF_FREE = [name for name in METRICS if METRICS.get(name).cutoff != "required"]
CUTOFF_TAKING = [name for name in METRICS if METRICS.get(name).cutoff != "never"]


@pytest.mark.parametrize(
    ("text", "printed"),
    [
        ("Hit@1", "Hit@1"),
        ("Success@5", "Hit@5"),
        ("P@10", "P@10"),
        ("Recall@100", "Recall@100"),
        ("R@2", "Recall@2"),
        ("RR", "RR"),
        ("MRR@10", "RR@10"),
        ("AP", "AP"),
        ("MAP", "AP"),
        ("nDCG@10", "nDCG@10"),
        ("ndcg@10", "nDCG@10"),
        (" hit@1 ", "Hit@1"),
    ],
)
def test_names_after_ir_measures(text: str, printed: str) -> None:
    assert str(Measure.parse(text)) == printed


@given(st.sampled_from([*CUTOFF_TAKING, *ALIASES]), st.integers(1, 10**9 - 1))
def test_what_is_printed_parses_to_the_same(name: str, k: int) -> None:
    measure = Measure.parse(f"{name}@{k}")
    assert Measure.parse(str(measure)) == measure
    assert hash(Measure.parse(str(measure))) == hash(measure)
    assert measure.k == k


@pytest.mark.parametrize("name", CUTOFF_FREE)
def test_the_whole_list_needs_no_cutoff(name: str) -> None:
    assert Measure.parse(name) == Measure(name)
    assert str(Measure(name)) == name


@pytest.mark.parametrize(("text", "near"), [("Hits@1", "Hit"), ("nDGC@10", "nDCG"), ("Recal@5", "Recall")])
def test_a_wrong_name_is_told_the_nearest(text: str, near: str) -> None:
    with pytest.raises(UnknownName, match=f"Did you mean '{near}'"):
        Measure.parse(text)


@pytest.mark.parametrize("text", ["Hit", "P", "Recall"])
def test_a_missing_cutoff_is_said(text: str) -> None:
    with pytest.raises(BadInput, match="has no cut-off"):
        Measure.parse(text)


@pytest.mark.parametrize("text", ["Hit@0", "Hit@-1", "Hit@1.5", "Hit@", "Hit@ten", "Hit@٣", "Hit@1@2"])
def test_a_wrong_cutoff_is_said(text: str) -> None:
    with pytest.raises(BadInput, match="has the cut-off"):
        Measure.parse(text)


@pytest.mark.parametrize("text", ["", "@10", "Hit 10", "Hit@\n"])
def test_what_is_no_measure_is_refused(text: str) -> None:
    with pytest.raises(BadInput):
        Measure.parse(text)


def test_a_measure_made_by_hand_is_checked_as_well() -> None:
    with pytest.raises(UnknownName):
        Measure("Hits", 1)
    with pytest.raises(BadInput, match="below 1"):
        Measure("Hit", 0)
    with pytest.raises(BadInput, match="has no cut-off"):
        Measure("Hit")


@pytest.mark.parametrize(
    ("text", "binary"),
    [
        ("Hit@10", True),
        ("P@1", True),
        ("RR@1", True),
        ("P@2", False),
        ("RR", False),
        ("Recall@1", False),
        ("AP", False),
    ],
)
def test_which_measures_say_yes_or_no(text: str, binary: bool) -> None:
    assert Measure.parse(text).binary is binary


def test_every_metric_declares_itself_under_its_own_name() -> None:
    for name in METRICS:
        metric = METRICS.get(name)
        assert metric.name == name
        assert metric.says
    assert set(ALIASES.values()) <= set(METRICS)
