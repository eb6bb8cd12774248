"""Label sets side by side: what is compared, what is not, and that every pair is accounted for."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from askance.core.errors import BadInput, DataProblem
from askance.data.formats.labels import LabelRow, LabelSet
from askance.measure.agreement.table import check_shared, grades_of, lay_out

GOLD = ["q1 a 0", "q1 b 1", "q1 c 3", "q2 a 1"]


def labels(name: str, rows: Sequence[str]) -> LabelSet:
    cells = [row.split(" ") for row in rows]
    found = [LabelRow(line, query, document, label) for line, (query, document, label) in enumerate(cells, 1)]
    return LabelSet(name, Path(f"{name}.txt"), found)


def test_every_fate_of_a_pair() -> None:
    rows = [
        "q1 a 0",  # compared
        "q1 a 0",  # said again: counts once
        "q1 b 1",
        "q1 b 2",  # contradicts the line before
        "q1 c 10",  # off the scale, and no other label
        "q2 a ERROR",  # off the scale, but line 7 has one
        "q2 a 1",
        "q9 z 1",  # unknown to gold
        "q9 y 7",  # unknown and off the scale
    ]
    table = lay_out([labels("judge", rows)], labels("gold", [*GOLD, "q2 b 0"]))
    (column,) = table.sets
    assert table.scale == (0.0, 1.0, 2.0, 3.0)
    assert table.scale_from == "gold"
    assert table.items == (("q1", "a"), ("q1", "b"), ("q1", "c"), ("q2", "a"), ("q2", "b"))
    assert column.codes.tolist() == [0, -1, -1, 1, -1]
    assert [row.line for row in column.off_scale] == [5, 6, 9]
    assert (column.repeated, column.contradictory, column.unusable) == (1, 1, 1)
    assert (column.unknown, column.missing, column.labels) == (2, 1, 9)
    assert grades_of(labels("judge", rows), table.scale) == {"q1": {"a": 0.0}, "q2": {"a": 1.0}, "q9": {"z": 1.0}}


ROW = st.tuples(st.sampled_from(["q1", "q2"]), st.sampled_from("abc"), st.sampled_from(["0", "1", "3", "9", "no"]))


@settings(deadline=None)
@given(st.lists(ROW, min_size=1, max_size=12))
def test_every_pair_and_every_row_is_accounted_for(rows: list[tuple[str, str, str]]) -> None:
    table = lay_out([labels("judge", [" ".join(row) for row in rows])], labels("gold", GOLD))
    (column,) = table.sets
    compared = int((column.codes >= 0).sum())
    assert compared + column.contradictory + column.unusable + column.missing == len(table.items)
    assert len(column.off_scale) == sum(row[2] in ("9", "no") for row in rows)
    pairs = {row[:2] for row in rows}
    assert compared + column.contradictory + column.unusable + column.unknown == len(pairs)


def test_the_scale_is_what_is_told_or_what_gold_has_or_what_occurs() -> None:
    one, gold = labels("one", ["q1 a 5", "q1 b 0.5"]), labels("gold", GOLD)
    assert lay_out([one], gold).scale == (0.0, 1.0, 2.0, 3.0)  # 2 lies between, though gold never says it
    assert lay_out([one], labels("gold", ["q1 a 0.5", "q1 b 2"])).scale == (0.5, 2.0)
    found = lay_out([one], None)
    assert (found.scale, found.scale_from, len(found.items)) == ((0.5, 5.0), "found", 2)
    told = lay_out([one], gold, (5.0, 0.0))
    assert (told.scale, told.scale_from) == ((0.0, 5.0), "told")
    assert told.sets[0].codes.tolist() == [1, -1, -1, -1]


def test_a_scale_must_tell_apart_and_be_short() -> None:
    with pytest.raises(BadInput, match="1 labels tells nothing apart"):
        lay_out([labels("one", ["q a 1", "q b 1"])], None)
    with pytest.raises(BadInput, match="the labels take 60 values, from 0 to 59"):
        lay_out([labels("one", [f"q d{at} {at}" for at in range(60)])], None)


def test_sets_that_share_no_pair_with_gold_are_told_so_with_examples() -> None:
    table = lay_out([labels("one", ["q1 A 1", "Q1 a 1"])], labels("gold", GOLD))
    with pytest.raises(DataProblem, match="q1 a, q1 b, q1 c … .*letter by letter|no label set has a pair") as caught:
        check_shared(table)
    assert "gold labels q1 a, q1 b, q1 c …" in str(caught.value)
    check_shared(lay_out([labels("one", ["q1 A 1"]), labels("two", ["q1 a 1"])], labels("gold", GOLD)))
