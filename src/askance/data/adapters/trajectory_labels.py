"""What a household task is about: task type, target object and goal receptacle, read from its wording by rule.

The tasks are those of ALFWorld. Its own descriptions come in eleven wordings, two a task type and one for plain
placing; people's queries are worded freely, but their type is given.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import IntEnum


class Task(IntEnum):
    """The six task types, numbered as in ALFWorld; the names are those of the released query bank."""

    PLACEMENT = 1
    EXAMINATION = 2
    CLEANING = 3
    HEATING = 4
    COOLING = 5
    MULTI_OBJECT = 6

    @property
    def label(self) -> str:
        return self.name.lower()


@dataclass(frozen=True, slots=True)
class Goal:
    """What a description or query asks for.

    `objects`: names of the simulator, several where the word may mean any of them. `said`: the object as worded.
    `place`: the goal receptacle as worded, None where the task has none. `rule`: name of the wording.
    """

    task: Task
    objects: tuple[str, ...]
    said: str
    place: str | None
    rule: str

    @property
    def place_name(self) -> str | None:
        """The goal receptacle by its name in the simulator."""
        return None if self.place is None else _PLACES.get(self.place, self.place)


# Words of the queries for which the simulator has another name. A name written apart ("soap bar") needs no entry: it
# is joined; nor does one that no trajectory handles (cloth, spatula, saltshaker, vase): it names itself.
_OBJECTS: Mapping[str, tuple[str, ...]] = {
    "bottle": ("glassbottle", "soapbottle", "spraybottle"),
    "phone": ("cellphone",),
}

# "table" has no entry: the simulator has three kinds and the word names none of them.
_PLACES: Mapping[str, str] = {
    "coffee maker": "coffeemachine",
    "counter": "countertop",
    "garbage": "garbagecan",
    "garbage can": "garbagecan",
    "sink": "sinkbasin",
}

_DESCRIBED: tuple[tuple[Task, str, str], ...] = (
    (Task.MULTI_OBJECT, "find_two_X_and_put", r"find two (?P<object>.+) and put them in (?P<place>.+)"),
    (Task.MULTI_OBJECT, "put_two_X_in", r"put two (?P<object>.+) in (?P<place>.+)"),
    (Task.EXAMINATION, "examine_X_with_desklamp", r"examine the (?P<object>.+) with the desklamp"),
    (Task.EXAMINATION, "look_at_X_under_desklamp", r"look at (?P<object>.+) under the desklamp"),
    (Task.CLEANING, "clean_some_X_and_put", r"clean some (?P<object>.+) and put it in (?P<place>.+)"),
    (Task.CLEANING, "put_a_clean_X_in", r"put a clean (?P<object>.+) in (?P<place>.+)"),
    (Task.HEATING, "heat_some_X_and_put", r"heat some (?P<object>.+) and put it in (?P<place>.+)"),
    (Task.HEATING, "put_a_hot_X_in", r"put a hot (?P<object>.+) in (?P<place>.+)"),
    (Task.COOLING, "cool_some_X_and_put", r"cool some (?P<object>.+) and put it in (?P<place>.+)"),
    (Task.COOLING, "put_a_cool_X_in", r"put a cool (?P<object>.+) in (?P<place>.+)"),
)
# Fits "put a clean mug in shelf" too, so it counts only where no other wording fits.
_DESCRIBED_PLAINLY = (Task.PLACEMENT, "put_a_or_some_X_plain", r"put (?:a|some) (?P<object>.+) (?:in|on) (?P<place>.+)")

_ASKED: tuple[tuple[str, str], ...] = (
    ("examine or look at X", r"(?:examine|look at) an? (?P<object>.+?) (?:with|under) the desk lamp(?: .*)?"),
    (
        "treat X and put it",
        r"(?:clean|wash|heat|warm|microwave|cool|chill) (?:an? |some )?(?P<object>.+?) "
        r"and (?:put|place|throw) it (?:away|(?:in|on) the (?P<place>.+))",
    ),
    ("put two Xs", r"(?:find|put) two (?P<object>(?P<one>.+?)s?) (?:and put them )?in the (?P<place>.+)"),
    ("put X", r"(?:put|place|move) an? (?P<object>.+?) (?:in|on|to) the (?P<place>.+)"),
)

# Two queries of the bank whose record or wording misleads the rules.
_MISFILED: Mapping[str, Task] = {"medium_13": Task.COOLING}  # filed under heating, says "chill"
_MISREAD: Mapping[str, str] = {"hard_9": "cup"}  # "a cup with a pen in it": what is to be placed is the cup


def described_goals(text: str) -> tuple[Goal, ...]:
    """What ALFWorld's own wording of a task says, one goal per task type that fits.

    One is the rule. None or several mean that the rules cannot tell.
    """
    goals: dict[Task, Goal] = {}
    for task, name, pattern in _DESCRIBED:
        match = _fit(pattern, text)
        if match:
            goals.setdefault(task, _goal(task, name, match))
    if not goals and (match := _fit(_DESCRIBED_PLAINLY[2], text)):
        return (_goal(_DESCRIBED_PLAINLY[0], _DESCRIBED_PLAINLY[1], match),)
    return tuple(goals.values())


def asked_goal(query: str, text: str, filed_under: Task) -> Goal | None:
    """What a query of the released bank asks for; None where no wording fits.

    `query`: its identifier, by which two known slips of the bank are set right. `filed_under`: its type there.
    """
    for name, pattern in _ASKED:
        match = _fit(pattern, text)
        if match:
            goal = _goal(_MISFILED.get(query, filed_under), name, match)
            meant = _MISREAD.get(query)
            return goal if meant is None else replace(goal, objects=(meant,))
    return None


def _fit(pattern: str, text: str) -> re.Match[str] | None:
    return re.fullmatch(pattern, text.strip().removesuffix("."), re.IGNORECASE)


def _goal(task: Task, rule: str, match: re.Match[str]) -> Goal:
    found = {name: text.lower() for name, text in match.groupdict().items() if text is not None}
    said = found["object"]
    one = found.get("one", said)
    return Goal(task, _OBJECTS.get(one, (one.replace(" ", ""),)), said, found.get("place"), rule)
