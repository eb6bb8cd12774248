"""Logs of an agent in a workshop that exists only here, and queries for the same procedure.

An episode is played, not written: things lie in closed and open places, the agent looks for what the goal needs,
treats it where that can be done, and puts it away. Goals are worded as the trajectories' adapter reads them.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from askance.build.as_published import as_published
from askance.data.adapters.trajectories import FURTHER_QUERIES, QUERY_BANK, TRAJECTORIES, load
from askance.data.adapters.trajectory_labels import Task
from askance.data.collection import Collection

EPISODES, GOALS, ASKED_FREELY, ASKED_LIKE_DOCUMENTS = 336, 180, 40, 78

# What can be done with a thing besides moving and examining it: w wash, h heat, c cool.
THINGS: dict[str, str] = {
    "poker": "h", "beaker": "whc", "bobbin": "", "bucket": "wc", "candle": "c", "chisel": "wh", "clamp": "w",
    "crucible": "whc", "decanter": "wc", "thimble": "", "file": "w", "flask": "whc", "funnel": "w", "gimlet": "",
    "glue pot": "whc", "goblet": "wc", "hinge": "w", "horseshoe": "whc", "needle": "w", "jar": "whc", "jug": "whc",
    "kettle": "wh", "ladle": "wh", "magnet": "hc", "mallet": "", "mould": "whc", "notebook": "", "palette": "w",
    "pebble": "whc", "pulley": "w", "quill": "", "rivet": "hc", "ruler": "w", "scalpel": "whc", "seed packet": "c",
    "sextant": "", "sieve": "w", "spool": "", "stencil": "w", "tile": "whc", "trowel": "w", "tuning fork": "wc",
    "vial": "whc", "wax block": "hc", "whetstone": "w",
}  # fmt: skip
OPEN = ("barrel", "basket", "cart", "ledge", "rack", "workbench")
CLOSED = ("chest", "crate", "cupboard", "hamper", "locker", "trunk")
PLACES = (*OPEN, *CLOSED)

# Where a thing is treated, and what the agent does and sees there.
STATIONS: dict[Task, tuple[str, str, str]] = {
    Task.EXAMINATION: ("desk lamp", "switch on desk lamp 1", "The desk lamp 1 lights up the {thing}."),
    Task.CLEANING: ("trough", "wash {thing} in trough 1", "The {thing} comes out of the trough 1 spotless."),
    Task.HEATING: ("stove", "heat {thing} on stove 1", "The {thing} glows with warmth."),
    Task.COOLING: ("cold box", "cool {thing} in cold box 1", "The {thing} is cold to the touch."),
}
DESCRIBED: dict[Task, tuple[str, str]] = {
    Task.PLACEMENT: ("put a {thing} in {place}.", "put some {thing} on {place}."),
    Task.EXAMINATION: ("examine the {thing} with the desklamp.", "look at {thing} under the desklamp."),
    Task.CLEANING: ("clean some {thing} and put it in {place}.", "put a clean {thing} in {place}."),
    Task.HEATING: ("heat some {thing} and put it in {place}.", "put a hot {thing} in {place}."),
    Task.COOLING: ("cool some {thing} and put it in {place}.", "put a cool {thing} in {place}."),
    Task.MULTI_OBJECT: ("find two {thing} and put them in {place}.", "put two {thing} in {place}."),
}
ASKED: dict[Task, tuple[str, ...]] = {
    Task.PLACEMENT: ("Move a {thing} to the {place}", "Place a {thing} on the {place}", "Put a {thing} in the {place}"),
    Task.EXAMINATION: ("Look at a {thing} under the desk lamp", "Examine a {thing} with the desk lamp"),
    Task.CLEANING: ("Wash a {thing} and put it in the {place}", "Clean the {thing} and place it on the {place}"),
    Task.HEATING: ("Warm a {thing} and place it on the {place}", "Heat some {thing} and put it in the {place}"),
    Task.COOLING: ("Chill a {thing} and put it in the {place}", "Cool the {thing} and place it on the {place}"),
    Task.MULTI_OBJECT: ("Find two {thing}s and put them in the {place}", "Put two {thing}s in the {place}"),
}
_NEEDS = {Task.CLEANING: "w", Task.HEATING: "h", Task.COOLING: "c"}


@dataclass(frozen=True, slots=True)
class Wanted:
    """What an episode or a query is about; examining has no place."""

    task: Task
    thing: str
    place: str | None

    def worded(self, wordings: Sequence[str], rng: random.Random) -> str:
        return rng.choice(wordings).format(thing=self.thing, place=self.place)


def templated_tasks(seed: int) -> Collection:
    """336 episodes, 40 queries in free wording and 78 worded as documents are, for goals that no document has."""
    rng = random.Random(f"templated tasks:{seed}")
    goals: list[Wanted] = []
    unseen: list[Wanted] = []
    for task in Task:
        every = _every_goal(task)
        rng.shuffle(every)
        goals += every[: GOALS // len(Task)]
        unseen += every[GOALS // len(Task) :][: ASKED_LIKE_DOCUMENTS // len(Task)]
    return as_published(
        {
            TRAJECTORIES: json.dumps({"trajectories": list(_episodes(goals, rng))}, ensure_ascii=False),
            QUERY_BANK: json.dumps({"queries": list(_asked_freely(goals, rng))}, ensure_ascii=False),
            FURTHER_QUERIES: _asked_like_documents(unseen, rng),
        },
        load,
    )


def _every_goal(task: Task) -> list[Wanted]:
    """Every goal of the task that makes sense, each once."""
    return [
        Wanted(task, thing, place)
        for thing, allows in THINGS.items()
        if _NEEDS.get(task, "") in allows
        for place in ((None,) if task is Task.EXAMINATION else PLACES)
    ]


def _episodes(goals: Sequence[Wanted], rng: random.Random) -> Iterator[dict[str, object]]:
    """Each goal is played at least once, always under the same description."""
    described = {wanted: wanted.worded(DESCRIBED[wanted.task], rng) for wanted in goals}
    played = [*goals, *(rng.choice(goals) for _ in range(EPISODES - len(goals)))]
    rng.shuffle(played)
    for at, wanted in enumerate(played):
        yield {
            "task_instance_id": f"workshop_{at}",
            "task_description": described[wanted],
            "state_action_pairs": [
                {"step_id": number, "state": state, "action": action}
                for number, (state, action) in enumerate(_Episode(wanted, rng).play(), 1)
            ],
        }


def _asked_freely(goals: Sequence[Wanted], rng: random.Random) -> Iterator[dict[str, object]]:
    """A tier says how near the corpus comes: EASY the very goal, MEDIUM the task with the thing, HARD neither."""
    known, handled = set(goals), {(goal.task, goal.thing) for goal in goals}
    tasks = list(Task)
    asked: set[str] = set()
    while len(asked) < ASKED_FREELY:
        task = tasks[len(asked) % len(tasks)]
        played = [goal for goal in goals if goal.task is task]
        wanted = rng.choice(played if rng.random() < 0.5 else _every_goal(task))
        text = wanted.worded(ASKED[task], rng)
        if text in asked:
            continue
        yield {
            "query_id": f"asked_{len(asked)}",
            "query_text": text,
            "query_type": task.label,
            "tier": "EASY" if wanted in known else "MEDIUM" if (task, wanted.thing) in handled else "HARD",
            "relevant_trajectories": [],
        }
        asked.add(text)


def _asked_like_documents(unseen: Sequence[Wanted], rng: random.Random) -> str:
    rows = [f"new_{at}\t{wanted.worded(DESCRIBED[wanted.task], rng)}" for at, wanted in enumerate(unseen)]
    return "\n".join(["query_id\tquery_text", *rows, ""])


@dataclass
class _Episode:
    """One play: pairs of what the agent sees and what it then does."""

    wanted: Wanted
    rng: random.Random
    steps: list[tuple[str, str]] = field(default_factory=list)

    def play(self) -> list[tuple[str, str]]:
        rooms = self._furnish()
        station = STATIONS.get(self.wanted.task)
        there = [*rooms, *([f"{station[0]} 1"] if station else [])]
        sees = f"You stand in the doorway of a workshop. Within reach are {_listed(there)}."
        search = iter(self.rng.sample(list(rooms), len(rooms)))
        mine: list[tuple[str, str]] = []
        for _ in range(2 if self.wanted.task is Task.MULTI_OBJECT else 1):
            while not mine:
                room = next(search)
                sees = self._look(room, rooms[room], sees)
                mine = [(thing, room) for thing in rooms[room] if thing.rpartition(" ")[0] == self.wanted.thing]
            (thing, room), *mine = mine
            sees = self._do(sees, f"take {thing} from {room}", f"You hold the {thing} from the {room}.")
            if station:
                sees = self._treat(thing, station, sees)
            if self.wanted.place:
                sees = self._put_away(thing, f"{self.wanted.place} 1", sees)
        return self.steps

    def _furnish(self) -> dict[str, list[str]]:
        """Places of the workshop and what lies there; what is wanted lies somewhere else than it shall."""
        kinds = self.rng.sample(PLACES, self.rng.randint(5, 8))
        goal = self.wanted.place or kinds[0]
        kinds = [goal, *(kind for kind in kinds if kind != goal)]
        rooms: dict[str, list[str]] = {
            f"{kind} {number}": [] for kind in kinds for number in range(1, self.rng.randint(1, 3) + 1)
        }
        for thing in self.rng.sample([thing for thing in THINGS if thing != self.wanted.thing], 14):
            rooms[self.rng.choice(list(rooms))].append(f"{thing} {self.rng.randint(1, 2)}")
        elsewhere = [room for room in rooms if room != f"{goal} 1"]
        for number in (1, 2):
            rooms[self.rng.choice(elsewhere)].append(f"{self.wanted.thing} {number}")
        return rooms

    def _look(self, room: str, things: Sequence[str], sees: str) -> str:
        inside = f"Here you see {_listed(things)}." if things else "Here is nothing of use."
        if room.rpartition(" ")[0] in CLOSED:
            sees = self._do(sees, f"go to {room}", f"The {room} is shut.")
            return self._do(sees, f"open {room}", f"You open the {room}. {inside}")
        return self._do(sees, f"go to {room}", f"You are at the {room}. {inside}")

    def _treat(self, mine: str, station: tuple[str, str, str], sees: str) -> str:
        name, act, outcome = station
        sees = self._do(sees, f"go to {name} 1", f"You are at the {name} 1.")
        return self._do(sees, act.format(thing=mine), outcome.format(thing=mine))

    def _put_away(self, mine: str, room: str, sees: str) -> str:
        sees = self._do(sees, f"go to {room}", f"You are at the {room}.")
        return self._do(sees, f"put {mine} in {room}", f"The {mine} is in the {room} now.")

    def _do(self, sees: str, action: str, then: str) -> str:
        self.steps.append((sees, action))
        return then


def _listed(names: Sequence[str]) -> str:
    one = [f"a {name}" for name in names]
    return f"{', '.join(one[:-1])} and {one[-1]}" if len(one) > 1 else one[0]
