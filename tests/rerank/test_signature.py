"""The signature reranker: what it reads, in which order, and that it is a permutation."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from askance.data.adapters.gsm_plus import load
from askance.data.ids import Ids
from askance.data.run import Run
from askance.rerank.registry import RERANKERS
from askance.rerank.reranker import RerankTask
from askance.rerank.signature import SignatureSettings
from askance.text.signature_classes import SIGNATURE_CLASSES

ASKED = "Tom did not eat 3 apples after 20 minutes."
TEXTS = {
    "a": "Tom did eat 4 apples after 20 minutes.",  # neither the numbers nor the negation
    "b": "Tom did eat three apples after twenty min.",  # the numbers
    "c": "Ann didn't eat 4 apples before 20 hours.",  # the negation
    "d": "It was never said that Tom had 3 apples, 20 minutes later.",  # all but closed-class words
    "e": "",
}
DOCUMENTS = Ids(TEXTS)


def run_of(*lists: str) -> Run:
    queries = Ids(f"q{at}" for at in range(len(lists)))
    rows = {f"q{at}": [(name, 9.0 - rank) for rank, name in enumerate(names)] for at, names in enumerate(lists)}
    return Run.of("first", queries, DOCUMENTS, rows)


def reranked(ranked: str, first: int = 10, asked: str = ASKED, **settings: object) -> str:
    kind = RERANKERS.get("signature")
    task = RerankTask([asked], list(TEXTS.values()), first)
    after = kind.build(kind.Settings.model_validate(settings)).rerank(run_of(ranked), task)
    return "".join(after.documents[int(at)] for at in after.of_query(0)[0])


@pytest.mark.parametrize(
    ("tokens", "rule", "first", "expected"),
    [
        ("numbers", "lexicographic", 10, "bdace"),  # by value; a and c agree in one of three, e in none
        ("numbers", "lexicographic", 3, "bacde"),  # the tail stays, however well it agrees
        ("negations", "lexicographic", 10, "cdabe"),  # "didn't" and "never" deny as "not" does
        ("relations", "lexicographic", 10, "abdce"),  # "later" is "after"
        ("units", "lexicographic", 10, "abdce"),  # "min" is minutes
        ("names", "lexicographic", 10, "abdce"),
        ("numbers+negations", "lexicographic", 10, "dbcae"),
        ("negations+numbers", "lexicographic", 10, "dcbae"),
        ("numbers+negations", "count", 10, "dbcae"),  # 2, 1, 1, none, none: equals keep their order
        ("negations+numbers", "count", 10, "dbcae"),
        ("quantifiers", "lexicographic", 10, "abcde"),  # nobody says one: all agree, nothing moves
    ],
)
def test_agreement_decides_then_the_old_order(tokens: str, rule: str, first: int, expected: str) -> None:
    assert reranked("abcde", first, tokens=tokens, rule=rule) == expected


def test_all_classes_are_asked_in_their_order() -> None:
    assert SignatureSettings(tokens="signature").classes == tuple(SIGNATURE_CLASSES)
    assert SignatureSettings.model_validate({"tokens": "names+units"}).classes == ("names", "units")
    assert reranked("abcde", tokens="signature") == reranked("abcde", tokens="+".join(SIGNATURE_CLASSES))


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"tokens": "numbrs"}, "there is no signature class 'numbrs'. Did you mean 'numbers'?"),
        ({}, "tokens"),
        ({"tokens": ""}, "there is no signature class ''"),
        ({"tokens": "names+names"}, "'names' is named more than once"),
        ({"tokens": "names", "rule": "weighted"}, "lexicographic"),
        ({"tokens": "names", "weights": [1]}, "weights"),
    ],
)
def test_settings_that_say_nothing_known(settings: dict[str, object], said: str) -> None:
    with pytest.raises(ValidationError) as refused:
        SignatureSettings.model_validate(settings)
    assert said in str(refused.value)


@given(
    st.permutations("abcde"),
    st.integers(0, 7),
    st.lists(st.sampled_from(list(SIGNATURE_CLASSES)), min_size=1, unique=True),
    st.sampled_from(["lexicographic", "count"]),
    st.sampled_from([ASKED, "", *TEXTS.values()]),
)
def test_it_permutes_the_first_and_is_done_after_once(
    ranked: list[str], first: int, classes: list[str], rule: str, asked: str
) -> None:
    before = "".join(ranked)
    settings = {"tokens": "+".join(classes), "rule": rule}
    after = reranked(before, first, asked, **settings)
    assert sorted(after[:first]) == sorted(before[:first])
    assert after[first:] == before[first:]
    assert reranked(after, first, asked, **settings) == after


def test_scores_say_the_order_alone() -> None:
    kind = RERANKERS.get("signature")
    task = RerankTask([ASKED, ""], list(TEXTS.values()), 2)
    after = kind.build(kind.Settings.model_validate({"tokens": "signature"})).rerank(run_of("abc", ""), task)
    assert [list(after.of_query(query)[1]) for query in range(2)] == [[3.0, 2.0, 1.0], []]
    assert after.name == "first+signature"


def test_word_problems_are_told_apart_by_their_numbers_alone(shared_data: Path) -> None:
    """Whatever embeds alike stands first: own near misses, then gold. Agreement of numbers brings gold to the front."""
    found = load(shared_data)
    queries, documents = found.queries, found.documents
    gold = [int(found.tiers["paraphrase"].judgments.of_query(at)[0][0]) for at in range(len(queries))]
    assert found.roles is not None
    rows = {}
    for at, name in enumerate(queries.ids):
        near = [*found.roles.of_query(at, "near-miss"), *found.roles.of_query(at, "answer-kept"), gold[at]]
        rows[name] = [(documents.ids[int(document)], -float(rank)) for rank, document in enumerate(near)]
    run = Run.of("worst", queries.ids, documents.ids, rows)
    task = RerankTask(queries.field("text"), documents.field("text"), 10)

    def hit(tokens: str) -> float:
        kind = RERANKERS.get("signature")
        after = kind.build(kind.Settings.model_validate({"tokens": tokens})).rerank(run, task)
        return float(np.mean(after.matrix(1)[:, 0] == gold))

    assert hit("numbers") >= 0.6
    for tokens in ("negations", "quantifiers", "relations", "units", "names", "function"):
        assert hit(tokens) < 0.05, tokens
