"""Questions that join items by and, or, not: read between the items, never inside one, and answered whole."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.irl.rewrite.listed import LIKERS, listed

from askance.data.fields.schema import Fact, Fields
from askance.engines.evaluate import Evaluation
from askance.engines.leaves_in_memory import Held, LeavesInMemory
from askance.irl.printer import print_query
from askance.irl.rewrite.composition import composition_of
from askance.irl.rewrite.rewriter import rewrite
from askance.irl.rewrite.rules import Rules

VOCABULARY = listed([*LIKERS, "Ned does not like Snow; Tea.", "Ola likes Salt and Vinegar; Salt; Vinegar; Rock."])
KEYWORDS = ("snow", "honey", "tea", "ivy")


@pytest.mark.parametrize(
    ("question", "read"),
    [
        ("Who likes Snow or Honey?", "snow or honey"),
        ("Who likes Snow or Honey or Tea?", "snow or honey or tea"),
        ("Who likes Snow and also likes Honey?", "snow and honey"),
        ("Who likes Snow and also likes both Honey and Tea?", "snow and honey and tea"),
        ("Who likes Snow and also likes Honey but not Tea?", "snow and honey but not tea"),
        ("Who likes Snow but not Honey?", "snow but not honey"),
        ("Who likes Snow as well as Honey?", "snow and honey"),
        ("Who likes both Snow and Honey?", "snow and honey"),
        ("Who likes Snow without Honey?", "snow but not honey"),
        ("Who likes Snow, except those who like Honey?", "snow but not honey"),
        ("Who likes either Snow or Honey?", "snow or honey"),
        ("Who likes neither Snow nor Honey?", "anything but not snow but not honey"),
        ("Who likes Snow, Honey or Tea?", "snow or honey or tea"),
        ("Who likes Snow, Honey and Tea?", "snow and honey and tea"),
        ("Who likes Snow, Honey, and Tea?", "snow and honey and tea"),
        ("Who likes Snow and Honey or Tea and Ivy?", "(snow and honey) or (tea and ivy)"),
        ("Who likes Snow but not Honey or Tea?", "snow but not honey but not tea"),
        ("Who likes Snow but not Honey, Tea?", "snow but not honey but not tea"),
        ("Who likes Snow and doesn't like Honey?", "snow but not honey"),
        ("Who likes Snow but not Honey and also likes Tea?", "snow and tea but not honey"),
        ("Who likes Snow & Honey?", "snow and honey"),
        ("Who likes Snow + Honey?", "snow and honey"),
        ("Snow, Honey", "snow or honey"),
        ("Wer mag Snow und Honey, aber nicht Tea?", "snow and honey but not tea"),
        ("Qui aime Snow et Honey mais pas Tea ?", "snow and honey but not tea"),
        ("¿A quién le gusta Snow y Honey pero no Tea?", "snow and honey but not tea"),
        ("A chi piace Snow o Honey?", "snow or honey"),
        ("Who likes Snow in addition to Honey?", "snow and honey"),
        ("Who likes Snow alongside Honey?", "snow and honey"),
        ("Who likes not only Snow but also Honey?", "snow and honey"),
        ("Who likes Snow other than Honey?", "snow but not honey"),
        ("Who likes Snow apart from Honey?", "snow but not honey"),
        ("Who likes Snow rather than Honey?", "snow but not honey"),
        ("Who likes Snow instead of Honey?", "snow but not honey"),
        ("Who likes Snow with the exception of Honey?", "snow but not honey"),
        ("Who likes Snow unless they like Honey?", "snow but not honey"),
        ("Who likes Snow but dislikes Honey?", "snow but not honey"),
        ("Who likes Snow and not Honey?", "snow but not honey"),
        ("Who likes Snow or Honey, but neither Tea nor Ivy?", "snow or honey but not tea but not ivy"),
        ("Who likes Snow and either Honey or Tea?", "(snow and honey) or (snow and tea)"),
        ("Who likes at least one of Snow, Honey and Tea?", "snow or honey or tea"),
        ("Who likes any of Snow, Honey, Tea?", "snow or honey or tea"),
        ("Who likes all of Snow, Honey, Tea?", "snow and honey and tea"),
        ("Who likes none of Snow, Honey?", "anything but not snow but not honey"),
        ("Who likes anything but Snow?", "anything but not snow"),
        ("Who likes everything except Snow?", "anything but not snow"),
        ("Who likes Snow then Honey?", "snow or honey"),
    ],
)
def test_how_keywords_are_joined(question: str, read: str) -> None:
    keywords = re.findall("|".join(rf"\b{keyword}\b" for keyword in KEYWORDS), question.lower())
    plain = listed(LIKERS, named=False)
    assert str(composition_of(question, keywords, plain, "fields")) == read


@pytest.mark.parametrize(
    ("question", "keyword"),
    [
        ("Who likes Salt and Vinegar?", "salt and vinegar"),
        ("Who likes Peter, Paul and Mary?", "peter paul and mary"),
    ],
)
def test_an_item_with_and_in_it_is_one(question: str, keyword: str) -> None:
    assert rewrite(question, vocabulary=VOCABULARY, extractor=Rules()).keyword == keyword


def printed(question: str, **how: Any) -> str:
    made = rewrite(question, vocabulary=VOCABULARY, extractor=Rules(), **how)
    return " ".join(print_query(made.query).split())


def test_alternatives_alone_are_what_they_were() -> None:
    made = rewrite("Who likes Snow or Honey?", vocabulary=VOCABULARY, extractor=Rules(), without_knn=True)
    assert not made.stages[-1].rule.startswith("composed")
    assert " ".join(print_query(made.query).split()) == (
        '(or (relation "likes" (or (exact "snow") (lex "snow" :field items)))'
        ' (relation "likes" (or (exact "honey") (lex "honey" :field items))))'
    )


def test_the_query_of_each_form() -> None:
    question = "Who likes Snow and Honey but not Tea?"
    wanted = (
        '(and (relation "likes" (or (exact "snow") (lex "snow" :field items)))'
        ' (relation "likes" (or (exact "honey") (lex "honey" :field items))))'
    )
    without = '(not (relation "likes" (exact "tea")))'
    assert printed(question, without_knn=True) == f"(and {wanted} {without})"
    assert printed(question) == f'(and (or (knn "{question}") {wanted}) {without})'
    of_text = '(and (and (lex "snow") (lex "honey")) (not (lex "tea")))'
    assert printed(question, form="text", without_knn=True) == of_text
    text = rewrite(question, vocabulary=VOCABULARY, extractor=Rules(), form="text")
    assert text.stages[-1].notes == ("in text alone a longer item around an excluded one is excluded too",)


@pytest.mark.parametrize(
    ("question", "words"),
    [
        ("Who likes Snow and Honey but not Zebras?", ["Zebras"]),
        ("Who likes Snow and also likes zebras?", ["zebras"]),
        ("Who likes Zebras or Snow?", ["Zebras"]),
        ("Who likes Snow and Zebras but not Honey?", ["Zebras"]),
        ("Who likes Snow, and who also likes Honey?", []),
        ("Who likes Snow in addition to Honey?", []),
        ("Who likes Snow?", []),
        ("Who likes Snow these days?", []),
        ("Who likes Snow or Honey?", []),
    ],
)
def test_what_is_joined_and_not_there_is_said(question: str, words: list[str]) -> None:
    last = rewrite(question, vocabulary=VOCABULARY, extractor=Rules(), without_knn=True).stages[-1]
    left_out = [note for note in last.notes if "is left out" in note]
    assert left_out == [f"{word!r} is left out: the collection has nothing that it names" for word in words]
    assert last.flagged == bool(words)


def test_text_alone_says_what_it_cannot_tell() -> None:
    made = rewrite("Who likes Snow and Honey?", vocabulary=VOCABULARY, extractor=Rules(), form="text")
    assert made.stages[-1].notes == ("in text alone a longer item around one that is asked for counts as that item",)
    assert rewrite("Who likes Snow and Honey?", vocabulary=VOCABULARY, extractor=Rules()).stages[-1].notes == ()


def test_what_is_only_excluded_leaves_the_nearest_others() -> None:
    one, both = "Who likes anything but Snow?", "Who likes neither Snow nor Tea?"
    snow, tea = (f'(not (relation "likes" (exact "{item}")))' for item in ("snow", "tea"))
    assert printed(one, without_knn=True) == snow
    assert printed(one) == f'(and (knn "{one}") {snow})'
    assert printed(both, without_knn=True) == f"(and {snow} {tea})"
    assert printed(both) == f'(and (knn "{both}") {snow} {tea})'


def test_one_item_alone_is_not_composed() -> None:
    assert composition_of("Who likes Snow?", ("snow",), VOCABULARY, "fields") is None
    assert composition_of("Who likes Snow?", (), VOCABULARY, "fields") is None
    assert composition_of("Who likes Snow?", ("honey", "snow"), VOCABULARY, "fields") is None


def test_another_relation_is_no_negation() -> None:
    """Where the collection knows who does not like it, that is asked for."""
    made = rewrite("Who likes Snow but does not like Tea?", vocabulary=VOCABULARY, extractor=Rules(), without_knn=True)
    assert '(relation "does not like"' in print_query(made.query)
    assert "(not" not in print_query(made.query)


THINGS = ("Snow", "Snow Leopards", "Honey", "Tea", "Iced Tea", "Ivy", "Hot Springs", "Salt and Vinegar", "Rock")
TEMPLATES: dict[str, Callable[[list[bool]], bool]] = {
    "Who likes {0}?": lambda holds: holds[0],
    "Who likes {0} or {1}?": lambda holds: holds[0] or holds[1],
    "Who likes {0} or {1} or {2}?": lambda holds: any(holds),
    "Who likes {0} and also likes {1}?": lambda holds: holds[0] and holds[1],
    "Who likes {0} and also likes both {1} and {2}?": all,
    "Who likes {0} and also likes {1} but not {2}?": lambda holds: holds[0] and holds[1] and not holds[2],
    "Who likes {0} but not {1}?": lambda holds: holds[0] and not holds[1],
}


@settings(max_examples=60, deadline=None)
@given(st.randoms(use_true_random=False), st.sampled_from(sorted(TEMPLATES)))
def test_answers_are_those_that_hold_what_is_asked(chance: random.Random, template: str) -> None:
    """Exact holders first, all of them, against plain sets."""
    held = [tuple(chance.sample(THINGS, chance.randint(1, 6))) for _ in range(40)]
    texts = [f"Ann{at} likes {'; '.join(items)}." for at, items in enumerate(held)]
    vocabulary = listed(texts)
    documents = [
        Held(text, Fields(f"Ann{at}", (Fact(items, "likes"),)))
        for at, (text, items) in enumerate(zip(texts, held, strict=True))
    ]
    count = 3 if "{2}" in template else 2 if "{1}" in template else 1
    asked = chance.sample(THINGS, count)
    if any(not vocabulary.holders_of_item(" ".join(vocabulary.analyzer.terms(item))) for item in asked):
        return
    gold = [at for at, items in enumerate(held) if TEMPLATES[template]([item in items for item in asked])]
    query = rewrite(template.format(*asked), vocabulary=vocabulary, extractor=Rules(), without_knn=True).query
    ranking = Evaluation(LeavesInMemory(documents)).ranking(query, 1000)
    assert sorted(ranking.positions[: len(gold)].tolist()) == gold
