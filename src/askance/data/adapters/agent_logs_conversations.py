"""Conversations that agents are tuned on: turns of `from`, `value` and `loss`, as AgentInstruct and AgentGym have them.

Before the task stand instructions, demonstrations and a promise to follow them: turns of the model whose `loss` is
false, or, where no turn tells its loss, those before the first one that acts. The turn after them holds the goal,
mostly behind a mark ("Your task is to: …"), and what is seen first. What the model says is a thought and an action.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from askance.core.errors import FileProblem

TURNS = "conversations"
"""The key under which a record has its turns."""

REMEDY = 'A record is {"conversations": [{"from": "human", "value": "…"}, {"from": "gpt", "value": "…"}, …]}.'

THOUGHTS = "thoughts before actions, left out"
LAST_SEEN = "last observations, after which nothing was done, left out"
_INVENTED = "observations that the model imagined, left out"
_UNMARKED = "goals that no mark sets off: the whole turn was taken"
_PROMPTS = "turns of instructions and demonstrations, left out"
_SYSTEM = "messages of the system, left out"
_EMPTY = "empty turns of the model, left out"
_NESTED = "fields that are no plain value, left out"

_MODEL, _WORLD = ("gpt", "assistant", "model"), ("human", "user", "observation", "tool", "function")

_ACTION = re.compile(r"^[ \t]*act(?:ion)?[ \t]*:[ \t]*\n?", re.IGNORECASE | re.MULTILINE)
_INLINE_ACTION = re.compile(r"(?<=\s)action:[ \t]*", re.IGNORECASE)
_THOUGHT = re.compile(r"[ \t]*th(?:ought|ink)[ \t]*:", re.IGNORECASE)
_IMAGINED = re.compile(r"^[ \t]*observation[ \t]*:", re.IGNORECASE | re.MULTILINE)
_OBSERVED = re.compile(r"\s*(?:observation|the output of the os)[ \t]*:\s*", re.IGNORECASE)
_ENVELOPE = re.compile(r"\s*(?:here is your task\.?|now, i will start a new problem\.?)\s*", re.IGNORECASE)

_MARKS = (
    re.compile(r"(?:your|the) task is(?: to)?[ \t]*:\s*(?P<goal>[^\n]+)", re.IGNORECASE),
    re.compile(r"my (?:problem|question|task) is[ \t]*:\s*(?P<goal>\S.*)", re.IGNORECASE | re.DOTALL),
    re.compile(r"^(?:a new )?(?:question|task|goal|problem)[ \t]*:\s*(?P<goal>[^\n]+)", re.IGNORECASE | re.MULTILINE),
)
_SHOP = re.compile(r"instruction:\s*\[SEP\]\s*(?P<goal>.+?)\s*(?:\[SEP\]|$)", re.IGNORECASE | re.DOTALL)


@dataclass(frozen=True, slots=True)
class Told:
    """What a conversation tells: the goal, and (state, action) of each step."""

    goal: str
    steps: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class _Turn:
    acts: bool
    text: str
    loss: bool | None


def told(turns: object, path: Path, line: int | None, notes: Counter[str]) -> Told:
    """Goal and steps of a conversation; FileProblem where its turns cannot be read or none says what to do.

    `notes`: reason → how many were left out or are odd.
    """
    read = _turns(turns, path, line, notes)
    begin = _begin(read)
    before = max((at + 1 for at in range(begin) if read[at].acts), default=0)
    notes[_PROMPTS] += before
    task = "\n".join(turn.text for turn in read[before:begin] if turn.text.strip())
    if not task:
        raise FileProblem(path, "no turn says what to do before the first action", line=line, remedy=REMEDY)
    goal, state = _goal(task, notes)
    steps: list[tuple[str, str]] = []
    for turn in read[begin:]:
        if not turn.acts:
            seen = observed(turn.text)
            state = f"{state}\n{seen}" if state else seen
        elif turn.text.strip():
            steps.append((state, action_of(turn.text, notes)))
            state = ""
        else:
            notes[_EMPTY] += 1
    notes[LAST_SEEN] += bool(state and steps)
    return Told(goal, tuple(steps))


def action_of(text: str, notes: Counter[str]) -> str:
    """What is done, of "Thought: … Action: …"; the whole text where it names no action.

    What the model imagines to observe after its action is no part of it.
    """
    mark = _ACTION.search(text)
    if mark is None and _THOUGHT.match(text):
        mark = _INLINE_ACTION.search(text)
    if mark is None:
        return text.strip()
    notes[THOUGHTS] += bool(text[: mark.start()].strip())
    said = text[mark.end() :]
    imagined = _IMAGINED.search(said)
    notes[_INVENTED] += imagined is not None
    return (said[: imagined.start()] if imagined else said).strip() or text.strip()


def observed(text: str) -> str:
    """What is seen, without the word that introduces it."""
    mark = _OBSERVED.match(text)
    return (text[mark.end() :] if mark else text).strip()


def values_of(record: Mapping[str, object], notes: Counter[str]) -> dict[str, str]:
    """The other plain values of a record, and what it has under `metadata`; texts as they are, the rest as JSON."""
    values: dict[str, str] = {}
    for key, value in record.items():
        if key in (TURNS, "id", "_id", "item_id") or value is None:
            continue
        if key == "system":
            notes[_SYSTEM] += 1
        elif key == "metadata" and isinstance(value, dict):
            values |= {str(name): one if isinstance(one, str) else json.dumps(one) for name, one in value.items()}
        elif isinstance(value, str | int | float):
            values[key] = value if isinstance(value, str) else json.dumps(value)
        else:
            notes[_NESTED] += 1
    return values


def _turns(turns: object, path: Path, line: int | None, notes: Counter[str]) -> list[_Turn]:
    if not isinstance(turns, list) or not turns:
        raise FileProblem(path, f"{TURNS!r} is no list of turns", line=line, remedy=REMEDY)
    read = []
    for at, turn in enumerate(turns, start=1):
        who, said = (turn.get("from"), turn.get("value")) if isinstance(turn, dict) else (None, None)
        if not isinstance(who, str) or not isinstance(said, str):
            raise FileProblem(path, f"turn {at} has no 'from' or no 'value' that is text", line=line, remedy=REMEDY)
        if who == "system":
            notes[_SYSTEM] += 1
            continue
        if who not in (*_MODEL, *_WORLD):
            raise FileProblem(path, f"turn {at} is from {who!r}; known: {', '.join((*_WORLD, *_MODEL))}", line=line,
                              remedy=REMEDY)  # fmt: skip
        loss = turn.get("loss")
        read.append(_Turn(who in _MODEL, said, loss if isinstance(loss, bool) else None))
    return read


def _begin(turns: Sequence[_Turn]) -> int:
    """Where the first step is; the number of turns where there is none."""
    acting = [at for at, turn in enumerate(turns) if turn.acts]
    if any(turns[at].loss is not None for at in acting):
        acting = [at for at in acting if turns[at].loss is not False]
    else:
        marked = [at for at in acting if _ACTION.search(turns[at].text) or _THOUGHT.match(turns[at].text)]
        acting = marked or acting
    return acting[0] if acting else len(turns)


def _goal(task: str, notes: Counter[str]) -> tuple[str, str]:
    """The goal and what is seen beside it. Of several marks the last counts: examples stand before the task."""
    shop = _SHOP.search(task)
    if shop is not None:
        return shop["goal"].strip(), observed(task)
    for mark in _MARKS:
        found = list(mark.finditer(task))
        if found:
            start, end = found[-1].span()
            around = (_ENVELOPE.sub("", observed(task[:start]), count=1).strip(), task[end:].strip())
            return found[-1]["goal"].strip(), "\n".join(part for part in around if part)
    notes[_UNMARKED] += 1
    return observed(task), ""
