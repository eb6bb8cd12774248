"""Episodes in the workshop: they do what they say, and gold is what the rule says."""

from __future__ import annotations

import re

import pytest

from askance.build.made import made
from askance.build.templated_tasks import PLACES, THINGS
from askance.data.collection import Collection

# How each task can be told from its wording; the first that is found counts.
TELLING = (
    ("multi_object", r"\btwo\b"),
    ("examination", r"\bdesk ?lamp\b"),
    ("cleaning", r"\b(clean|wash)\b"),
    ("heating", r"\b(heat|hot|warm)\b"),
    ("cooling", r"\b(cool|chill)\b"),
    ("placement", r"\b(put|place|move)\b"),
)
DOES = {"examination": "switch on desk lamp 1", "cleaning": "wash", "heating": "heat", "cooling": "cool"}


@pytest.fixture(scope="module")
def tasks() -> Collection:
    return made("trajectories", 7)


def read(text: str) -> tuple[str, str, str | None]:
    """Task, thing and place of a wording, by words alone."""
    low = text.lower()
    task = next(name for name, pattern in TELLING if re.search(pattern, low))
    (thing,) = [thing for thing in THINGS if re.search(rf"\b{thing}s?\b", low)]
    place = [place for place in PLACES if re.search(rf"\b{place}\b", low)]
    return task, thing, place[0] if place else None


def test_gold_is_what_the_rule_says(tasks: Collection) -> None:
    wanted = [read(text) for text in tasks.queries.field("text")]
    played = [read(text) for text in tasks.documents.field("description")]
    assert [task for task, _, _ in wanted] == list(tasks.queries.slices["task_type"])
    for at, (task, thing, place) in enumerate(wanted):
        same = {row for row, other in enumerate(played) if other[0] == task}
        strict = {row for row in same if played[row][1] != thing}
        elsewhere = {row for row in strict if place is None or played[row][2] != place}
        for tier, gold in (("reference", same), ("strict", strict), ("strict-ii", elsewhere)):
            assert set(tasks.tier(tier).judgments.of_query(at)[0].tolist()) == gold, (tier, at)


def test_an_episode_does_what_its_description_says(tasks: Collection) -> None:
    assert tasks.documents.turns is not None
    for description, turns in zip(tasks.documents.field("description"), tasks.documents.turns, strict=True):
        task, thing, place = read(description)
        actions = [turn.text for turn in turns if turn.speaker == "action"]
        taken = [action.split(" from ")[0].removeprefix("take ") for action in actions if action.startswith("take ")]
        assert [name.rpartition(" ")[0] for name in taken] == [thing] * (2 if task == "multi_object" else 1)
        assert len(set(taken)) == len(taken)
        for name in taken:
            after = actions[next(at for at, action in enumerate(actions) if action.startswith(f"take {name} ")) :]
            if task in DOES:
                assert any(action.startswith(DOES[task]) for action in after), description
            if place:
                assert f"put {name} in {place} 1" in after, description


def test_what_is_taken_was_seen_there(tasks: Collection) -> None:
    assert tasks.documents.turns is not None
    for turns in tasks.documents.turns:
        room = ""
        seen: dict[str, str] = {}
        for state, action in zip(turns[::2], turns[1::2], strict=True):
            assert (state.speaker, action.speaker) == ("state", "action")
            if "Here you see" in state.text:
                seen[room] = state.text
            if action.text.startswith("go to "):
                room = action.text.removeprefix("go to ")
            if action.text.startswith("take "):
                thing, place = action.text.removeprefix("take ").split(" from ")
                assert f"a {thing}" in seen[place]


def test_queries_ask_freely_or_for_goals_that_no_document_has(tasks: Collection) -> None:
    descriptions = tasks.documents.field("description")
    assert len(set(descriptions)) == 180
    played = {read(description) for description in descriptions}
    sets = tasks.queries.slices["set"]
    assert (sets.count("old40"), sets.count("new78")) == (40, 78)
    near: dict[str, set[bool]] = {}
    for text, which, tier in zip(tasks.queries.field("text"), sets, tasks.queries.slices["tier"], strict=True):
        if which == "new78":
            assert read(text) not in played
        else:
            near.setdefault(tier, set()).add(read(text) in played)
    assert near == {"EASY": {True}, "MEDIUM": {False}, "HARD": {False}}
