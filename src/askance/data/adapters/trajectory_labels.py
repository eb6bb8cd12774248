"""What a household task is about: task type, target object and goal receptacle, read from its wording by rule.

The tasks are those of ALFWorld. Its own descriptions come in eleven wordings, two a task type and one for plain
placing; people's queries are worded freely, but their type is given.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
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

# Tried in order. All but the last begin differently; the last fits "put a clean mug in shelf" too.
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
    (Task.PLACEMENT, "put_a_or_some_X_plain", r"put (?:a|some) (?P<object>.+) (?:in|on) (?P<place>.+)"),
)

_ASKED: tuple[tuple[str, str], ...] = (
    ("examine or look at X", r"(?:examine|look at) (?:an?|the) (?P<object>.+?) (?:with|under) the desk lamp(?: .*)?"),
    (
        "treat X and put it",
        r"(?P<verb>clean|wash|heat|warm|microwave|cool|chill) (?:an? |some |the )?(?P<object>.+?) "
        r"and (?:put|place|throw) it (?:away|(?:in|on) the (?P<place>.+))",
    ),
    ("put two Xs", r"(?:find|put) two (?P<object>(?P<one>.+?)s?) (?:and put them )?in the (?P<place>.+)"),
    # In "a cup with a pen in it" the cup is what is to be placed.
    (
        "put X",
        r"(?:put|place|move) (?:an?|some|the) (?P<object>.+?)(?: with an? .+ in it)? (?:in|on|to) the (?P<place>.+)",
    ),
)

_TREATMENTS: Mapping[str, Task] = {
    "clean": Task.CLEANING,
    "wash": Task.CLEANING,
    "heat": Task.HEATING,
    "warm": Task.HEATING,
    "microwave": Task.HEATING,
    "cool": Task.COOLING,
    "chill": Task.COOLING,
}


def described_goal(text: str) -> Goal | None:
    """What ALFWorld's own wording of a task says; None where no wording fits."""
    for task, name, pattern in _DESCRIBED:
        match = _fit(pattern, text)
        if match:
            return _goal(task, name, match)
    return None


def asked_goal(text: str, filed_under: Task) -> Goal | None:
    """What a freely worded query asks for; None where no wording fits.

    `filed_under`: its task type in the query bank. A verb of treatment outranks it: one query is filed under heating
    and says "chill". Without such a verb the bank decides: "put a potato in the microwave" is filed under heating.
    """
    for name, pattern in _ASKED:
        match = _fit(pattern, text)
        if match:
            verb = match.groupdict().get("verb")
            return _goal(_TREATMENTS[verb.lower()] if verb else filed_under, name, match)
    return None


def _fit(pattern: str, text: str) -> re.Match[str] | None:
    return re.fullmatch(pattern, text.strip().removesuffix("."), re.IGNORECASE)


def _goal(task: Task, rule: str, match: re.Match[str]) -> Goal:
    found = {name: text.lower() for name, text in match.groupdict().items() if text is not None}
    said = found["object"]
    one = found.get("one", said)
    return Goal(task, _OBJECTS.get(one, (one.replace(" ", ""),)), said, found.get("place"), rule)
