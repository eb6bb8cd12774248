"""Recall for agents: past trajectories by what to do, not by the things it is done to. No language model."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice
from pathlib import Path

import numpy as np

from askance.core.errors import BadInput, DataProblem
from askance.data.adapters.agent_logs import Log
from askance.models.embedder import Embedder
from askance.retrieve.recall.answer import Answer, Recalled, instead
from askance.retrieve.recall.chance import DRAWS, LEVEL, RandomTasks
from askance.retrieve.recall.entering import entry
from askance.retrieve.recall.likeness import ByMeaning, ByWords, Likeness, length_of
from askance.retrieve.recall.store import Store
from askance.views.slots import Slots

_DECIMALS = 9  # scores that agree in so many are equal


class Recall:
    """Trajectories, the slots of their goals, and what compares views of goals.

    Equal scores are ordered by the likeness of the tasks as they are worded, then by age, the oldest first.
    """

    def __init__(
        self, logs: Iterable[Log], slots: Slots, *, embedder: Embedder | None, seed: int, store: Store | None
    ) -> None:
        self._embedder, self._seed, self._store = embedder, seed, store
        self._logs: dict[str, Log] = {}
        self._use(slots)
        self._add(list(logs))

    @classmethod
    def of(
        cls, trajectories: Iterable[Log], *, slots: Slots | None = None, embedder: Embedder | None = None, seed: int = 0
    ) -> Recall:
        """Over these, in memory. `slots`: learned from their goals unless given; `embedder`: words alone unless given.

        DataProblem where an identifier occurs twice.
        """
        logs = list(trajectories)
        learned = slots or Slots.learn(log.goal for log in logs)
        return cls(logs, learned, embedder=embedder, seed=seed, store=None)

    @classmethod
    def open(cls, path: str | Path, *, embedder: Embedder | None = None, seed: int = 0) -> Recall:
        """Over a folder that `build trajectories` wrote, or logs, and what was appended to them before.

        Slots are those of what was there from the start, or those that were relearned last.
        """
        store = Store(Path(path))
        given, appended = store.given(), store.appended()
        slots = store.slots() or Slots.learn(log.goal for log in given or appended)
        return cls([*given, *appended], slots, embedder=embedder, seed=seed, store=store)

    def __len__(self) -> int:
        return len(self._logs)

    @property
    def slots(self) -> Slots:
        return self._slots

    def recall(self, task: str, state: str | None = None, k: int = 5) -> Answer:
        """At most `k` past trajectories that stand above chance, each with its mapping and the step to enter at.

        `state`: what the agent sees; None: it has not begun, and enters at the first step. BadInput where the task is
        empty or k below 1.
        """
        if not task.strip() or k < 1:
            what = "the task is empty" if not task.strip() else f"k is {k}"
            raise BadInput(what, remedy="Say in words what is to be done, and how many to recall at most.")
        if not self._logs:
            return Answer(task, (), "there is no trajectory to recall", 0.0, 1.0)
        viewed = self._slots.view(task)
        length = length_of(viewed.text)
        scores = np.round(self._alike.scores([viewed.text])[0], _DECIMALS)
        values = np.unique(scores)[::-1]
        best = float(values[0])
        p_of = {float(value): self._random.p(float(value), length) for value in values[:k]}
        above = {value: p for value, p in p_of.items() if p <= LEVEL / 2 and value > 0}
        if not above:
            return Answer(task, (), _why(best, p_of[best], length), best, p_of[best])
        found = islice(((score, log) for score, log in self._ordered(task, scores) if score in above), k)
        recalled = tuple(self._recalled(task, state, log, score, above[score]) for score, log in found)
        return Answer(task, recalled, _why(best, p_of[best], length), best, p_of[best])

    def append(self, trajectory: Log) -> None:
        """One more, found from now on; kept on disk where this was opened from there.

        Slots stay as they are, see `relearn`. DataProblem where there is one of that identifier.
        """
        self._check([trajectory])
        self._keep([trajectory])

    def append_all(self, trajectories: Iterable[Log]) -> int:
        """These more, all of them or, where one cannot be, none; how many were new.

        One that is there already, the same in all it holds, is passed over: what was broken off is simply done again.
        DataProblem where another one has its identifier.
        """
        new = [log for log in trajectories if self._logs.get(log.id) != log]
        self._check(new)
        if new:
            self._keep(new)
        return len(new)

    def _keep(self, logs: list[Log]) -> None:
        if self._store is not None:
            self._store.append(logs)
        self._add(logs)

    def relearn(self) -> None:
        """Learn the slots again, from all goals there are now; they are kept where this was opened from disk.

        From then on answers are those of a memory that was made of all trajectories at once, in their order.
        """
        logs = list(self._logs.values())
        slots = Slots.learn(log.goal for log in logs)
        if self._store is not None:
            self._store.keep_slots(slots)
        self._logs = {}
        self._use(slots)
        self._add(logs)

    def _use(self, slots: Slots) -> None:
        self._slots = slots
        self._alike: Likeness = ByWords() if self._embedder is None else ByMeaning(self._embedder)
        self._worded = ByWords()
        self._views: dict[str, list[int]] = {}  # view → positions of its logs
        self._random = RandomTasks((), self._alike, self._seed)

    def _check(self, logs: Iterable[Log]) -> None:
        seen = set(self._logs)
        for log in logs:
            if log.id in seen:
                raise DataProblem(
                    f"there are two trajectories {log.id!r}", remedy="Give each an identifier of its own."
                )
            if not log.goal.strip():
                raise DataProblem(f"the trajectory {log.id!r} has no goal", remedy="Say in words what was to be done.")
            seen.add(log.id)

    def _add(self, logs: list[Log]) -> None:
        self._check(logs)
        new = []
        for at, log in enumerate(logs, start=len(self._logs)):
            view = self._slots.view(log.goal).text
            if view not in self._views:
                self._views[view] = []
                new.append(view)
            self._views[view].append(at)
            self._logs[log.id] = log
        self._alike.add(new)
        self._worded.add([log.goal for log in logs])
        self._random = RandomTasks(list(self._views), self._alike, self._seed)

    def _ordered(self, task: str, scores: np.ndarray[tuple[int], np.dtype[np.float64]]) -> list[tuple[float, Log]]:
        score_of = np.empty(len(self._logs))
        for score, places in zip(scores, self._views.values(), strict=True):
            score_of[places] = score
        worded = np.round(self._worded.scores([task])[0], _DECIMALS)
        logs = list(self._logs.values())
        return [(float(score_of[at]), logs[at]) for at in np.lexsort((np.arange(len(logs)), -worded, -score_of))]

    def _recalled(self, task: str, state: str | None, log: Log, score: float, p: float) -> Recalled:
        mapping = instead(self._slots.view(task).slots, self._slots.view(log.goal).slots)
        if state is None:
            return Recalled(log, score, p, mapping, 0 if log.steps else None, None)
        step, likeness = entry(self._slots, task, state, log)
        return Recalled(log, score, p, mapping, step, likeness)


def _why(best: float, p: float, words: int) -> str:
    """The figures behind recalling or abstaining, in a sentence."""
    above = p <= LEVEL / 2 and best > 0
    return (
        f"best likeness {best:.3f}, p = {p:.4f}: {'above' if above else 'not above'} chance "
        f"(level: p at most {LEVEL / 2:.3f}, two-sided {LEVEL:.0%}; {DRAWS} random tasks of "
        f"{words} {'word' if words == 1 else 'words'} from the collection)"
    )
