"""Measures as values: they parse, print and compare."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from askance.core.errors import BadInput, DataProblem, UnknownName
from askance.measure.judged import Judged
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
        ("Rcap@100", "CappedRecall@100"),
        ("RR", "RR"),
        ("MRR@10", "RR@10"),
        ("AP", "AP"),
        ("MAP", "AP"),
        ("nDCG@10", "nDCG@10"),
        ("ndcg@10", "nDCG@10"),
        (" hit@1 ", "Hit@1"),
        ("rprec", "Rprec"),
        ("BPref", "Bpref"),
        ("judged@10", "Judged@10"),
        ("FirstRel", "FirstRel"),
        ("P(rel=2)@5", "P(rel=2)@5"),
        ("MAP( rel = 0.5 )", "AP(rel=0.5)"),
        ("P(rel=2.0)@5", "P(rel=2)@5"),
        ("ndcg(gains=exp)@10", "nDCG(gains=exp)@10"),
        ("nDCG(gains='linear')@10", "nDCG@10"),
        ("nDCG(dcg='exp-log2')@10", "nDCG(gains=exp)@10"),
        ("nDCG(dcg='log2')", "nDCG"),
        ("P(judged_only=True,rel=2)@5", "P(rel=2,judged_only=True)@5"),
        ("P(judged_only=False)@5", "P@5"),
        ("P()@5", "P@5"),
        ("Hit@1[strict]", "Hit@1[strict]"),
        ("AP[same procedure, other object]", "AP[same procedure, other object]"),
        ("nDCG(gains=exp)@10[easy]", "nDCG(gains=exp)@10[easy]"),
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


@given(
    st.sampled_from([name for name in METRICS if "rel" in METRICS.get(name).takes]),
    st.floats(1e-300, 1e300),
    st.booleans(),
    st.none() | st.text(st.characters(exclude_characters="[]", exclude_categories=["C", "Z"]), min_size=1),
)
def test_what_is_printed_with_parameters_parses_to_the_same(
    name: str, rel: float, judged_only: bool, tier: str | None
) -> None:
    metric = METRICS.get(name)
    k = None if metric.cutoff == "never" else 7
    measure = Measure(name, k, rel, judged_only=judged_only and "judged_only" in metric.takes, tier=tier)
    assert Measure.parse(str(measure)) == measure


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


@pytest.mark.parametrize("text", ["Rprec@5", "Bpref@10", "FirstRel@10"])
def test_a_cutoff_of_what_reads_the_whole_list_is_said(text: str) -> None:
    with pytest.raises(BadInput, match="reads the whole list"):
        Measure.parse(text)


@pytest.mark.parametrize(
    ("text", "remedy"),
    [
        ("P(rel)@5", r"P\(rel=2\) or P\(judged_only=True\)"),
        ("P(rel=two)@5", "at most once"),
        ("P(rel=0)@5", "above 0"),
        ("P(rel=-1)@5", "above 0"),
        ("P(rel=nan)@5", "at most once"),
        ("P(rel=1,rel=2)@5", "at most once"),
        ("P(gains=exp)@5", "at most once"),
        ("nDCG(rel=2)@5", r"nDCG\(gains=exp\)"),
        ("nDCG(gains=square)@5", r"nDCG\(gains=exp\)"),
        ("Bpref(judged_only=True)", r"Bpref\(rel=2\)"),
        ("Judged(rel=2)@5", "takes no parameters"),
    ],
)
def test_a_parameter_that_there_is_not_is_said_with_those_there_are(text: str, remedy: str) -> None:
    with pytest.raises(BadInput, match=remedy):
        Measure.parse(text)


@pytest.mark.parametrize("text", ["", "@10", "Hit 10", "Hit@\n", "P(rel=2@5", "P@5(rel=2)", "Hit@1[]", "Hit@1[a][b]"])
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
    with pytest.raises(BadInput, match="no grade above 0"):
        Measure("AP", rel=float("inf"))
    with pytest.raises(BadInput, match="no parameter 'gains'"):
        Measure("AP", gains="exp")
    with pytest.raises(BadInput, match="unknown gains"):
        Measure("nDCG", gains="square")  # type: ignore[arg-type]
    with pytest.raises(BadInput, match="names no tier"):
        Measure("AP", tier="a]")


def test_exponential_gains_of_huge_grades_are_refused(hold: Callable[..., Judged]) -> None:
    judged = hold([[0, 1]], [{0: 1, 1: 2_000}], 2)
    assert Measure("nDCG").compute(judged)[0] < 1
    with pytest.raises(DataProblem, match="a grade is 2000"):
        Measure("nDCG", gains="exp").compute(judged)


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


@pytest.mark.parametrize(
    ("text", "values", "said"),
    [("Hit@5", [0, 1, 1], True), ("Hit@5", [0, 0.5], False), ("AP", [0, 1], False), ("Judged@1", [1.0], True)],
)
def test_shares_of_tied_orders_are_no_yes_or_no(text: str, values: list[float], said: bool) -> None:
    assert Measure.parse(text).says_yes_or_no(np.array(values)) is said


def test_every_metric_declares_itself_under_its_own_name() -> None:
    for name in METRICS:
        metric = METRICS.get(name)
        assert metric.name == name
        assert metric.says
    assert set(ALIASES.values()) <= set(METRICS)


def test_the_page_says_of_every_metric_what_it_takes() -> None:
    page = (Path(__file__).parents[2] / "docs" / "measures.md").read_text(encoding="utf-8")
    rows = [[cell.strip() for cell in line.split("|")[1:-1]] for line in page.splitlines() if line.startswith("| `")]
    told = {row[0].strip("`"): (row[2], row[3]) for row in rows}
    cutoffs = {"required": "needed", "optional": "may be", "never": "none"}
    for metric in (METRICS.get(name) for name in METRICS if not name.endswith("Retrieved")):
        assert told[metric.name] == (cutoffs[metric.cutoff], ", ".join(metric.takes) or "none")
    assert all(f"`{name}`" in page for name in METRICS)
    assert all(f"`{alias}` is\n`{name}`" in page or f"`{alias}` is `{name}`" in page for alias, name in ALIASES.items())
