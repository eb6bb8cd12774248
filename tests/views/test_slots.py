"""Slots: learned, described, adjusted, and put into texts."""

from __future__ import annotations

import json
import random
import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.views.made_goals import PLACES, THINGS, VERBS, templated

from askance.core.errors import FileProblem, UnknownName
from askance.views.classes import SlotSettings
from askance.views.slots import Slots, report

LEARNED = Slots.learn(templated())


def test_classes_and_why() -> None:
    assert LEARNED.method == "templates"
    assert LEARNED.linked > 0.9
    assert {each.name: set(each.members) for each in LEARNED.open if each.rule is None} == {
        "unita": set(THINGS),
        "unitb": set(PLACES),
    }
    closed = [set(each.members) for each in LEARNED.classes if not each.open]
    assert set(VERBS) in closed
    assert {"a", "two"} in closed
    assert LEARNED.named("unita").why == "10 words fill the same frames, more than 5"
    assert LEARNED.named("unita").size == pytest.approx(10, abs=0.5)
    assert {each.name for each in LEARNED.open if each.rule} == {"unitnumber", "unitidentifier", "unitname"}
    assert {"some", "and", "put", "it", "in"} <= set(LEARNED.structure)


def test_the_report_has_a_line_a_class_the_open_ones_first() -> None:
    lines = report(LEARNED, most=3)
    assert len(lines) == len(LEARNED.classes)
    assert re.fullmatch(r"unit[ab] open: \w+, \w+, \w+, … \(\d+ words fill the same frames, more than 5\)", lines[0])
    assert "kept" in lines[-1]


@pytest.mark.parametrize(
    ("text", "view", "held"),
    [
        ("clean some mug and put it in bed.", "clean some unita and put it in unitb",
         {"unita": ("mug",), "unitb": ("bed",)}),
        ("Clean some MUG and put it in Bed", "clean some unita and put it in unitb",
         {"unita": ("MUG",), "unitb": ("Bed",)}),
        ("Put two mugs in desk!", "put two unita in unitb", {"unita": ("mugs",), "unitb": ("desk",)}),
        ("put a hot mug in sink", "put a hot unita in unitb", {"unita": ("mug",), "unitb": ("sink",)}),
        ("put a blicket in sink", "put a unita in unitb", {"unita": ("blicket",), "unitb": ("sink",)}),
        ("put a mug 3 in shelf 12", "put a unita in unitb", {"unita": ("mug 3",), "unitb": ("shelf 12",)}),
        ("put a box in box", "put a unita in unitb", {"unita": ("box",), "unitb": ("box",)}),
        ("heat 12 of x86 for Anna", "heat unitnumber of unitidentifier for unitname",
         {"unitnumber": ("12",), "unitidentifier": ("x86",), "unitname": ("Anna",)}),
        ("", "", {}),
        (" .. ", "", {}),
        ("take it, take it; take it\n put it", "take it, put it", {}),
    ],
)  # fmt: skip
def test_views(text: str, view: str, held: dict[str, tuple[str, ...]]) -> None:
    found = LEARNED.view(text)
    assert (found.text, dict(found.slots)) == (view, held)


def test_segments_are_said_as_often_as_they_occur_and_slots_stand_apart_where_asked() -> None:
    plain = Slots.learn(templated(), settings=SlotSettings(once=False, joined=False, rules=("number",)))
    assert plain.view("take it, take it: put a mug 3 in sink").text == (
        "take it, take it: put a unita unitnumber in unitb"
    )
    assert {each.rule for each in plain.classes} == {None, "number"}


def test_a_word_of_a_class_stays_where_its_class_never_stands() -> None:
    """As "microwave" is a place, and also what one does."""
    assert LEARNED.view("sink two pen in desk").text == "sink two unita in unitb"


