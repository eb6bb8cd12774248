"""Counts of parts: the same with and without dropping, parts that stick together, parts that never move."""

from __future__ import annotations

import random
from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from askance.data.fields.part_counts import PartCounts

LISTS = st.lists(st.lists(st.sampled_from("abcdefgh"), max_size=6), max_size=12)


@given(lists=LISTS, chunk=st.integers(1, 5))
def test_counts_are_those_of_a_counter(lists: list[list[str]], chunk: int) -> None:
    counts = PartCounts()
    for at in range(0, len(lists), chunk):
        counts.add(lists[at : at + chunk])
    expected = Counter(part for parts in lists for part in parts)
    assert counts.counts() == expected
    unknown = counts.unknown({}, {})
    singles = {part for part, times in expected.items() if times == 1}
    held = [len(singles.intersection(parts)) for parts in lists]
    assert (unknown.documents, unknown.parts, unknown.count) == (len(lists), expected.total(), len(singles))
    assert unknown.holders == sum(number > 0 for number in held)
    assert unknown.held.tolist()[1:] == [held.count(number) for number in range(1, max(held, default=0) + 1)]


def test_what_occurs_at_the_edges_is_counted_too() -> None:
    counts = PartCounts()
    counts.add([["a", "b"], ["b", "c"]])
    unknown = counts.unknown({"a": 1, "d": 1, "e": 2}, {"d": 1})
    assert (unknown.count, unknown.parts, unknown.holders) == (2, 8, 1)  # c and d, both in the second
    assert unknown.held.tolist() == [0, 0, 1]


def test_memory_is_bounded_and_what_recurs_is_kept() -> None:
    draw = random.Random(0)
    counts = PartCounts(most=100)
    for at in range(200):
        counts.add([["often", f"once {at}", f"pair {at // 2}", draw.choice("xyz")]])
    kept = counts.counts()
    assert len(kept) <= 101
    assert kept["often"] == 200
    assert sum(kept[letter] for letter in "xyz") == 200
    assert counts.unknown({}, {}).parts == 800
    assert counts.unknown({}, {}).count >= 200


def test_parts_that_stick_together() -> None:
    counts = PartCounts()
    counts.add(
        [["a", "P", "M", "b"], ["c", "P", "M", "a"], ["b", "P", "M", "c"], ["Q", "R", "a"], ["a", "b", "Q", "R"]]
    )
    assert counts.stuck() == [("P", "M")], "Q and R stand together twice only"
    counts.add([["P", "a", "b"]])
    assert counts.stuck() == []


def test_copied_lists_stick_but_are_no_item() -> None:
    counts = PartCounts()
    counts.add([["a", "b", "c", "d"]] * 5)
    assert counts.stuck() == []


def test_parts_that_never_move() -> None:
    draw = random.Random(1)
    lists = [draw.sample("abcdefgh" * 3, 6) for _ in range(300)]
    for parts in lists[:20]:
        parts.insert(3, "which is a lie")
    counts = PartCounts()
    counts.add(lists)
    assert counts.fixed() == ["which is a lie"]
    counts = PartCounts()
    counts.add([["red", "small"], ["red", "large"], ["blue", "small"], ["blue", "large"]] * 5)
    assert counts.fixed() == [], "where each has its place, that says nothing"
