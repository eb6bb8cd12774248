"""Household trajectories: 336 logs of an agent in a simulated home, 118 queries for the same procedure.

Files read, below the data folder: TRAJECTORIES and QUERY_BANK (both in qpiai/Proced_mem_bench, Apache-2.0), and one
of FURTHER_QUERIES and FURTHER_QUERIES_ORIGINAL (results/task1_new_query_labels.json of
nabirarashid/structural-retrieval, MIT; the first is a table of the same), of which only identifiers and texts are
used. All labels come from the rules of trajectory_labels.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from askance.core.errors import FileProblem
from askance.data.adapters.trajectory_labels import Goal, Task, asked_goal, described_goal
from askance.data.collection import Collection, Decoys, Documents, Queries, Role, Roles, Tier, Turn
from askance.data.formats.json_tree import JsonNode
from askance.data.formats.lines import read_lines
from askance.data.ids import Ids
from askance.data.judgments import Judgments

TRAJECTORIES = "proced_mem_bench/agentinstruct_trajectories.json"
QUERY_BANK = "proced_mem_bench/query_bank.json"
FURTHER_QUERIES = "structural_retrieval/queries_new78.tsv"
FURTHER_QUERIES_ORIGINAL = "structural_retrieval/task1_new_query_labels.json"

SIBLING = Role("sibling", "same task, same object")
OTHER_OBJECT = Role("other-object", "same task, other object")
NEAR_MISS = Role("near-miss", "other task, same object")
OTHER = Role("other", "other task, other object")

DECOYS = (
    Decoys("other-task", "other task", (NEAR_MISS.name, OTHER.name)),
    Decoys("other-task-same-object", "other task, same object", (NEAR_MISS.name,)),
)


@dataclass(frozen=True, slots=True)
class _Trajectory:
    id: str
    description: str
    steps: Sequence[tuple[int, str, str]]  # number, state, action
    goal: Goal

    @property
    def text(self) -> str:
        """What is embedded."""
        lines = [f"{number}. State: {state} -> Action: {action}" for number, state, action in self.steps]
        return "\n".join([f"Task: {self.description}", "Steps:", *lines])

    @property
    def actions(self) -> str:
        return "\n".join(action for _, _, action in self.steps)

    @property
    def turns(self) -> tuple[Turn, ...]:
        return tuple(
            Turn(speaker, text)
            for _, state, action in self.steps
            for speaker, text in (("state", state), ("action", action))
        )


# Identifier and text of a further query, and what to raise where they will not do: (what was found, remedy).
_Row = tuple[str, str, Callable[[str, str], FileProblem]]


@dataclass(frozen=True, slots=True)
class _Query:
    id: str
    text: str
    goal: Goal
    set: str
    tier: str


def _same_task(query: Goal, document: Goal) -> bool:
    return query.task == document.task


def _same_object(query: Goal, document: Goal) -> bool:
    return not set(query.objects).isdisjoint(document.objects)


def _strict(query: Goal, document: Goal) -> bool:
    return _same_task(query, document) and not _same_object(query, document)


def _strict_raw(query: Goal, document: Goal) -> bool:
    return _same_task(query, document) and query.said != document.said


def _other_place(one: str | None, other: str | None) -> bool:
    """A receptacle that is not named counts as another one; so all examinations differ in theirs."""
    return one is None or other is None or one != other


def _strict_ii(query: Goal, document: Goal) -> bool:
    return _strict(query, document) and _other_place(query.place, document.place)


def _strict_ii_normalised(query: Goal, document: Goal) -> bool:
    return _strict(query, document) and _other_place(query.place_name, document.place_name)


# From easy to hard.
_TIERS: tuple[tuple[str, str, str, Callable[[Goal, Goal], bool]], ...] = (
    ("reference", "any object", "same task type", _same_task),
    (
        "strict-raw",
        "other object, as worded",
        'same task type, and the object is not worded alike ("soap bar" and "soapbar" count as two)',
        _strict_raw,
    ),
    ("strict", "other object (i)", "same task type, another target object", _strict),
    (
        "strict-ii",
        "other object and place (ii)",
        "same task type, another target object, and the goal receptacle is worded differently or not named",
        _strict_ii,
    ),
    (
        "strict-ii-normalised",
        "other object and place (ii), names normalised",
        "same task type, another target object, and another goal receptacle or none named",
        _strict_ii_normalised,
    ),
)


def load(folder: Path) -> Collection:
    """The trajectories under the data folder `folder`; FileProblem where a file is missing or not as published."""
    trajectories = list(_trajectories(folder / TRAJECTORIES))
    bank = JsonNode.of(folder / QUERY_BANK).member("queries")
    released = list(_released(bank))
    asked = [*released, *_further(folder, {query.id for query in released})]
    documents = Documents(
        Ids(trajectory.id for trajectory in trajectories),
        {
            "text": tuple(trajectory.text for trajectory in trajectories),
            "description": tuple(trajectory.description for trajectory in trajectories),
            "actions": tuple(trajectory.actions for trajectory in trajectories),
        },
        turns=tuple(trajectory.turns for trajectory in trajectories),
    )
    queries = Queries(
        Ids(query.id for query in asked),
        {"text": tuple(query.text for query in asked)},
        slices={
            "set": tuple(query.set for query in asked),
            "tier": tuple(query.tier for query in asked),
            "task_type": tuple(query.goal.task.label for query in asked),
        },
    )
    pairs = {
        query.id: {trajectory.id: _role(query.goal, trajectory.goal).name for trajectory in trajectories}
        for query in asked
    }
    return Collection(
        "trajectories",
        documents,
        queries,
        {
            name: Tier(name, label, _judgments(queries.ids, documents.ids, asked, trajectories, gold), rule)
            for name, label, rule, gold in _TIERS
        },
        roles=Roles.of(queries.ids, documents.ids, (SIBLING, OTHER_OBJECT, NEAR_MISS, OTHER), pairs, default=OTHER),
        decoys=DECOYS,
        main="strict",
        compared="description",
        origin=f"qpiai/Proced_mem_bench and nabirarashid/structural-retrieval, read from {folder}",
        notes={"judgments by a language model in the query bank, left out": _judged(bank)},
    )


def _role(query: Goal, document: Goal) -> Role:
    if _same_task(query, document):
        return SIBLING if _same_object(query, document) else OTHER_OBJECT
    return NEAR_MISS if _same_object(query, document) else OTHER


def _judgments(
    queries: Ids,
    documents: Ids,
    asked: Sequence[_Query],
    trajectories: Sequence[_Trajectory],
    gold: Callable[[Goal, Goal], bool],
) -> Judgments:
    grades = {
        query.id: {trajectory.id: 1.0 for trajectory in trajectories if gold(query.goal, trajectory.goal)}
        for query in asked
    }
    return Judgments.of(queries, documents, grades)


def _trajectories(path: Path) -> Iterator[_Trajectory]:
    seen: set[str] = set()
    for node in _some(JsonNode.of(path).member("trajectories")):
        description = node.string("task_description")
        yield _Trajectory(
            _new_id(node, "task_instance_id", seen),
            description,
            [
                (step.integer("step_id"), step.string("state"), step.string("action"))
                for step in node.member("state_action_pairs").items()
            ],
            _described(description, node.member("task_description").problem),
        )


def _described(text: str, problem: Callable[[str, str], FileProblem]) -> Goal:
    goal = described_goal(text)
    if goal is None:
        raise problem(f"{text!r} fits none of the known wordings", "Word it as ALFWorld does: 'put a mug in desk.'")
    return goal


def _released(bank: JsonNode) -> Iterator[_Query]:
    seen: set[str] = set()
    for node in _some(bank):
        name, text = _new_id(node, "query_id", seen), node.string("query_text")
        goal = asked_goal(text, _filed_under(node))
        if goal is None:
            remedy = "Word it like 'Clean a cup and put it in the sink'."
            raise node.member("query_text").problem(f"the query {text!r} fits none of the known wordings", remedy)
        yield _Query(name, text, goal, "old40", node.string("tier"))


def _filed_under(node: JsonNode) -> Task:
    named = node.string("query_type")
    tasks = {task.label: task for task in Task}
    if named not in tasks:
        remedy = f"Known: {', '.join(tasks)}."
        raise node.member("query_type").problem(f"there is no task type {named!r}", remedy)
    return tasks[named]


def _judged(bank: JsonNode) -> int:
    return sum(1 for node in bank.items() for _ in node.member("relevant_trajectories").items())


def _some(listed: JsonNode) -> Iterator[JsonNode]:
    """The entries of a list that must have some."""
    if listed.value == []:
        raise listed.problem("the list is empty")
    return listed.items()


def _new_id(node: JsonNode, key: str, seen: set[str]) -> str:
    name = node.string(key)
    if name in seen:
        raise node.member(key).problem(f"the identifier {name!r} occurs a second time", "Give each its own.")
    seen.add(name)
    return name


def _further(folder: Path, taken: set[str]) -> Iterator[_Query]:
    table, original = folder / FURTHER_QUERIES, folder / FURTHER_QUERIES_ORIGINAL
    rows = _rows_of_original(original) if original.exists() and not table.exists() else _rows_of_table(table)
    seen = set(taken)
    for name, text, problem in rows:
        if name in seen:
            raise problem(f"the query {name!r} occurs a second time", "Give each query its own identifier.")
        seen.add(name)
        yield _Query(name, text, _described(text, problem), "new78", "")


def _rows_of_table(path: Path) -> Iterator[_Row]:
    """Identifier and text of each row of a tab-separated table with a header."""
    lines = read_lines(path)
    _, header = next(lines, (1, ""))
    columns = header.split("\t")
    for wanted in ("query_id", "query_text"):
        if wanted not in columns:
            remedy = "The first line names the columns, tabs between them."
            raise FileProblem(path, f"there is no column {wanted!r}", line=1, text=header, remedy=remedy)
    for number, line in lines:
        cells = line.split("\t")
        if len(cells) != len(columns):
            problem = f"{len(cells)} cells, expected {len(columns)} as in the header"
            raise FileProblem(path, problem, line=number, text=line, remedy="Put one tab between cells.")
        row = dict(zip(columns, cells, strict=True))
        yield row["query_id"], row["query_text"], _problem_on_line(path, number)


def _problem_on_line(path: Path, line: int) -> Callable[[str, str], FileProblem]:
    return lambda found, remedy: FileProblem(path, found, line=line, remedy=remedy)


def _rows_of_original(path: Path) -> Iterator[_Row]:
    for node in JsonNode.of(path).member("new_labeled_queries").items():
        yield node.string("query_id"), node.string("query_text"), node.problem
