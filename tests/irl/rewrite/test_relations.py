from __future__ import annotations

import pytest

from askance.irl.rewrite.relations import relation_asked
from askance.text.analyzer import Analyzer

LIKES = {"likes": 50_000, "does not like": 40, "knows someone who likes": 60}


@pytest.mark.parametrize(
    ("question", "relation"),
    [
        ("Who likes", "likes"),
        ("WHO LIKES", "likes"),
        ("Which people like", "likes"),
        ("Who does not like", "does not like"),
        ("Who doesn't like", "does not like"),
        ("Who doesn’t like", "does not like"),
        ("Which people do not like", "does not like"),
        ("Who knows someone who likes", "knows someone who likes"),
        ("Who knows people who like", "knows someone who likes"),
    ],
)
def test_the_relation_that_shares_most_words(question: str, relation: str) -> None:
    asked = relation_asked(Analyzer().terms(question), LIKES, Analyzer())
    assert (asked.name, asked.named, asked.note) == (relation, True, "")


@pytest.mark.parametrize(
    "question", ["", "find fans of", "Wer mag", "¿A quién le gusta", "Who dislikes", "が好きな人は誰ですか"]
)
def test_the_most_frequent_one_where_none_is_named(question: str) -> None:
    asked = relation_asked(Analyzer().terms(question), LIKES, Analyzer())
    assert (asked.name, asked.named) == ("likes", False)
    assert asked.note == "the question names none of 3 relations; 'likes', which most documents have, is taken"


def test_one_relation_that_is_not_named_is_said() -> None:
    asked = relation_asked(["who", "hates"], {"likes": 3}, Analyzer())
    assert (asked.name, asked.named) == ("likes", False)
    assert "does not name 'likes', the only relation" in asked.note


def test_no_relations_no_scope() -> None:
    asked = relation_asked(["who", "likes"], {}, Analyzer())
    assert (asked.name, asked.note) == (None, "")


def test_the_order_of_relations_does_not_matter() -> None:
    backwards = dict(reversed(LIKES.items()))
    for question in (["who"], ["likes"], ["does", "not"], ["someone"]):
        assert relation_asked(question, LIKES, Analyzer()) == relation_asked(question, backwards, Analyzer())


def test_a_word_of_the_question_counts_once() -> None:
    asked = relation_asked(["likes"], {"likes": 2, "likes who likes": 9}, Analyzer())
    assert asked.name == "likes"


@pytest.mark.parametrize(
    ("question", "told"), [("Who does not like", True), ("Which people like", True), ("Who likes", False)]
)
def test_a_relation_that_stands_alone_and_is_only_near_says_so(question: str, told: bool) -> None:
    analyzer = Analyzer()
    found = relation_asked(analyzer.terms(question), {"likes": 5}, analyzer)
    assert (found.name, found.named) == ("likes", True)
    assert ("cannot be told" in found.note) == told
