"""Recall: by what to do, the mapping, the step to enter at, abstention, and what is appended."""

from __future__ import annotations

import json
from math import log, sqrt
from pathlib import Path

import numpy as np
import pytest

from askance.build.trajectories.making import make
from askance.build.trajectories.settings import Given, TrajectorySettings
from askance.build.trajectories.writing import write_trajectories
from askance.core.errors import BadInput, DataProblem, FileProblem
from askance.data.adapters import trajectories as published
from askance.data.adapters.agent_logs import Log, Step, read_logs
from askance.models.embedder import FakeEmbedder
from askance.retrieve.recall.answer import Instead, instead
from askance.retrieve.recall.chance import RandomTasks
from askance.retrieve.recall.likeness import ByMeaning, ByWords
from askance.retrieve.recall.recall import Recall

FOREIGN = (
    "book a flight",
    "write an email to my boss about the delay",
    "what is the capital of France",
    "translate this letter to German",
    "fix the failing unit test in the parser",
    "transfer money to a friend",
)


@pytest.fixture(scope="module")
def home(shared_data: Path) -> Recall:
    return Recall.of(read_logs(shared_data / published.TRAJECTORIES).logs)


def kinds(shared_data: Path) -> dict[str, str]:
    """Trajectory → task type, by the published rules."""
    known = published.load(shared_data)
    tier = known.tier("reference").judgments
    found = {}
    for at in range(len(known.queries)):
        for document in tier.of_query(at)[0]:
            found[known.documents.ids[int(document)]] = known.queries.slices["task_type"][at]
    return found


def test_what_to_do_comes_first(home: Recall, shared_data: Path) -> None:
    """The 78 queries that no trajectory has, worded as tasks are: every one is answered by its own kind of task."""
    known = published.load(shared_data)
    kind_of = kinds(shared_data)
    for at, text in enumerate(known.queries.field("text")):
        if known.queries.slices["set"][at] == "new78":
            first = home.recall(text, k=1).recalled[0]
            assert kind_of[first.log.id] == known.queries.slices["task_type"][at], text


def test_the_mapping(home: Recall) -> None:
    answer = home.recall("clean some mug and put it in desk.", k=40)
    assert len(answer.recalled) == 40
    for one in answer.recalled:
        thing, place = one.log.goal.removeprefix("clean some ").removesuffix(".").split(" and put it in ")
        assert [(each.now, each.then) for each in one.instead] == [("mug", thing), ("desk", place)]


def test_what_is_not_said_stands_alone() -> None:
    assert instead({"a": ["mug", "pan"], "b": ["desk"]}, {"a": ["cup"], "c": ["bed"]}) == (
        Instead("a", "mug", "cup"),
        Instead("a", "pan", None),
        Instead("b", "desk", None),
        Instead("c", None, "bed"),
    )


@pytest.mark.parametrize(
    ("state", "action"),
    [
        ("You pick up the cup 1 from the countertop 2.", "go to microwave"),
        ("You heat the cup 1 using the microwave 1.", "go to "),
        (
            "You are in the middle of a room. Looking quickly around you, you see a bed 1, a cabinet 1 and a desk 1.",
            None,
        ),
        ("You are in the middle of a room. Looking quickly around you, you see a bed 1.", None),
    ],
)
def test_the_step_to_enter_at(home: Recall, state: str, action: str | None) -> None:
    """The thing is another one in most of what is recalled: in hand, hot, or where it began."""
    answer = home.recall("put a hot cup in cabinet.", state, k=8)
    assert len(answer.recalled) == 8
    entered = 0
    for one in answer.recalled:
        assert one.step is not None
        then = one.log.steps[one.step]
        thing = one.instead[0].then
        assert thing is not None
        if action is None:
            entered += one.step == 0
        else:
            words = (state.split()[1], thing)
            entered += all(word in then.state for word in words) and then.action.startswith(action)
    assert entered >= 7


