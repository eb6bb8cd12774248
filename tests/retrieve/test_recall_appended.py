"""A memory that grows: the same answers as one made at once, whatever was broken off in between."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import NoReturn

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from askance.app.recall import open_recall, recall_add, said
from askance.core.errors import BadInput, DataProblem, FileProblem
from askance.data.adapters.agent_logs import Log, Step, plain_record, read_logs
from askance.retrieve.recall.answer import Answer
from askance.retrieve.recall.recall import Recall
from askance.retrieve.recall.store import Store
from askance.views.slots import Slots

THINGS = ["cup", "bowl", "fork", "plate", "ladle", "knife", "mug", "spoon", "pan", "tin"]
PLACES = ["desk", "bed", "sofa", "crate", "drawer", "tray", "basin", "sack", "trunk", "bench"]
TASKS = [
    ("fetch the cup to the desk", None),
    ("burn the pan behind the sofa", "you see a pan on the bed"),
    ("polish the moon over the hills", None),
]


def trajectories() -> list[Log]:
    """150 of 200 tasks, in an order of no meaning."""
    made = [
        Log(
            f"{verb} {at}",
            f"{verb} the {thing} {where} the {place}",
            (Step(f"you see a {thing}", "take it"), Step(f"a {place}", "go")),
            {"won": "yes"},
        )
        for verb, where in (("fetch", "to"), ("burn", "behind"))
        for at, (thing, place) in enumerate((thing, place) for thing in THINGS for place in PLACES)
    ]
    return random.Random(4).sample(made, 150)


ALL = trajectories()


def answers(memory: Recall) -> list[Answer]:
    return [memory.recall(task, state, k=150) for task, state in TASKS]


def written(path: Path, logs: list[Log]) -> Path:
    path.write_text("".join(json.dumps(plain_record(log)) + "\n" for log in logs), encoding="utf-8")
    return path


AT_ONCE = answers(Recall.of(ALL))


def test_these_tasks_tell_memories_apart() -> None:
    assert [one.abstained for one in AT_ONCE] == [False, False, True]
    assert answers(Recall.of(ALL[:-1])) != AT_ONCE
    assert answers(Recall.of(ALL[::-1])) != AT_ONCE


@settings(max_examples=15, deadline=None)
@given(st.lists(st.integers(0, len(ALL)), max_size=6).map(sorted))
def test_grown_is_as_made_at_once(cuts: list[int]) -> None:
    parts = [ALL[start:end] for start, end in zip([0, *cuts], [*cuts, len(ALL)], strict=True)]
    grown = Recall.of(parts[0])
    assert sum(grown.append_all(part) for part in parts[1:]) == len(ALL) - len(parts[0])
    grown.relearn()
    assert answers(grown) == AT_ONCE


@settings(max_examples=15, deadline=None)
@given(st.integers(0, len(ALL)))
def test_with_given_slots_nothing_is_learned_again(cut: int) -> None:
    slots = Slots.learn(log.goal for log in ALL[:20])
    grown = Recall.of(ALL[:cut], slots=slots)
    for log in ALL[cut:]:
        grown.append(log)
    assert answers(grown) == answers(Recall.of(ALL, slots=slots))


def test_files_are_added_to_a_new_memory(tmp_path: Path) -> None:
    memory = tmp_path / "memory"
    first = recall_add(memory, written(tmp_path / "a.jsonl", ALL[:100]))
    second = recall_add(memory, written(tmp_path / "b.jsonl", ALL[80:]))
    assert (first.added, first.known, first.total) == (100, 0, 100)
    assert (second.added, second.known, second.total) == (50, 20, 150)
    assert answers(open_recall(memory)) == AT_ONCE
    again = recall_add(memory, written(tmp_path / "b.jsonl", ALL[80:]))
    assert (again.added, again.known, again.total) == (0, 70, 150)
    assert answers(open_recall(memory)) == AT_ONCE


def test_files_are_added_to_logs(tmp_path: Path) -> None:
    memory = written(tmp_path / "logs.jsonl", ALL[:30])
    before = open_recall(memory).slots
    recall_add(memory, written(tmp_path / "more.jsonl", ALL[30:]), relearn=False)
    assert open_recall(memory).slots == before
    assert len(open_recall(memory)) == 150
    recall_add(memory, tmp_path / "more.jsonl")
    assert answers(open_recall(memory)) == AT_ONCE
    assert [log.id for log in read_logs(memory).logs] == [log.id for log in ALL[:30]]


@pytest.mark.parametrize("broken", ["before the logs are there", "before the slots are there"])
def test_what_is_broken_off_is_done_again(tmp_path: Path, broken: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def stop(*_: object) -> NoReturn:
        raise KeyboardInterrupt

    memory = written(tmp_path / "logs.jsonl", ALL[:10])
    more = written(tmp_path / "more.jsonl", ALL[10:])
    early = broken == "before the logs are there"
    with monkeypatch.context() as patched:
        patched.setattr(*((Path, "replace", stop) if early else (Store, "keep_slots", stop)))
        with pytest.raises(KeyboardInterrupt):
            recall_add(memory, more)
    assert len(open_recall(memory)) == (10 if early else 150)
    done = recall_add(memory, more)
    assert (done.added, done.known) == ((140, 0) if early else (0, 140))
    assert answers(open_recall(memory)) == AT_ONCE


def test_all_or_none(tmp_path: Path) -> None:
    memory = written(tmp_path / "logs.jsonl", ALL[:10])
    other = [ALL[20], Log(ALL[0].id, "something else", ()), ALL[21]]
    with pytest.raises(DataProblem, match="two trajectories"):
        recall_add(memory, written(tmp_path / "more.jsonl", other))
    assert len(open_recall(memory)) == 10
    with pytest.raises(FileProblem):
        recall_add(tmp_path / "new", tmp_path / "nothing.jsonl")
    assert not (tmp_path / "new").exists()


def test_what_is_told() -> None:
    memory = Recall.of(ALL)
    goals = {f"burn the {thing} behind the {place}" for thing in THINGS for place in PLACES}
    unseen = min(goals - {log.goal for log in ALL})
    told = said(memory.recall(unseen, "a sofa", k=1))
    assert any(line.startswith("  now, for then: ") for line in told)
    assert any(line.startswith("  enter at step 2 of 2: go") for line in told)
    assert "p = 0.0" in told[-1]
    assert "above chance (level: p at most 0.025, two-sided 5%" in told[-1]
    told = said(memory.recall(TASKS[2][0]))
    assert told[0] == "nothing is recalled: no trajectory stands above chance"
    assert "not above chance" in told[1]
    with pytest.raises(BadInput, match="k is 0"):
        memory.recall("burn", k=0)
