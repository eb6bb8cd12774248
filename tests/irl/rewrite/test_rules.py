"""Keywords without a model: what the collection says of a question that stands alone."""

from __future__ import annotations

import time

import pytest
from tests.irl.rewrite.listed import LIKERS, listed

from askance.irl.rewrite.counted import CountedVocabulary
from askance.irl.rewrite.extractor import Extractor
from askance.irl.rewrite.rules import Rules
from askance.irl.rewrite.vocabulary import Vocabulary

V = listed(LIKERS)


def found(question: str, vocabulary: Vocabulary = V, rules: Extractor | None = None) -> tuple[list[str], str]:
    """Keywords as they were found, and the rule."""
    given = (rules or Rules()).find(question, vocabulary)
    (stage,) = given.stages
    assert stage.output == "; ".join(keyword.text for keyword in given.keywords)
    return [keyword.text for keyword in given.keywords], stage.rule


@pytest.mark.parametrize(
    ("question", "keywords"),
    [
        ("Who likes Snow?", ["Snow"]),
        ("who likes snow?", ["snow"]),
        ("WHO LIKES SNOW?", ["SNOW"]),
        ("Who Likes Snow?", ["Snow"]),
        ("Who likes SNOW?", ["SNOW"]),
        ("Who likes Likes?", ["Likes"]),
        ("Who likes LIKES?", ["LIKES"]),
        ("who likes likes?", ["likes"]),
        ("find fans of Snow", ["Snow"]),
        ("find fans of SNOW", ["SNOW"]),
        ("find fans of Fans", ["Fans"]),
        ("find fans of FANS", ["FANS"]),
        ("Which people are fond of Snow?", ["Snow"]),
        ("Which people are fond of People?", ["People"]),
        ("Wer mag Snow?", ["Snow"]),
        ("¿A quién le gusta Snow?", ["Snow"]),
        ("Snowが好きな人は誰ですか？", ["Snow"]),
        ("誰が東京を好きですか", ["東京"]),
        ("Blorp zint Snow frumious?", ["Snow"]),
        ("Snow", ["Snow"]),
        ("snow?", ["snow"]),
        ("Who likes Apple Cider?", ["Apple Cider"]),
        ("Who likes Apple Cider Vinegar?", ["Apple Cider Vinegar"]),
        ("Who likes Peter, Paul and Mary?", ["Peter, Paul and Mary"]),
        ("Who likes PETER PAUL AND MARY?", ["PETER PAUL AND MARY"]),
        ("Who likes Paul or Mary?", ["Paul", "Mary"]),
        ("Who likes Snow or Honey?", ["Snow", "Honey"]),
        ("Snow or Honey?", ["Snow", "Honey"]),
        ("Who likes Snow, Honey or Snow?", ["Snow", "Honey"]),
        ("who likes snow or honey", ["snow", "honey"]),
        ("Who likes Levi's Jeans?", ["Levi's Jeans"]),
        ("Who likes AT&T?", ["AT&T"]),
        ("who likes at t?", ["at t"]),
        ("Who likes the U.S.A.?", ["the U.S.A"]),
        ("Who likes 3.14?", ["3.14"]),
        ("Who likes C++?", ["C"]),
        ("Who likes (Brackets)?", ["Brackets"]),
        ("Who likes ❤️?", ["❤️"]),
        ("Who likes rock'n'roll?", ["rock'n'roll"]),
        ("Who likes Ρόδος?", ["Ρόδος"]),
        ("Who likes the feeling of rain?", ["the feeling of rain"]),
        ("Who likes Ivy?", ["Ivy"]),
    ],
)
def test_items_that_stand_in_the_question(question: str, keywords: list[str]) -> None:
    assert found(question) == (keywords, "an item" if len(keywords) == 1 else "several items")


def test_items_left_out_are_told() -> None:
    (stage,) = Rules().find("Which people are fond of Snow?", V).stages
    assert stage.notes == ("'people' is an item too, and left out: its writing says less",)
    (stage,) = Rules().find("WHO LIKES SNOW?", V).stages
    assert stage.notes == ("'LIKES' is an item too, and left out: nearly every document or question has it",)


def test_what_cannot_be_told_apart_is_asked_for_both() -> None:
    """Small letters throughout, and "fans" is an item as much as "snow" is: only other questions can tell."""
    assert found("find fans of snow")[0] == ["fans", "snow"]
    batch = [f"find fans of {thing}" for thing in ("snow", "honey", "ivy", "tea")]
    assert found("find fans of snow", rules=Rules(batch))[0] == ["snow"]
    assert found("find fans of fans", rules=Rules([*batch, "find fans of fans"]))[0] == ["fans"]
    assert found("find fans of snow", rules=Rules(batch[:2]))[0] == ["fans", "snow"]


@pytest.mark.parametrize("question", ["Who likes Snow?", "Who does not like Snow?", "Who ever likes Snow?"])
def test_the_capital_that_begins_a_question_says_nothing(question: str) -> None:
    assert found(question, listed([*LIKERS, "Kit likes Who; The Who."]))[0] == ["Snow"]


def test_items_in_small_letters() -> None:
    vocabulary = listed(["Ann likes snow; honey.", "Bob likes fans; ivy."])
    assert found("find fans of Snow", vocabulary)[0] == ["Snow"]
    assert found("Who likes Snow or Honey?", vocabulary)[0] == ["Snow", "Honey"]
    assert found("find Fans of snow", listed(["Ann likes snow.", "Bob likes FANS."]))[0] == ["Fans"]


