"""What is recalled."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from askance.data.adapters.agent_logs import Log, plain_record
from askance.retrieve.recall.chance import LEVEL


@dataclass(frozen=True, slots=True)
class Instead:
    """A slot, what fills it in the task at hand, and what filled it then; None where one of the two does not say."""

    slot: str
    now: str | None
    then: str | None


@dataclass(frozen=True, slots=True)
class Recalled:
    """A past trajectory. `score`: likeness of what to do; `p`: of as good a score by chance, over all trajectories.

    `step`: where to enter, counted from 0; None where a state was given and no step is like it. `step_score`: how like,
    None where no state was given.
    """

    log: Log
    score: float
    p: float
    instead: tuple[Instead, ...]
    step: int | None
    step_score: float | None

    def record(self) -> dict[str, object]:
        return {
            "id": self.log.id,
            "score": self.score,
            "p": self.p,
            "instead": [{"slot": one.slot, "now": one.now, "then": one.then} for one in self.instead],
            "step": self.step,
            "step_score": self.step_score,
            "trajectory": plain_record(self.log),
        }


@dataclass(frozen=True, slots=True)
class Answer:
    """What a task brings to mind, best first; nothing where nothing stands above chance, and `why` says so.

    `best`: the best score there is, recalled or not; `p`: its p; `level`: the greatest p that is recalled.
    """

    task: str
    recalled: tuple[Recalled, ...]
    why: str
    best: float
    p: float
    level: float = LEVEL / 2

    @property
    def abstained(self) -> bool:
        return not self.recalled

    def record(self) -> dict[str, object]:
        return {
            "schema": "askance/recall/1",
            "task": self.task,
            "abstained": self.abstained,
            "why": self.why,
            "best": self.best,
            "p": self.p,
            "level": self.level,
            "recalled": [one.record() for one in self.recalled],
        }


def instead(now: Mapping[str, Sequence[str]], then: Mapping[str, Sequence[str]]) -> tuple[Instead, ...]:
    """Slot by slot, in the order of the words; what has no counterpart stands alone."""
    found = []
    for slot in dict.fromkeys((*now, *then)):
        here, there = now.get(slot, ()), then.get(slot, ())
        for at in range(max(len(here), len(there))):
            one = here[at] if at < len(here) else None
            two = there[at] if at < len(there) else None
            found.append(Instead(slot, one, two))
    return tuple(found)
