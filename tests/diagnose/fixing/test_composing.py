"""Candidates made of others: how large they are, and what a study would run."""

from __future__ import annotations

from askance.build.made import made
from askance.diagnose.fixing.case import FixCase
from askance.diagnose.fixing.changes import other_systems, view_of, word_changes
from askance.diagnose.fixing.composing import as_it_is, fused, reaching, reranked
from askance.diagnose.fixing.opening import of_collection
from askance.diagnose.fixing.reranking import signature


def case() -> FixCase:
    return of_collection("limit-small", made("limit-small", 1), retriever="lexical", model=None)


def test_a_reranker_is_one_more_and_its_settings_count() -> None:
    now = as_it_is(case())
    assert reranked(now, signature("numbers", 10), "x").size == 1
    assert reranked(now, signature("numbers+units", 10), "x").size == 2
    behind = reranked(now, reaching(signature("numbers", 10), 50), "x")
    assert (behind.size, behind.reranker and behind.reranker.first) == (2, 50)


def test_fusions_count_what_is_set() -> None:
    told = case()
    other = next(one for one in other_systems(told, "text") if one.name == "phrases")
    ranks = fused(told, other)
    assert ranks.size == other.size + 1
    assert ranks.systems[-1].settings == {"of": ["system", "phrases"], "kind": "rrf"}
    assert [fused(told, other, kind).size for kind in ("sum", "minmax")] == [other.size + 2] * 2
    weighed = fused(told, other, weights=(1.0, 3.0), depth=10)
    assert weighed.size == other.size + 3
    assert weighed.systems[-1].settings["weights"] == [1.0, 3.0]
    assert weighed.systems[-1].settings["depth"] == 10
    assert len({ranks.key, weighed.key, fused(told, other, "sum").key, fused(told, other, depth=10).key}) == 4


def test_a_system_that_has_the_name_of_the_one_there_is_gets_another() -> None:
    told = case()
    stems = next(one for one in word_changes(told, "text", told.system) if one.name == "stems: porter")
    names = [one.name for one in fused(told, stems).systems]
    assert names == ["system", "system-changed", "system-fused"]


def test_no_setting_is_told_twice() -> None:
    told = case()
    changes = list(word_changes(told, "text", told.system))
    assert all(one.systems[-1].settings != told.system.settings for one in changes)
    assert len({one.key for one in changes}) == len(changes)
    assert {one.size for one in changes if one.name.startswith("stems") and "," not in one.name} == {1}


def test_a_view_keeps_the_settings_of_what_it_is_over() -> None:
    told = case()
    assert view_of(told, ties="raw").settings == {"over": "lexical", "ties": "raw"}
