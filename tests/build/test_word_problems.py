"""Word problems: the arithmetic of each story, whose gold is what, and that a near miss looks nearer than gold."""

from __future__ import annotations

import random
import re
from collections import Counter
from fractions import Fraction

import pytest

from askance.build.made import made
from askance.build.stories import STORIES
from askance.data.adapters.gsm_plus import NEAR_MISS_TYPES
from askance.data.collection import Collection

# First thing of the story, a, b, c → answer; and the answer with one operation more, whose number is 4.
WORKED = [
    ("lanterns", (3, 5, 40), "25", "21"),
    ("litres of cider", (7, 3, 6), "25", "21"),
    ("plums", (11, 9, 4), "5", "4"),
    ("lighthouse", (3, 12, 5), "41", "45"),
    ("carpet", (6, 4, 5), "19", "23"),
    ("chronicle", (90, 8, 7), "34", "38"),
    ("goats", (6, 3, 5), "48", "52"),
    ("cart", (30, 8, 9), "47", "43"),
    ("loaf", (3, 2, 7), "35", "39"),
    ("clocks", (5, 8, 3), "120", "116"),
    ("cistern", (24, 9, 7), "12", "10"),
    ("hammer", (20, 25, 27), "24", "19"),
]


@pytest.fixture(scope="module")
def problems() -> Collection:
    return made("gsm-plus", 7)


def numbers(text: str) -> Counter[str]:
    return Counter(re.findall(r"\d+(?:[./]\d+)?", text))


@pytest.mark.parametrize(("thing", "abc", "answer", "with_more"), WORKED)
def test_arithmetic(thing: str, abc: tuple[int, int, int], answer: str, with_more: str) -> None:
    (story,) = [story for story in STORIES if story.things[0] == thing]
    a, b, c = map(Fraction, abc)
    assert story.solve(a, b, c) == Fraction(answer)
    assert story.solve_added(a, b, c, Fraction(4)) == Fraction(with_more)


def test_every_story_is_worked() -> None:
    assert [story.things[0] for story in STORIES] == [thing for thing, *_ in WORKED]


@pytest.mark.parametrize("story", STORIES, ids=lambda story: story.things[0])
@pytest.mark.parametrize("factor", [1, 10])
def test_drawn_numbers_give_sensible_answers(story: object, factor: int) -> None:
    (known,) = [other for other in STORIES if other is story]
    rng = random.Random(5)
    for _ in range(300):
        a, b, c = known.draw(rng, factor)
        assert min(a, b, c) > 0
        answer = known.solve(Fraction(a), Fraction(b), Fraction(c))
        assert answer > 0
        assert answer.denominator == 1
        assert known.solve(Fraction(a), b + Fraction(1, 2), Fraction(c)) > 0
        assert all(known.solve_added(Fraction(a), Fraction(b), Fraction(c), Fraction(d)) > 0 for d in range(2, 9))


def test_gold_is_the_own_paraphrase(problems: Collection) -> None:
    judgments = problems.tier("paraphrase").judgments
    kinds = problems.documents.field("perturbation")
    for at, query in enumerate(problems.queries.ids):
        (gold,) = judgments.of_query(at)[0].tolist()
        assert kinds[gold] == "problem understanding"
        assert problems.documents.ids[gold].split("-")[0] == query
        assert problems.documents.field("answer")[gold] == problems.queries.field("answer")[at]
        assert numbers(problems.documents.field("text")[gold]) == numbers(problems.queries.field("text")[at])


def test_each_problem_has_its_six_near_misses(problems: Collection) -> None:
    assert problems.roles is not None
    kinds = problems.documents.field("perturbation")
    answers = problems.documents.field("answer")
    for at in range(len(problems.queries)):
        answer = problems.queries.field("answer")[at]
        changed = problems.roles.of_query(at, "near-miss").tolist()
        kept = problems.roles.of_query(at, "answer-kept").tolist()
        assert Counter(kinds[row] for row in [*changed, *kept]) == Counter(NEAR_MISS_TYPES)
        assert all(answers[row] == answer for row in kept)
        assert all(answers[row] != answer for row in changed)


def test_a_problem_turned_round_asks_for_what_it_leaves_out(problems: Collection) -> None:
    for at, query in enumerate(problems.queries.ids):
        row = problems.documents.ids.position(f"{query}-reversing-operation")
        assert row is not None
        there, turned = numbers(problems.queries.field("text")[at]), numbers(problems.documents.field("text")[row])
        assert there - turned <= Counter([problems.documents.field("answer")[row]])
        assert turned - there <= Counter([problems.queries.field("answer")[at]])


def test_what_cannot_be_answered_lacks_a_number(problems: Collection) -> None:
    for at, query in enumerate(problems.queries.ids):
        row = problems.documents.ids.position(f"{query}-critical-thinking")
        assert row is not None
        assert problems.documents.field("answer")[row] == "None"
        there, left = numbers(problems.queries.field("text")[at]), numbers(problems.documents.field("text")[row])
        assert (there - left).total() == 1
        assert (left - there).total() == 0


def test_near_misses_read_nearer_than_the_paraphrase(problems: Collection) -> None:
    """The regime of the original: what is alike in words is another problem."""
    words = [set(re.findall(r"\w+", text.lower())) for text in problems.documents.field("text")]
    nearer = 0
    for at, query in enumerate(problems.queries.ids):
        asked = set(re.findall(r"\w+", problems.queries.field("text")[at].lower()))
        rows = [row for row, name in enumerate(problems.documents.ids) if name.split("-")[0] == query]
        likeness = {
            problems.documents.field("perturbation")[row]: len(asked & words[row]) / len(asked | words[row])
            for row in rows
        }
        gold = likeness.pop("problem understanding")
        nearer += max(likeness.values()) > gold
    assert nearer == len(problems.queries)