@pytest.mark.parametrize(
    ("question", "keyword"),
    [
        ("Who likes Birch Tree?", "birch trees"),
        ("Who likes the birch tree?", "birch trees"),
        ("Who likes Snow Leopard?", "snow leopards"),
        ("find fans of Birch Tree", "birch trees"),
        ("Who likes Teas?", "tea"),
    ],
)
def test_an_item_in_another_form_is_taken_and_told(question: str, keyword: str) -> None:
    given = Rules().find(question, V)
    assert [(one.text, one.settled) for one in given.keywords] == [(keyword, True)]
    assert given.stages[0].flagged
    assert repr(keyword) in given.stages[0].notes[-1]


def test_a_longer_item_that_is_nearly_there_needs_as_much_evidence() -> None:
    vocabulary = listed(["Ann likes Fishing; Magnet Fishing.", "Bob likes Fishing Rods."])
    assert found("Wer mag Fishing?", vocabulary)[0] == ["Fishing"]
    assert found("Wer mag fishing?", vocabulary)[0] == ["fishing"]
    assert found("Who likes Fishing rod?", vocabulary)[0] == ["Fishing"]
    assert found("Who likes Fishing Rod?", vocabulary)[0] == ["fishing rods"]
    assert found("who likes fishing rodes?", vocabulary)[0] == ["fishing rods"]


@pytest.mark.parametrize(
    ("question", "keywords"),
    [
        ("Who likes Leopards?", ["Leopards"]),
        ("who likes cider vinegar?", ["cider vinegar"]),
        ("Who likes Dark Ties?", ["Dark"]),
        ("Who likes Birch?", ["Birch"]),
    ],
)
def test_else_the_longest_phrase_inside_items(question: str, keywords: list[str]) -> None:
    given = Rules().find(question, V)
    assert ([one.text for one in given.keywords], given.stages[0].rule) == (keywords, "a phrase inside items")
    assert given.stages[0].flagged


def test_else_a_phrase_of_the_text_for_documents_outside_the_schema() -> None:
    vocabulary = listed([*LIKERS, "A blue whale was seen off Ystad."])
    assert found("Who saw the Blue Whale?", vocabulary) == (["Blue Whale"], "a phrase of the text")


@pytest.mark.parametrize(
    "question", ["Who likes Zebrafish?", "find fans of Zebrafish", "Wer mag Quokkas?", "???", "", " "]
)
def test_nothing_is_found_where_there_is_nothing(question: str) -> None:
    keywords, _ = found(question, listed(["Ann likes Snow; Honey; Likes.", "Bob likes Tea."]))
    assert keywords == []


TEXTS = [
    "Ann likes Snow, Honey and Birch Trees.",
    "Bob likes Birch Trees, Macaroni and Cheese and Hip Hop Music.",
    "Cy likes Apple Cider Vinegar, the Detroit Tigers and Snow.",
    "Di likes Rock Music, People Watching and Tea.",
    "Ed likes Apple Cider, Pop Music and Hot Springs.",
]


@pytest.mark.parametrize(
    ("question", "keywords"),
    [
        ("Who likes Birch Trees?", ["Birch Trees"]),
        ("Who likes Macaroni and Cheese?", ["Macaroni and Cheese"]),
        ("Who likes the Detroit Tigers?", ["the Detroit Tigers"]),
        ("Who likes Snow?", ["Snow"]),
        ("Which people are fond of Snow?", ["Snow"]),
        ("which people are fond of apple cider?", ["apple cider"]),
        ("Wer mag Birch Trees?", ["Birch Trees"]),
        ("Birch Treesが好きな人は誰ですか？", ["Birch Trees"]),
        ("Blorp zint Hip Hop Music frumious?", ["Hip Hop Music"]),
        ("WHO LIKES HIP HOP MUSIC", ["HIP HOP MUSIC"]),
        ("Who likes Zebrafish?", []),
        ("Who likes?", []),
    ],
)
def test_one_text_field_without_items(question: str, keywords: list[str]) -> None:
    assert found(question, CountedVocabulary.of(TEXTS))[0] == keywords


def test_two_phrases_of_a_text() -> None:
    vocabulary = CountedVocabulary.of(["fix a memory leak in the parser", "Samba: new release", "nothing else here"])
    assert found("Who fixed the memory leak in the parser of Samba?", vocabulary)[0] == [
        "memory leak in the parser",
        "Samba",
    ] or found("Who fixed the memory leak in the parser of Samba?", vocabulary)[0] == ["leak in the parser", "Samba"]


def test_the_collection_may_change_between_questions() -> None:
    rules = Rules(["Who likes Snow?"] * 3)
    assert found("Who likes Snow?", listed(["Ann likes Snow."]), rules)[0] == ["Snow"]
    assert found("Who likes Honey?", listed(["Ann likes Honey."]), rules)[0] == ["Honey"]


@pytest.mark.parametrize(
    "question",
    ["snow " * 20_000, "Who likes " + "zebra " * 20_000, "peter paul and " * 5_000, "a" * 100_000, "🙂" * 20_000],
    ids=["item", "unknown", "almost", "one word", "emoji"],
)
def test_hostile_questions_take_little_time(question: str) -> None:
    begun = time.perf_counter()
    Rules().find(question, V)
    assert time.perf_counter() - begun < 4
