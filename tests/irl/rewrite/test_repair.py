from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from askance.irl.rewrite.repair import repair
from askance.irl.rewrite.sanitise import sanitise
from askance.text.analyzer import Analyzer

TERMS = Analyzer().terms


@pytest.mark.parametrize(
    ("keyword", "question", "output"),
    [
        ("birch-trees", "Who likes Birch Trees?", "birch trees"),
        ("levis-jeans", "Who likes Levi's Jeans?", "levi's jeans"),
        ("levi's-jeans", "Who likes Levi’s Jeans?", "levi’s jeans"),
        ("levis-jeans", "Who likes Levi＇s jeans?", "levi＇s jeans"),
        ("odoyle", "Where is O'Doyle?", "o'doyle"),
        ("usa", "Who likes the U.S.A.?", "u.s.a"),
        ("u-s-a", "Who likes the U.S.A.?", "u.s.a"),
        ("314", "Who likes 3.14?", "3.14"),
        ("att", "Who likes AT&T?", "at t"),
        ("rb", "Who likes R&B?", "r b"),
        ("newyork", "Who likes New York?", "new york"),
        ("new-york-city", "Who likes NewYork City?", "newyork city"),
        ("birch-tree", "Who likes Birch Trees?", "birch trees"),
        ("birch-trees", "Who likes the birch tree?", "birch tree"),
        ("apple-cidr", "Who likes Apple Cider?", "apple cider"),
        ("apple-jiuce", "Who likes Apple Juice?", "apple juice"),
        ("stand-up-comedy", "Who likes Stand-up Comedy?", "stand up comedy"),
        ("東京", "誰が東京タワーを？", "東 京"),
        ("rock-n-roll", "Who likes rock'n'roll?", "rock'n'roll"),
        ("snow", "Who likes Snow Leopards in snow?", "snow"),
        ("f16", "Who flies the F-16?", "f 16"),
        ("1000000", "Who has 1,000,000?", "1,000,000"),
    ],
)
def test_the_questions_own_form(keyword: str, question: str, output: str) -> None:
    stage = repair(keyword, question)
    assert (stage.stage, stage.output, stage.flagged) == ("repair", output, False)
    assert f" {output} " in f" {' '.join(TERMS(question))} "


@pytest.mark.parametrize(
    ("keyword", "question"),
    [
        ("conifers", "Who likes Birch Trees?"),
        ("hot-chocolate", "Who likes hot springs and dark chocolate?"),
        ("birch-forest", "Who likes Birch Trees?"),
        ("snow-weather", "Who likes Snow?"),
        ("trees-birch", "Who likes Birch Trees?"),
        ("wowowow", "Who likes Snow?"),
        ("cat", "Who likes a concatenation?"),
        ("snow", ""),
        ("snow", "???"),
    ],
)
def test_what_does_not_stand_in_the_question_is_kept_and_flagged(keyword: str, question: str) -> None:
    stage = repair(keyword, question)
    assert (stage.output, stage.rule, stage.flagged) == (keyword.replace("-", " "), "kept", True)
    assert "does not stand in the question" in stage.notes[0]


def test_an_empty_keyword_stays_empty() -> None:
    assert repair("", "Who likes Snow?").output == ""
    assert repair("--", "Who likes Snow?").flagged


def test_the_same_words_go_before_the_same_letters() -> None:
    assert repair("at-t", "att or at t").output == "at t"
    assert repair("att", "at t or att").output == "att"


WORDS = st.sampled_from(
    ["levi's", "jeans", "AT&T", "U.S.A.", "3.14", "hot", "Chocolate", "東京", "tree", "trees", "a", "b-c"]
)


@given(st.lists(WORDS, min_size=1, max_size=8), st.data())
def test_a_run_of_the_question_comes_back_whatever_was_dropped(words: list[str], data: st.DataObject) -> None:
    """Without apostrophes, points and word breaks it is found again; what comes back always stands in the question."""
    first = data.draw(st.integers(0, len(words) - 1))
    last = data.draw(st.integers(first + 1, len(words)))
    question = " ".join(words)
    wanted = "".join(TERMS(" ".join(words[first:last])))
    dropped = "".join(filter(str.isalnum, wanted))
    stage = repair(dropped, question)
    assert not stage.flagged
    assert "".join(filter(str.isalnum, stage.output)) == dropped
    assert f" {stage.output} " in f" {' '.join(TERMS(question))} "


@given(st.text(max_size=20), st.text(max_size=40))
def test_never_joins_what_is_not_adjacent(keyword: str, question: str) -> None:
    stage = repair(sanitise(keyword).output, question)
    assert stage.flagged or f" {stage.output} " in f" {' '.join(TERMS(question))} "


@pytest.mark.parametrize(
    ("keyword", "question"),
    [
        ("-".join("b" * 300), "a " * 2_000),
        ("-".join("b" * 100), "a " * 300),
        ("-".join(["ab"] * 4_000), "ab " * 5_000),
        ("a" * 5_001, "aa " * 5_000),
        ("x" * 99_999, "x" * 100_000),
    ],
)
def test_hostile_texts_take_little_time(keyword: str, question: str) -> None:
    begun = time.perf_counter()
    repair(keyword, question)
    assert time.perf_counter() - begun < 2