def test_the_wanted_thing_decides_among_like_states() -> None:
    kitchen = [
        Log(f"t{at}", f"fetch the {thing} to the {place}", (
            Step("You are at the door", "go to rack"), Step(f"On the rack you see a {other}", "go to shelf"),
            Step(f"On the shelf you see a {thing}", f"take {thing}"), Step(f"You hold the {thing}", f"go to {place}"),
        ))
        for at, (thing, other, place) in enumerate(
            [(a, b, c) for a in THINGS for b in THINGS[:2] if a != b for c in PLACES]
        )
    ]  # fmt: skip
    recall = Recall.of(kitchen)
    answer = recall.recall("fetch the cup to the desk", "On the bed you see a cup", k=20)
    assert [one.step for one in answer.recalled] == [2] * 20
    answer = recall.recall("fetch the cup to the desk", "On the bed you see a pan", k=20)
    assert [one.step for one in answer.recalled] == [1] * 20
    assert {one.step for one in recall.recall("fetch the cup to the desk", k=20).recalled} == {0}
    answer = recall.recall("fetch the cup to the desk", "xyzzy", k=1)
    assert (answer.recalled[0].step, answer.recalled[0].step_score) == (None, 0.0)


THINGS = ["cup", "bowl", "fork", "plate", "ladle", "knife", "mug", "spoon", "pan", "tin"]
PLACES = ["desk", "bed", "sofa", "crate", "drawer", "tray", "basin", "sack", "trunk", "bench"]


@pytest.mark.parametrize("task", FOREIGN)
def test_a_foreign_task_recalls_nothing(home: Recall, task: str) -> None:
    answer = home.recall(task)
    assert answer.abstained
    assert "not above chance" in answer.why
    assert answer.p > 0.025


def test_tasks_of_random_words_are_seldom_answered(home: Recall) -> None:
    """The rule's own level: by construction 2.5 % of them; other draws than those it was made of."""
    words = sorted(
        {word for view in home.slots.views(log.goal for log in home._logs.values()) for word in view.split()}
    )
    rng = np.random.default_rng(12)
    drawn = [" ".join(rng.choice(words, 7)) for _ in range(200)]
    answered = sum(home._random.p(float(row.max()), 7) <= 0.025 for row in home._alike.scores(drawn))
    assert answered <= 12  # P(more | 2.5 %) < 0.005


def test_an_appended_one_is_found_at_once(home: Recall, shared_data: Path) -> None:
    recall = Recall.of(read_logs(shared_data / published.TRAJECTORIES).logs)
    before = recall.slots
    task = "peel the potato over the sink and fry it"
    assert recall.recall(task).abstained
    recall.append(Log("mine", "peel the carrot over the sink and fry it", (Step("", "peel"),)))
    answer = recall.recall(task)
    assert [one.log.id for one in answer.recalled] == ["mine"]
    assert recall.slots is before
    assert len(recall) == len(home) + 1
    with pytest.raises(DataProblem, match="two trajectories 'mine'"):
        recall.append(Log("mine", "rest", ()))
    assert len(recall) == len(home) + 1
    recall.relearn()
    assert recall.slots is not before
    assert recall.recall(task).recalled[0].log.id == "mine"


def test_what_is_appended_is_kept(tmp_path: Path) -> None:
    path = tmp_path / "logs.jsonl"
    goals = [f"fetch the {thing} to the {place}" for thing in THINGS for place in PLACES]
    path.write_text("".join(json.dumps({"goal": goal, "steps": ["go"]}) + "\n" for goal in goals))
    recall = Recall.open(path)
    new = [Log(name, f"burn the {thing} behind the desk", (Step("s", "a"),), {"won": "yes"}) for name, thing in
           (("z", "cup"), ("a", "pan"))]  # fmt: skip
    for each in new:
        recall.append(each)
    again = Recall.open(path)
    assert again.slots == recall.slots
    found = again.recall("burn the fork behind the desk").recalled
    assert [one.log for one in found] == new
    assert again.recall("burn the fork behind the desk") == recall.recall("burn the fork behind the desk")
    again.relearn()
    assert Recall.open(path).slots == again.slots