def test_renamed_things_give_the_same_views() -> None:
    drawn = random.Random(4)
    made = {word: "".join(drawn.choice("bdfgk") + drawn.choice("aeiou") for _ in range(3)) for word in THINGS + PLACES}
    assert len(set(made.values())) == len(made)

    def renamed(text: str) -> str:
        return re.sub(r"\w+", lambda word: made.get(word[0], word[0]), text)

    texts = templated()
    again = Slots.learn(map(renamed, texts))
    assert again.views(map(renamed, texts)) == LEARNED.views(texts)


def test_neither_order_nor_repeats_change_what_is_learned() -> None:
    texts = templated()
    shuffled = random.Random(1).sample(texts, len(texts))
    assert Slots.learn([*shuffled, *texts[:50]]) == LEARNED


def test_queries_are_read_where_given() -> None:
    texts, queries = templated(), ["put two zither in desk."]
    assert "zither" not in LEARNED.named("unita").members
    assert "zither" in Slots.learn(texts, queries).named("unita").members


def test_what_is_described_is_read_back(tmp_path: Path) -> None:
    tree = json.loads(json.dumps(LEARNED.describe()))
    again = Slots.model_validate(tree)
    assert again == LEARNED
    assert again.views(templated(1)) == LEARNED.views(templated(1))
    LEARNED.save(tmp_path / "slots.json")
    assert Slots.load(tmp_path / "slots.json") == LEARNED


@pytest.mark.parametrize("content", [None, "", "[]", '{"method": "magic"}'])
def test_a_file_that_is_none_is_told(tmp_path: Path, content: str | None) -> None:
    path = tmp_path / "slots.json"
    if content is not None:
        path.write_text(content)
    with pytest.raises(FileProblem, match=re.escape(str(path))):
        Slots.load(path)


def test_classes_and_words_may_be_kept_and_classes_hidden() -> None:
    verbs = next(each.name for each in LEARNED.classes if set(each.members) == set(VERBS))
    changed = LEARNED.adjusted(keep=("unitb", "mug"), hide=(verbs,))
    assert changed.view("clean some mug and put it in sink").text == f"{verbs} some mug and put it in sink"
    assert changed.view("clean some pan and put it in sink").text == f"{verbs} some unita and put it in sink"
    assert changed.named("unitakept").members == ("mug",)
    assert "mug" not in changed.named("unita").members
    assert LEARNED.view("put two mug in sink").text == "put two unita in unitb"
    assert LEARNED.adjusted() == LEARNED


@pytest.mark.parametrize("names", [{"keep": ("unitz",)}, {"hide": ("unitz",)}, {"hide": ("mug",)}, {"keep": ("put",)}])
def test_unknown_classes_are_told(names: dict[str, tuple[str, ...]]) -> None:
    with pytest.raises(UnknownName):
        LEARNED.adjusted(**names)


@pytest.mark.parametrize("texts", [[], [""], ["..."], ["one"], ["one two"], ["a b c", "a b d"], ["x"] * 5])
@pytest.mark.parametrize("method", ["auto", "templates", "contexts"])
def test_too_little_to_learn_from_leaves_texts_as_they_are(texts: list[str], method: str) -> None:
    learned = Slots.learn(texts, settings=SlotSettings.model_validate({"method": method}))
    assert not [each for each in learned.open if each.rule is None]
    assert learned.view("Put a mug in the sink.").text == "put a mug in the sink"


def test_names_of_slots_are_no_words_of_the_collection() -> None:
    learned = Slots.learn([*templated(), "put a unitb in sink."])
    assert learned.view("put two mug in sink").text == "put two slota in slotb"


@settings(max_examples=60, deadline=None)
@given(st.text(max_size=80))
def test_any_text_has_a_view(text: str) -> None:
    found = LEARNED.view(text)
    assert all(words and all(word.strip() for word in words) for words in found.slots.values())
    again = LEARNED.words_of(text)
    assert {each.name for each in LEARNED.classes} >= set(again)
