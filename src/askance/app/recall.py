"""What was done before that is like a task, and a memory that grows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from askance.app.embedders import embedder_told
from askance.data.adapters.agent_logs import read_logs
from askance.models.embedder import Embedder
from askance.models.registry import EMBEDDERS
from askance.retrieve.recall.answer import Answer, Recalled
from askance.retrieve.recall.recall import Recall


@dataclass(frozen=True)
class Added:
    """What was appended. `known`: trajectories that were there already; `total`: how many there are now.

    `relearned`: whether the slots were learned again; `notes`: of the file, what was left out or is odd.
    """

    path: Path
    added: int
    known: int
    total: int
    relearned: bool
    notes: Mapping[str, int]

    def record(self) -> dict[str, object]:
        """The machine form: askance/recall-add/1."""
        return {
            "schema": "askance/recall-add/1",
            "path": str(self.path),
            "added": self.added,
            "known": self.known,
            "total": self.total,
            "relearned": self.relearned,
            "notes": dict(self.notes),
        }


def recall(path: str | Path, task: str, state: str | None = None, *, k: int = 5, embedder: str | None = None) -> Answer:
    """Past trajectories that did what `task` says, perhaps with other things; or none, where none stands above chance.

    `path`: a folder that `build_trajectories` wrote, or an agent's logs; `task`: what is to be done, in words; `state`:
    what the agent sees now, None before it has begun; `k`: how many at most; `embedder`: a name or a TOML file of
    settings, else words alone. No language model is asked.

        answer = askance.recall("logs.jsonl", "put a hot cup in the cabinet", "You pick up the cup 1.", k=3)
        for one in answer.recalled:             # best first; empty where answer.abstained
            one.log.goal, one.log.steps         # what was to be done then, and what was done: (state, action) a step
            one.instead                         # what takes whose place: slot, now ("cup"), then ("mug")
            one.step                            # the step to go on from, counted from 0; None: none is like `state`
            one.score, one.p                    # how like it is; how often a random task finds as good a one
        answer.why                              # the figures of the decision, in a sentence: p and the level

    Every call reads the memory again. An agent that asks often opens it once, and appends what it has done:

        from askance.app.recall import open_recall
        from askance.data.adapters.agent_logs import Log, Step

        memory = open_recall("logs.jsonl")
        memory.recall("put a hot cup in the cabinet", "You pick up the cup 1.")
        memory.append(Log("an id", "what was to be done", (Step("what it saw", "what it did"),)))

    FileProblem where there is no memory at `path`, BadInput where the task is empty.
    """
    return open_recall(path, embedder=embedder).recall(task, state, k)


def open_recall(path: str | Path, *, embedder: str | None = None) -> Recall:
    """A memory of trajectories, opened; for more than one question, and to append to."""
    return Recall.open(path, embedder=None if embedder is None else _embedder(embedder))


def recall_add(path: str | Path, logs: str | Path, *, relearn: bool = True) -> Added:
    """Append the trajectories of a file or folder of logs to a memory; a new one where there is nothing at `path`.

    All are appended or, where one cannot be, none; those that are there already are passed over, so that after a crash
    the same call completes what was begun. `relearn`: learn the slots again, after which answers are those of a memory
    made of all at once; without it what was appended is found, but scores stay comparable with those of before.
    DataProblem where another trajectory has the identifier of a new one.
    """
    path, read = Path(path), read_logs(logs)
    if not path.exists():
        path.mkdir(parents=True)
    memory = Recall.open(path)
    added = memory.append_all(read.logs)
    if relearn:
        memory.relearn()
    return Added(path, added, len(read.logs) - added, len(memory), relearn, read.notes)


def said(answer: Answer) -> list[str]:
    """What to tell whoever asked, line by line; steps are counted from 1 here, as logs count them."""
    lines = [line for one in answer.recalled for line in _said_of(one)]
    if answer.abstained:
        lines.append("nothing is recalled: no trajectory stands above chance")
    return [*lines, answer.why]


def said_of_added(found: Added) -> list[str]:
    """What became of a memory, line by line."""
    lines = [f"{found.path}: {found.added:,} added, {found.known:,} there already, {found.total:,} trajectories now"]
    lines += [f"{reason}: {count:,}" for reason, count in found.notes.items()]
    return [*lines, "slots: learned again" if found.relearned else "slots: as they were"]


def _embedder(told: str) -> Embedder:
    name, settings = embedder_told(told)
    kind = EMBEDDERS.get(name)
    return kind.build(kind.Settings.model_validate(settings), None)


def _said_of(one: Recalled) -> list[str]:
    lines = [f"{one.log.id}: {one.log.goal}", f"  likeness {one.score:.3f}, p = {one.p:.4f}"]
    mapping = [f"{each.now or '?'} for {each.then or '?'}" for each in one.instead if each.now != each.then]
    if mapping:
        lines.append(f"  now, for then: {', '.join(mapping)}")
    if one.step is not None:
        lines.append(f"  enter at step {one.step + 1} of {len(one.log.steps)}: {one.log.steps[one.step].action}")
    else:
        lines.append("  no step is like this state" if one.log.steps else "  it has no steps")
    return lines
