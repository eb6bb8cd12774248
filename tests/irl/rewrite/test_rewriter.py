from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.irl.rewrite.listed import LIKERS, listed

from askance.irl.nodes import Exact, Field, Knn, Lex, Or
from askance.irl.parser import parse
from askance.irl.printer import print_query
from askance.irl.rewrite.by_model import ByModel
from askance.irl.rewrite.counted import CountedVocabulary
from askance.irl.rewrite.extractor import Extractor
from askance.irl.rewrite.rewriter import rewrite
from askance.irl.rewrite.rules import Rules
from askance.models.chat_fake import ScriptedModel

TEXT = CountedVocabulary.of(LIKERS)
PLAIN = listed(LIKERS, named=False)
NAMED = listed(LIKERS)
RELATED = listed([*LIKERS, "Ned does not like Snow; Tea.", "Ola knows someone who likes Snow."])


@pytest.mark.parametrize(
    ("question", "printed"),
    [
        ("Who likes Birch Trees?", '(or (knn "Who likes Birch Trees?") (lex "birch trees"))'),
        ("Who likes Snow?", '(or (knn "Who likes Snow?") (lex "snow"))'),
    ],
)
def test_one_text_field(question: str, printed: str) -> None:
    for vocabulary, form in ((TEXT, None), (PLAIN, "text")):
        made = rewrite(question, vocabulary=vocabulary, extractor=Rules(), form=form)  # type: ignore[arg-type]
        assert print_query(made.query) == printed


def test_items() -> None:
    made = rewrite("Who likes Birch Trees?", vocabulary=PLAIN, extractor=Rules())
    lex = Lex("birch trees")
    assert made.query == Or((Knn("Who likes Birch Trees?"), Exact("birch trees"), Field("items", lex)))
    assert (made.keyword, made.keywords, made.flagged) == ("birch trees", ("birch trees",), ())


def test_several_items_each_with_clauses_of_its_own() -> None:
    made = rewrite("Who likes Snow or Honey?", vocabulary=PLAIN, extractor=Rules())
    assert made.keywords == ("snow", "honey")
    assert print_query(made.query) == (
        '(or (knn "Who likes Snow or Honey?") (exact "snow") (lex "snow" :field items)'
        ' (exact "honey") (lex "honey" :field items))'
    )


@pytest.mark.parametrize(
    ("question", "relation"),
    [
        ("Who likes Snow?", "likes"),
        ("Who does not like Snow?", "does not like"),
        ("Who doesn't like Snow?", "does not like"),
        ("Who knows someone who likes Snow?", "knows someone who likes"),
        ("Wer mag Snow?", "likes"),
        ("Who likes Likes?", "likes"),
    ],
)
def test_the_relation_that_the_question_asks_for(question: str, relation: str) -> None:
    made = rewrite(question, vocabulary=RELATED, extractor=Rules())
    item = "likes" if "Likes" in question else "snow"
    assert print_query(made.query) == (
        f'(or (knn "{question}") (relation "{relation}" (or (exact "{item}") (lex "{item}" :field items))))'
    )
    assert bool(made.stages[-1].notes) == (question == "Wer mag Snow?")


def test_the_keyword_is_no_word_of_the_relation() -> None:
    """Not Like is an item here: its words say nothing of the relation."""
    vocabulary = listed([*LIKERS, "Ned does not like Snow.", "Pia likes Does Not Like."])
    made = rewrite("Who likes Does Not Like?", vocabulary=vocabulary, extractor=Rules())
    assert made.keyword == "does not like"
    assert '(relation "likes" ' in print_query(made.query)


def test_stages_in_order_each_given_what_the_last_one_made() -> None:
    made = rewrite(
        "Who likes Levi's Jeans?", vocabulary=NAMED, extractor=ByModel(ScriptedModel(["Sure: (levis-jeans)"]))
    )
    assert [(stage.stage, stage.output) for stage in made.stages[:-1]] == [
        ("model", "Sure: (levis-jeans)"),
        ("extract", "levis-jeans"),
        ("sanitise", "levis-jeans"),
        ("repair", "levi's jeans"),
        ("parse", '(or (knn "Who likes Levi\'s Jeans?") (lex "levi\'s jeans"))'),
    ]
    assert made.stages[0].input == "Who likes Levi's Jeans?"
    last = made.stages[-1]
    assert (last.stage, last.input, last.output) == ("phrases", made.stages[-2].output, print_query(made.query))


def test_an_item_in_another_form_is_not_laid_onto_the_question() -> None:
    made = rewrite("Who likes Birch Tree?", vocabulary=NAMED, extractor=Rules())
    assert made.keyword == "birch trees"
    assert made.flagged == ("extract: an item in another form; 'Birch Tree' is no item, 'birch trees' is",)


@pytest.mark.parametrize("question", ["Who is Zebrafish?", "???", "", "¿¡!?"])
def test_the_safe_query(question: str) -> None:
    made = rewrite(question, vocabulary=TEXT, extractor=Rules())
    assert made.query == Knn(question)
    assert made.keyword == ""
    assert "parse: the safe query; no keyword: the question alone is searched for" in made.flagged
    bare = rewrite(question, vocabulary=TEXT, extractor=Rules(), without_knn=True)
    assert bare.query == Lex(question, match="any")
    assert bare.flagged


def test_without_vectors() -> None:
    assert rewrite("Who likes Snow?", vocabulary=TEXT, extractor=Rules(), without_knn=True).query == Lex("snow")
    made = rewrite("Who likes Snow?", vocabulary=PLAIN, extractor=Rules(), without_knn=True)
    assert made.query == Or((Exact("snow"), Field("items", Lex("snow"))))


@pytest.mark.parametrize(
    "question",
    [
        'Who likes "Snow") (knn "x")?',
        'Who likes Snow\\" (or',
        "Who likes Snow?; (comment",
        "Who\u00a0likes\tSnow?\r\n",
        "  Who LIKES Snow?  ",
        "Who likes Snow\x00\x1b[31m?",
        "Who likes Cafe\u0301 or Snow?",
    ],
)
def test_the_question_stands_in_knn_as_it_is(question: str) -> None:
    for reply in ("(snow)", '")) (knn "a', "(or (knn"):
        for extractor in (Rules(), ByModel(ScriptedModel([reply]))):
            query = rewrite(question, vocabulary=NAMED, extractor=extractor).query
            (knn,) = [node for node in query.walk() if isinstance(node, Knn)]
            assert knn.text == question


@given(st.text(st.characters(exclude_categories=["Cs"]), max_size=40), st.text(max_size=40))
def test_whatever_is_asked_and_answered_is_one_query_with_one_knn(question: str, answer: str) -> None:
    given: Extractor
    for vocabulary in (TEXT, RELATED):
        for given in (Rules(), ByModel(ScriptedModel([answer]))):
            made = rewrite(question, vocabulary=vocabulary, extractor=given)
            assert parse(print_query(made.query)) == made.query
            assert [node.text for node in made.query.walk() if isinstance(node, Knn)] == [question]
            lexical = [node.text for node in made.query.walk() if isinstance(node, Lex | Exact)]
            assert all(text in made.keywords for text in lexical)


def test_the_same_question_gives_the_same_query() -> None:
    rules = Rules()
    made = [rewrite("Who likes Snow or Honey?", vocabulary=RELATED, extractor=rules) for _ in range(3)]
    assert made[0] == made[1] == made[2] == rewrite("Who likes Snow or Honey?", vocabulary=RELATED, extractor=Rules())