def test_a_built_folder_is_opened(shared_data: Path, tmp_path: Path, home: Recall) -> None:
    logs = read_logs(shared_data / published.TRAJECTORIES).logs
    write_trajectories(make(Given(logs), TrajectorySettings(queries=5)), tmp_path / "made")
    recall = Recall.open(tmp_path / "made")
    assert recall.recall("put a hot cup in shelf.", "You pick up the cup 1.") == home.recall(
        "put a hot cup in shelf.", "You pick up the cup 1."
    )
    recall.append(Log("mine", "peel the carrot over the sink", ()))
    assert len(Recall.open(tmp_path / "made")) == 337


def test_one_that_is_empty_grows() -> None:
    recall = Recall.of([])
    assert recall.recall("wash a cup").abstained
    recall.append(Log("a", "wash a cup in the sink before dinner", ()))
    assert len(recall) == 1
    with pytest.raises(BadInput, match="the task is empty"):
        recall.recall(" ")
    with pytest.raises(DataProblem, match="no goal"):
        recall.append(Log("b", "  ", ()))


def test_what_cannot_be_opened(tmp_path: Path) -> None:
    with pytest.raises(FileProblem):
        Recall.open(tmp_path / "nothing")
    (tmp_path / "corpus.jsonl").write_text('{"_id": "d", "text": "x"}\n')
    (tmp_path / "queries.jsonl").write_text('{"_id": "q", "text": "x"}\n')
    (tmp_path / "qrels").mkdir()
    (tmp_path / "qrels" / "test.tsv").write_text("query-id\tcorpus-id\tscore\nq\td\t1\n")
    with pytest.raises(FileProblem, match="no description"):
        Recall.open(tmp_path)


def test_likeness_by_words_is_the_cosine() -> None:
    found = ByWords()
    found.add(["put a cup", "take a pan"])
    found.add(["put a pan"])
    idf = {n: log(1 + (3 - n + 0.5) / (n + 0.5)) for n in range(4)}
    asked = {"put": 2, "a": 3, "mug": 0, "put a": 2, "a mug": 0}
    third = {"put": 2, "a": 3, "pan": 2, "put a": 2, "a pan": 2}
    dot = sum(idf[n] ** 2 for term, n in asked.items() if term in third)
    norms = sqrt(sum(idf[n] ** 2 for n in asked.values())) * sqrt(sum(idf[n] ** 2 for n in third.values()))
    assert found.scores(["put a mug"])[0, 2] == pytest.approx(dot / norms)
    assert found.scores(["put a pan"])[0, 2] == pytest.approx(1)
    assert found.scores(["zz"]).tolist() == [[0, 0, 0]]


def test_with_an_embedder(shared_data: Path) -> None:
    embedder = FakeEmbedder()
    texts = [f"text {at}" for at in range(70)]
    found = ByMeaning(embedder)
    found.add(texts)
    direct = embedder.embed(texts[:2], "query") @ embedder.embed(texts, "document").T
    assert found.scores(texts[:2]) == pytest.approx(direct, abs=1e-6)
    recall = Recall.of(read_logs(shared_data / published.TRAJECTORIES).logs, embedder=embedder)
    first = recall.recall("put a hot pan in shelf.", k=1).recalled[0]
    assert first.log.goal.startswith("put a hot ")
    assert first.score == pytest.approx(1)


def test_p_counts_the_draws() -> None:
    likeness = ByWords()
    likeness.add(["put a cup", "take a pan"])
    tasks = RandomTasks(["put a cup", "take a pan"], likeness, 0)
    best = np.sort(tasks.best(3))
    assert tasks.p(2.0, 3) == 1 / 401
    assert tasks.p(float(best[200]), 3) == (1 + np.count_nonzero(best >= best[200] - 1e-9)) / 401
    assert tasks.p(0.0, 3) == 1
    assert RandomTasks([], likeness, 0).p(1.0, 3) == 1
