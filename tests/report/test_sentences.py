"""Sentences say what the figures carry, and no more."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import askance.report
from askance.report.sentences import MOST_LEADS, Sentence, conclusions
from askance.study.results import Results


def change(results: Results, domain: str, field: str, edit: Callable[[dict[str, Any]], dict[str, Any]]) -> Results:
    """The study with every record of one list of a domain edited."""
    tree = results.model_dump(by_alias=True)
    for found in tree["domains"]:
        if found["name"] == domain:
            found[field] = [edit(record) for record in found[field]]
    return Results.model_validate(tree)


def figure(
    system: str, tier: str, value: float, low: float, high: float, verdict: str
) -> Callable[..., dict[str, Any]]:
    """Sets Hit@1 of one system in one tier."""

    def edit(record: dict[str, Any]) -> dict[str, Any]:
        if (record["system"], record["tier"], record["measure"]) != (system, tier, "Hit@1"):
            return record
        estimate = {**record["estimate"], "value": value, "low": low, "high": high}
        return {**record, "estimate": estimate, "chance": {**record["chance"], "verdict": verdict}}

    return edit


def said(results: Results, domain: str | None, rule: str) -> list[Sentence]:
    return [s for s in conclusions(results) if s.domain == domain and s.rule == rule]


def test_the_ladder_falls_to_chance(drawn: Results) -> None:
    [sentence] = said(drawn, "trajectories", "ladder")
    assert sentence.strong == "BM25 and MiniLM do no better than chance once gold is “other object (i)”."
    for part in ("50.0 % (41.1–58.9) to 9.3 % (5.3–15.9) for MiniLM", "chance gives 15.2 % (p = .08)", "n = 118"):
        assert part in sentence.rest


@pytest.mark.parametrize(
    ("easy", "hard", "strong"),
    [
        ((0.50, 0.41, 0.59, "above"), (0.05, 0.02, 0.10, "below"), "MiniLM falls below chance once gold is"),
        (
            (0.50, 0.41, 0.59, "above"),
            (0.30, 0.22, 0.39, "above"),
            "MiniLM loses ground from “any object” to “other object",
        ),
        ((0.50, 0.41, 0.59, "at"), (0.09, 0.05, 0.15, "at"), "MiniLM loses ground from"),
        ((0.20, 0.14, 0.28, "above"), (0.15, 0.10, 0.22, "at"), "Undecided whether MiniLM loses ground from"),
        ((0.10, 0.06, 0.16, "at"), (0.40, 0.31, 0.49, "above"), "MiniLM gains ground from"),
    ],
)
def test_the_ladder_says_what_intervals_carry(
    drawn: Results, easy: tuple[float, float, float, str], hard: tuple[float, float, float, str], strong: str
) -> None:
    changed = change(drawn, "trajectories", "figures", figure("minilm", "reference", *easy))
    changed = change(changed, "trajectories", "figures", figure("minilm", "strict", *hard))
    found = [s for s in said(changed, "trajectories", "ladder") if s.system == "MiniLM"]
    assert [s.strong.startswith(strong) for s in found] == [True], [s.strong for s in found]
    assert found[0].decided is not strong.startswith("Undecided")


def test_no_ladder_without_intervals_or_with_one_tier(drawn: Results) -> None:
    bare = change(
        drawn, "trajectories", "figures", lambda f: {**f, "estimate": {**f["estimate"], "low": None, "high": None}}
    )
    assert said(bare, "trajectories", "ladder") == []
    assert said(bare, "trajectories", "chance") != []
    assert said(drawn, "gsm-plus", "ladder") == []


def test_every_conclusion_of_figures_has_an_interval_and_n(drawn: Results) -> None:
    for sentence in conclusions(drawn):
        if sentence.rule in ("ladder", "wording", "classes", "chance", "headroom", "across"):
            assert re.search(r"\d\.\d+( %)? \(\d[\d.]*–\d", sentence.rest), sentence
            assert re.search(r"n = \d", sentence.rest), sentence


@pytest.mark.parametrize(
    ("reading", "sign", "strong"),
    [
        ("incidental", "positive", "Wording is a friend here."),
        ("adversarial", "no room", "Wording is an enemy here."),
        ("adversarial", "negative", "Wording is an enemy here."),
        ("undecided", "undecided", "Undecided whether wording is a friend or an enemy."),
        ("undecided", "no room", "Undecided whether wording is a friend or an enemy."),
        ("undecided", "negative", "Wording is an enemy here."),
        ("incidental", "negative", "Wording is a friend in one reading and an enemy in another."),
    ],
)
def test_the_sign_of_wording_from_both_readings(drawn: Results, reading: str, sign: str, strong: str) -> None:
    changed = change(drawn, "gsm-plus", "preferences", lambda p: {**p, "reading": reading})
    changed = change(changed, "gsm-plus", "controls", lambda c: {**c, "sign": sign})
    [sentence] = said(changed, "gsm-plus", "wording")
    assert sentence.strong == strong
    assert ("no room to tell" in sentence.rest) == (sign == "no room")


def test_an_undefined_figure_decides_nothing(drawn: Results) -> None:
    nothing = {"value": None, "low": None, "high": None, "n": 0, "method": "undefined: none"}
    changed = change(drawn, "gsm-plus", "preferences", lambda p: {**p, "estimate": {**p["estimate"], **nothing}})
    [sentence] = said(changed, "gsm-plus", "wording")
    assert sentence.strong == "Undecided whether wording is a friend or an enemy."
    assert said(changed, "gsm-plus", "classes") == []


def test_across_domains(drawn: Results) -> None:
    [sentence] = said(drawn, None, "across")
    depends = "It depends on the domain: wording is a friend in Trajectories and Who likes what"
    assert sentence.strong == f"{depends} and an enemy in Word problems."
    same = change(drawn, "gsm-plus", "preferences", lambda p: {**p, "reading": "incidental"})
    assert (
        said(same, None, "across")[0].strong == "Wording is a friend in Trajectories, Word problems and Who likes what."
    )
    alone = Results.model_validate({**drawn.model_dump(by_alias=True), "domains": [drawn.domains[0].model_dump()]})
    assert said(alone, None, "across") == []


def test_winners(drawn: Results) -> None:
    def counts(*numbers: int) -> Callable[[dict[str, Any]], dict[str, Any]]:
        def edit(taxonomy: dict[str, Any]) -> dict[str, Any]:
            misses = sum(numbers)
            winners = []
            for winner, k in zip(taxonomy["winners"], numbers, strict=True):
                share = {"value": k / misses, "low": k / misses - 0.02, "high": k / misses + 0.02}
                winners.append({**winner, "count": k, "share": {**winner["share"], **share}})
            return {**taxonomy, "misses": misses, "winners": winners}

        return edit

    cases = {
        (100, 0, 0): "rank 1 is always “same task, same object”",
        (80, 10, 10): "rank 1 is mostly “same task, same object”",
        (45, 30, 25): "rank 1 is most often “same task, same object”",
        (35, 33, 32): "No one kind of document stands first",
    }
    for numbers, strong in cases.items():
        [sentence] = said(change(drawn, "trajectories", "taxonomies", counts(*numbers)), "trajectories", "winners")
        assert strong in sentence.strong
        assert sentence.decided is not strong.startswith("No one")


def test_classes_that_speak_against_the_rest(drawn: Results) -> None:
    [sentence] = said(drawn, "gsm-plus", "classes")
    assert sentence.strong == "Numbers speak for gold, all words together against it."
    assert "numbers 0.880 (0.860–0.900) and all words 0.028 (0.020–0.036), n = 300" in sentence.rest
    assert said(drawn, "trajectories", "classes") == []


def test_what_was_lost(drawn: Results) -> None:
    [cut] = said(drawn, "trajectories", "cut")
    assert cut.strong == "296 of 336 documents were cut at 256 tokens before MiniLM read them."
    assert cut.system == "MiniLM"
    assert said(drawn, "gsm-plus", "cut") == []
    [ties] = said(drawn, "limit-small", "ties")
    assert "12.0 % for BM25; 12.0 % for BM25, Porter stems" in ties.rest
    some = change(drawn, "gsm-plus", "tiers", lambda tier: {**tier, "queries": 293, "without_gold": 7})
    [missing] = said(some, "gsm-plus", "without gold")
    assert "7 of 300 queries under “paraphrase”" in missing.rest


def test_what_a_perfect_reranker_could_win(drawn: Results) -> None:
    [sentence] = said(drawn, "trajectories", "headroom")
    assert sentence.strong == "A perfect reranker of the first ten could win 43.2 to 47.5 points at rank 1."
    full = change(drawn, "gsm-plus", "controls", lambda control: {**control, "before": control["ceiling"]})
    [nothing] = said(full, "gsm-plus", "headroom")
    assert nothing.strong == "A reranker of the first ten has nothing to win over BM25 and MiniLM."


def test_few_sentences_open_the_page_and_decided_ones_first(drawn: Results) -> None:
    found = conclusions(drawn)
    leads = [sentence for sentence in found if sentence.lead]
    assert 3 <= len(leads) <= MOST_LEADS
    assert {sentence.domain for sentence in leads} == {None, "trajectories", "gsm-plus", "limit-small"}
    assert all(sentence.decided for sentence in leads)
    assert conclusions(drawn) == found


def test_words_come_from_labels_not_from_the_rules(drawn: Results) -> None:
    """No rule knows a collection: with other labels, none of the old words is left."""
    tree = drawn.model_dump_json(by_alias=True)
    words = ("object", "task", "near miss", "paraphrase", "MiniLM", "BM25", "Trajector", "problem", "likes")
    for old in words:
        tree = re.sub(old, "zzz", tree, flags=re.IGNORECASE)
    told = " ".join(sentence.text for sentence in conclusions(Results.model_validate_json(tree)))
    assert told.count("zzz") > 20
    for old in words:
        assert old.lower() not in told.lower(), old
    sources = "".join(p.read_text(encoding="utf-8") for p in Path(askance.report.__file__).parent.rglob("*.py"))
    for name in ("gsm", "alfworld", "limit-small", "trajector"):
        assert name not in sources.lower()
