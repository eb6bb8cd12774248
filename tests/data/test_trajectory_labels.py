"""Labels by rule, held against the labels that the source published."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

from askance.data.adapters.trajectory_labels import Goal, Task, asked_goal, described_goal


def table(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))


@pytest.mark.parametrize(
    ("text", "task", "thing", "place"),
    [
        ("find two laptop and put them in bed.", Task.MULTI_OBJECT, "laptop", "bed"),
        ("put two cup in microwave.", Task.MULTI_OBJECT, "cup", "microwave"),
        ("examine the pen with the desklamp.", Task.EXAMINATION, "pen", None),
        ("look at box under the desklamp.", Task.EXAMINATION, "box", None),
        ("clean some ladle and put it in cabinet.", Task.CLEANING, "ladle", "cabinet"),
        ("put a clean soapbar in toilet.", Task.CLEANING, "soapbar", "toilet"),
        ("heat some egg and put it in garbagecan.", Task.HEATING, "egg", "garbagecan"),
        ("put a hot egg in diningtable.", Task.HEATING, "egg", "diningtable"),
        ("cool some pot and put it in countertop.", Task.COOLING, "pot", "countertop"),
        ("put a cool tomato in microwave", Task.COOLING, "tomato", "microwave"),
        ("put a kettle in shelf.", Task.PLACEMENT, "kettle", "shelf"),
        ("  PUT some Box ON diningtable. ", Task.PLACEMENT, "box", "diningtable"),
    ],
)
def test_the_wordings_of_the_simulator(text: str, task: Task, thing: str, place: str | None) -> None:
    goal = described_goal(text)
    assert goal is not None
    assert (goal.task, goal.objects, goal.said, goal.place) == (task, (thing,), thing, place)


@pytest.mark.parametrize("text", ["", "dance", "I put a mug in sink", "put mug in sink", "put a mug in"])
def test_what_no_wording_fits(text: str) -> None:
    assert described_goal(text) is None
    assert asked_goal(text, Task.PLACEMENT) is None


BOTTLES = ("glassbottle", "soapbottle", "spraybottle")
CHILL = "Chill a potato and place it in the microwave"


@pytest.mark.parametrize(
    ("text", "filed", "task", "objects", "said", "place", "place_name"),
    [
        ("Put two pens in the sink", 6, 6, ("pen",), "pens", "sink", "sinkbasin"),
        ("Put a bottle on the counter", 1, 1, BOTTLES, "bottle", "counter", "countertop"),
        ("Look at a phone under the desk lamp", 2, 2, ("cellphone",), "phone", None, None),
        ("Clean a soap bar and throw it away", 3, 3, ("soapbar",), "soap bar", None, None),
        ("Chill an apple and place it on the table", 5, 5, ("apple",), "apple", "table", "table"),
        ("Clean the flask and place it on the ledge", 3, 3, ("flask",), "flask", "ledge", "ledge"),
        ("Wash some thin ice and put it in the sink", 3, 3, ("thinice",), "thin ice", "sink", "sinkbasin"),
        ("Place the cup to the sofa", 1, 1, ("cup",), "cup", "sofa", "sofa"),
        (CHILL, 4, 5, ("potato",), "potato", "microwave", "microwave"),
        ("Put a potato in the microwave", 4, 4, ("potato",), "potato", "microwave", "microwave"),
        ("Place a cup with a pen in it on the desk", 1, 1, ("cup",), "cup", "desk", "desk"),
    ],
)
def test_queries_in_free_wording(
    text: str,
    filed: int,
    task: int,
    objects: tuple[str, ...],
    said: str,
    place: str | None,
    place_name: str | None,
) -> None:
    goal = asked_goal(text, Task(filed))
    assert goal is not None
    assert (goal.task, goal.objects, goal.said) == (task, objects, said)
    assert (goal.place, goal.place_name) == (place, place_name)


def as_published(goal: Goal) -> tuple[str, str, str]:
    return str(int(goal.task)), ",".join(sorted(goal.objects)), goal.place or "null"


def test_all_180_descriptions_as_published(shared_data: Path) -> None:
    rows = table(shared_data / "structural_retrieval" / "corpus_labels.tsv")
    assert len(rows) == 180
    for row in rows:
        goal = described_goal(row["task_description"])
        assert goal is not None
        assert as_published(goal) == (row["task_type"], row["target_object"], row["goal_receptacle"])
        assert goal.rule == row["rule"]


def test_all_78_further_queries_as_published(shared_data: Path) -> None:
    rows = table(shared_data / "structural_retrieval" / "queries_new78.tsv")
    assert len(rows) == 78
    for row in rows:
        goal = described_goal(row["query_text"])
        assert goal is not None
        assert as_published(goal) == (row["task_type"], row["raw_target_object"], row["goal_receptacle"])
        assert goal.rule == row["rule"]


def test_all_40_released_queries_as_published(shared_data: Path) -> None:
    """Types, objects and places; and of the 15 places that no description names as worded, 11 have a name there."""
    bank = json.loads((shared_data / "proced_mem_bench" / "query_bank.json").read_text(encoding="utf-8"))["queries"]
    rows = table(shared_data / "structural_retrieval" / "queries_old40_tiers.tsv")
    known = {row["goal_receptacle"] for row in table(shared_data / "structural_retrieval" / "corpus_labels.tsv")}
    assert len(rows) == len(bank) == 40
    unnamed = []
    for query, row in zip(bank, rows, strict=True):
        goal = asked_goal(query["query_text"], Task[query["query_type"].upper()])
        assert goal is not None
        assert as_published(goal) == (row["task_type"], row["target_objects"], row["goal_receptacle"])
        if goal.task is not Task.EXAMINATION and goal.place not in known:
            unnamed.append(goal)
    assert len(unnamed) == 15
    assert sum(goal.place_name in known for goal in unnamed) == 11
