"""Words glued to what is asked for: articles, endings and particles of languages that write them in one word."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.irl.rewrite.listed import listed

from askance.data.fields.schema import Fact, Fields, Record
from askance.irl.rewrite.counted import CountedVocabulary
from askance.irl.rewrite.glued_words import unglued
from askance.irl.rewrite.repair import repair
from askance.irl.rewrite.rewriter import rewrite
from askance.irl.rewrite.rules import Rules
from askance.text.analyzer import Analyzer

ITEMS = ["Levels", "Cloves", "Clover", "Levi's Jeans", "O'Doyle", "Go", "Sounds in the Trees", "Trees", "K팝", "Snow"]
V = listed(f"Ann likes {item}." for item in ITEMS)
ANALYZER = Analyzer()


def known(term: str) -> bool:
    return V.holders(term) > 0


@pytest.mark.parametrize(
    ("question", "terms"),
    [
        ("l'Levels", ["l", "levels"]),
        ("l’Levels", ["l", "levels"]),
        ("Levels'ten", ["levels", "ten"]),
        ("Levels:sta", ["levels", "sta"]),
        ("Levels에서부터는", ["levels", "에서부터는"]),
        ("הLevels", ["ה", "levels"]),
        ("Levi's", ["levi's"]),
        ("d'Levi's'ten", ["d", "levi's", "ten"]),
        ("K팝을", ["k", "팝을"]),
        ("K팝", ["k팝"]),
        ("40을 ה3D", ["40", "을", "ה", "3d"]),
        ("don't 3D v2 naïve café", ["don", "t", "3d", "v2", "naïve", "café"]),
    ],
)
def test_only_what_no_document_has_is_cut(question: str, terms: list[str]) -> None:
    assert [token.term for token in unglued(question, ANALYZER, known)] == terms


@given(st.text(alphabet="aZ3'’:.é을Жה東ー _-", max_size=30))
def test_offsets_point_into_the_question_and_go_on(question: str) -> None:
    tokens = unglued(question, ANALYZER, known)
    assert [ANALYZER.terms(question[token.start : token.end]) for token in tokens] == [[token.term] for token in tokens]
    assert all(one.end <= other.start for one, other in zip(tokens, tokens[1:], strict=False))


@pytest.mark.parametrize(
    "template",
    ["Qui est fan d'{}?", "A chi piace l’{}?", "{}'ten kim hoşlanır?", "Kuka pitää {}:sta?", "{}을 누가 좋아해요?"]
    + ["누가 {}에서부터는 행복합니까?", "מי אוהב את ה{}?", "Which are {}'s biggest fans?"],
)
@pytest.mark.parametrize("item", ["Levels", "Cloves", "Levi's Jeans", "O'Doyle", "Go", "Sounds in the Trees"])
def test_the_item_is_found_beside_what_is_glued_to_it(template: str, item: str) -> None:
    found = rewrite(template.format(item), vocabulary=V, extractor=Rules(), without_knn=True)
    assert found.keywords == (item.lower(),)


def test_an_item_is_whole_that_stands_in_the_records_alone() -> None:
    class Apart:
        def split(self, record: Record) -> Fields:
            return Fields("Ann", (Fact(tuple(record["items"]), "likes"),))

        def described(self) -> Mapping[str, Any]:
            return {"kind": "apart"}

    records = [{"text": "a person", "items": [item]} for item in ("Levi’s", "D'Angelo: live")]
    apart = CountedVocabulary.of(records, schema=Apart())
    for item, keyword in (("Levi’s", "levi’s"), ("D'Angelo: live", "d'angelo live")):
        assert rewrite(f"Who likes {item}?", vocabulary=apart, extractor=Rules()).keywords == (keyword,)


@pytest.mark.parametrize(
    ("keyword", "question", "output"),
    [
        ("cloves", "Cloves을 좋아하는 사람?", "cloves"),
        ("levis-jeans", "Qui est fan d'Levi's Jeans?", "levi's jeans"),
        ("go", "Go’i kim seviyor?", "go"),
    ],
)
def test_what_a_model_found_is_not_glued_again(keyword: str, question: str, output: str) -> None:
    stage = repair(keyword, question)
    assert (stage.output, stage.flagged) == (output, False)
