"""Logs of agents: what each was to do, and the steps it took. Four layouts, told apart by what a file holds.

- `conversations` of turns with `from` and `value` (and `loss`), as AgentInstruct and AgentGym publish them: JSONL, a
  JSON list, or Parquet.
- One JSON object with `trajectories`: AgentInstruct's conversations as Proced_mem_bench publishes them
  (`task_instance_id`, `task_description`, `state_action_pairs` of `step_id`, `state`, `action`).
- JSONL, or a JSON list, of `messages` with `role`, `content` and `tool_calls`, as chat endpoints in the manner of
  OpenAI take them.
- JSONL, or a JSON list, of `goal`, `steps` and `metadata`, with an `id` where there is one.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from askance.core.errors import FileProblem
from askance.data.adapters.agent_logs_conversations import (
    LAST_SEEN,
    TURNS,
    action_of,
    observed,
    told,
    values_of,
)
from askance.data.collection import Turn
from askance.data.formats.json_tree import JsonNode
from askance.data.formats.lines import read_json_lines, read_lines

METADATA = "metadata."
"""What the field of a document begins with that holds one of the metadata of its log."""

_PLAIN = 'A line is {"goal": "…", "steps": ["…" or {"state": "…", "action": "…"}, …], "metadata": {…}}.'
_CHAT = 'A line is {"messages": [{"role": "user", "content": "…"}, …]}; a call of a tool has a name and arguments.'
_LAYOUTS = f'Known: "conversations" of turns; one JSON object with "trajectories"; "messages"; goals. {_PLAIN}'
_ENDINGS = (".json", ".jsonl", ".parquet")


@dataclass(frozen=True, slots=True)
class Step:
    """What the agent saw, and what it then did; either may be empty."""

    state: str
    action: str


@dataclass(frozen=True, slots=True)
class Log:
    """One run of an agent. `goal`: what it was to do, in words; `metadata`: named values, as text."""

    id: str
    goal: str
    steps: tuple[Step, ...]
    metadata: Mapping[str, str] = field(default_factory=dict)

    @property
    def text(self) -> str:
        """All of it, as the benchmark of procedural memory embeds it."""
        lines = [f"{at}. State: {step.state} -> Action: {step.action}" for at, step in enumerate(self.steps, start=1)]
        return "\n".join([f"Task: {self.goal}", "Steps:", *lines])

    @property
    def turns(self) -> tuple[Turn, ...]:
        """Two turns a step: state, action."""
        return tuple(turn for step in self.steps for turn in (Turn("state", step.state), Turn("action", step.action)))


@dataclass(frozen=True, slots=True)
class Logs:
    """What a file holds. `notes`: what was left out or is odd, reason → count."""

    logs: Sequence[Log]
    notes: Mapping[str, int]


def read_logs(path: str | Path) -> Logs:
    """The logs of a file, or of all .json, .jsonl and .parquet files of a folder in the order of their names.

    FileProblem, with file and line, on a layout that is not known, a log without a goal, and an identifier that
    occurs twice. Logs without steps are kept and counted.
    """
    path = Path(path)
    notes: Counter[str] = Counter()
    seen: dict[str, str] = {}
    logs = []
    for file in _files(path):
        for log, where in _of_file(file, notes):
            if log.id in seen:
                problem = f"the identifier {log.id!r} occurs a second time; it was first in {seen[log.id]}"
                raise FileProblem(where, problem, remedy="Give each log its own id.")
            seen[log.id] = where
            notes["logs without steps"] += not log.steps
            logs.append(log)
    if not logs:
        raise FileProblem(path, "there are no logs in it", remedy=_LAYOUTS)
    return Logs(tuple(logs), {reason: count for reason, count in notes.items() if count})


def has_logs(folder: Path) -> bool:
    """Whether a folder has files that `read_logs` would read."""
    return any(file.suffix in _ENDINGS for file in folder.iterdir())


def log_of(record: Mapping[str, object], path: Path, line: int | None, identifier: str) -> Log:
    """A log from {"goal", "steps", "metadata"}; `identifier` where it names none. FileProblem on anything else."""
    goal, steps, metadata = record.get("goal"), record.get("steps", []), record.get("metadata", {})
    if not isinstance(goal, str) or not goal.strip():
        raise FileProblem(path, "'goal' is missing or no text", line=line, remedy=_PLAIN)
    if not isinstance(steps, list):
        raise FileProblem(path, "'steps' is no list", line=line, remedy=_PLAIN)
    if not isinstance(metadata, dict):
        raise FileProblem(path, "'metadata' is no object", line=line, remedy=_PLAIN)
    values = {key: value if isinstance(value, str) else json.dumps(value) for key, value in metadata.items()}
    return Log(_id(record, identifier), goal, tuple(_step(step, path, line) for step in steps), values)


def plain_record(log: Log) -> dict[str, object]:
    """A log as a line of the plain layout; `log_of` reads it back."""
    steps = [{"state": step.state, "action": step.action} for step in log.steps]
    return {"id": log.id, "goal": log.goal, "steps": steps, "metadata": dict(log.metadata)}


def _files(path: Path) -> list[Path]:
    if not path.is_dir():
        return [path]
    found = sorted(file for file in path.iterdir() if file.suffix in _ENDINGS)
    if not found:
        raise FileProblem(path, "there is no .json, .jsonl or .parquet file in it", remedy=_LAYOUTS)
    return found


def _of_file(path: Path, notes: Counter[str]) -> Iterator[tuple[Log, str]]:
    if path.suffix == ".parquet":
        for row, record in enumerate(_rows(path), start=1):
            try:
                yield _one(record, path, None, f"{path.stem}-{row}", notes), f"{path}, row {row}"
            except FileProblem as problem:
                raise FileProblem(path, f"row {row}: {problem.problem}", remedy=problem.remedy) from None
    elif _is_lines(path):
        for line, record in read_json_lines(path):
            yield _one(record, path, line, f"{path.stem}-{line}", notes), f"{path}:{line}"
    else:
        yield from _whole(path, notes)


def _one(record: Mapping[str, object], path: Path, line: int | None, name: str, notes: Counter[str]) -> Log:
    """The log of a record, by what it holds; `name`: its identifier where it has none."""
    if TURNS in record:
        found = told(record[TURNS], path, line, notes)
        return Log(_id(record, name), found.goal, tuple(Step(*step) for step in found.steps), values_of(record, notes))
    if "messages" in record:
        return _chat(record, path, line, name, notes)
    if "goal" in record:
        return log_of(record, path, line, name)
    has = ", ".join(map(repr, record)) or "nothing"
    raise FileProblem(
        path, f"neither 'goal' nor 'messages' nor {TURNS!r} is there; there is {has}", line=line, remedy=_PLAIN
    )


def _rows(path: Path) -> list[dict[str, object]]:
    import polars

    try:
        return polars.read_parquet(path).to_dicts()
    except OSError as error:
        raise FileProblem(path, f"cannot be read: {error.strerror or error}", remedy="Name a file of logs.") from None
    except polars.exceptions.PolarsError as error:
        raise FileProblem(path, f"the Parquet data is damaged: {error}", remedy="Fetch or write it again.") from None


def _whole(path: Path, notes: Counter[str]) -> Iterator[tuple[Log, str]]:
    """A file that is one JSON value: a list of records, or an object with `trajectories`."""
    whole = JsonNode.of(path)
    if isinstance(whole.value, dict) and any(key in whole.value for key in (TURNS, "messages", "goal")):
        yield _one(whole.value, path, None, path.stem, notes), str(path)
        return
    if not isinstance(whole.value, list):
        yield from ((log, str(path)) for log in _published(whole))
        return
    for at, node in enumerate(whole.items(), start=1):
        if not isinstance(node.value, dict):
            raise node.problem("this is no log", _LAYOUTS)
        try:
            yield _one(node.value, path, None, f"{path.stem}-{at}", notes), f"{path}, entry {at}"
        except FileProblem as problem:
            raise node.problem(problem.problem, problem.remedy or _LAYOUTS) from None


def _is_lines(path: Path) -> bool:
    """Whether the first line that is not blank is a whole JSON object other than one with `trajectories`."""
    for _, text in read_lines(path):
        if text and not text.isspace():
            try:
                first = json.loads(text)
            except ValueError:
                return path.suffix == ".jsonl"
            return isinstance(first, dict) and "trajectories" not in first
    raise FileProblem(path, "the file is empty", remedy=_LAYOUTS)


def _published(whole: JsonNode) -> Iterator[Log]:
    if not isinstance(whole.value, dict) or "trajectories" not in whole.value:
        raise whole.problem("this is no object with the key 'trajectories'", _LAYOUTS)
    for node in whole.member("trajectories").items():
        goal = node.string("task_description")
        if not goal.strip():
            raise node.member("task_description").problem("the task is empty")
        pairs = node.member("state_action_pairs").items()
        source = node.value.get("source") if isinstance(node.value, dict) else None
        yield Log(
            node.string("task_instance_id"),
            goal,
            tuple(Step(pair.string("state"), pair.string("action")) for pair in pairs),
            {"source": source} if isinstance(source, str) else {},
        )


def _chat(record: Mapping[str, object], path: Path, line: int | None, name: str, notes: Counter[str]) -> Log:
    """The first message of the user is the goal; each call or word of the assistant is a step after what it saw."""
    messages = record["messages"]
    if not isinstance(messages, list) or not all(isinstance(message, dict) for message in messages):
        raise FileProblem(path, "'messages' is no list of objects", line=line, remedy=_CHAT)
    goal, state = "", ""
    steps: list[Step] = []
    for message in messages:
        role, said = message.get("role"), _said(message.get("content"), notes)
        if role in ("system", "developer"):
            notes["messages of the system, left out"] += 1
        elif role == "user" and not goal:
            goal = said
        elif role in ("user", "tool", "function"):
            seen = observed(said)
            state = f"{state}\n{seen}" if state else seen
        elif role == "assistant":
            for action in _actions(message, said, path, line, notes):
                steps.append(Step(state, action))
                state = ""
        else:
            raise FileProblem(path, f"a message has the role {role!r}", line=line, remedy=_CHAT)
    notes[LAST_SEEN] += bool(state and steps)
    if not goal.strip():
        raise FileProblem(path, "there is no message of the user, which says what to do", line=line, remedy=_CHAT)
    metadata = record.get("metadata", {})
    given = metadata if isinstance(metadata, dict) else {}
    notes["metadata that is no object, left out"] += not isinstance(metadata, dict)
    values = {str(key): value if isinstance(value, str) else json.dumps(value) for key, value in given.items()}
    return Log(_id(record, name), goal, tuple(steps), values)


def _actions(message: Mapping[str, object], said: str, path: Path, line: int | None, notes: Counter[str]) -> list[str]:
    calls = message.get("tool_calls") or []
    if not isinstance(calls, list):
        raise FileProblem(path, "'tool_calls' is no list", line=line, remedy=_CHAT)
    actions = []
    for call in calls:
        function = call.get("function") if isinstance(call, dict) else None
        if not isinstance(function, dict) or not isinstance(function.get("name"), str):
            raise FileProblem(path, "a call of a tool names no function", line=line, remedy=_CHAT)
        actions.append(" ".join([function["name"], *_arguments(function.get("arguments", {}))]))
    return actions or ([action_of(said, notes)] if said.strip() else [])


def _arguments(given: object) -> list[str]:
    """`key: value` of each argument; what is no JSON object, as it is written."""
    if isinstance(given, str):
        try:
            given = json.loads(given) if given.strip() else {}
        except ValueError:
            return [str(given)]
    if not isinstance(given, dict):
        return [json.dumps(given, ensure_ascii=False)]
    return [
        f"{key}: {value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)}"
        for key, value in given.items()
    ]


def _said(content: object, notes: Counter[str]) -> str:
    """The text of a message; parts that are no text are counted."""
    if content is None:
        return ""
    if isinstance(content, str):
        return content
    parts = content if isinstance(content, list) else [content]
    texts = [part["text"] for part in parts if isinstance(part, dict) and isinstance(part.get("text"), str)]
    notes["parts of messages that are no text, left out"] += len(parts) - len(texts)
    return "\n".join(texts)


def _step(given: object, path: Path, line: int | None) -> Step:
    if isinstance(given, str):
        return Step("", given)
    if isinstance(given, dict):
        state, action = given.get("state", ""), given.get("action", "")
        if isinstance(state, str) and isinstance(action, str) and (state or action):
            return Step(state, action)
    shown = json.dumps(given)[:60]
    raise FileProblem(path, f"a step is {shown}, expected a text, or state and action", line=line, remedy=_PLAIN)


def _id(record: Mapping[str, object], otherwise: str) -> str:
    given = next((record[key] for key in ("id", "_id", "item_id") if record.get(key) is not None), None)
    if isinstance(given, int) and not isinstance(given, bool):
        return str(given)
    return given if isinstance(given, str) and given else otherwise
