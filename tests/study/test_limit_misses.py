"""Why the first places of a phrase search are wrong, by hand."""

from __future__ import annotations

import pytest

from askance.study.limit.misses import Miss, miss_of

GOLD = frozenset({"g1", "g2"})


@pytest.mark.parametrize(
    ("ranked", "named", "kind"),
    [
        (["g1", "g2"], [], None),
        (["g2", "g1", "x"], [], None),
        (["x", "g1", "g2"], ["x"], "name"),
        (["x", "g1", "g2"], [], "outranked"),
        (["x", "y", "g1"], [], "cut"),
        (["x", "y", "g1"], ["y"], "name"),
        (["x", "y", "g1", "g2"], [], "cut"),
        (["x", "g1", "y", "g2"], ["y"], "cut"),
        (["g1"], [], "cut"),
        ([], [], "cut"),
    ],
)
def test_each_kind(ranked: list[str], named: list[str], kind: Miss | None) -> None:
    assert miss_of(ranked, GOLD, frozenset(named), cut=3) == kind


def test_a_name_that_is_no_first_hit_explains_nothing() -> None:
    assert miss_of(["x", "g1", "named", "g2"], GOLD, frozenset({"named"}), cut=4) == "outranked"
