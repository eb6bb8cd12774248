"""Progress of long work, as told to whoever watches."""

from __future__ import annotations

from typing import Protocol


class Progress(Protocol):
    """Receives what long work has to tell. `total` None: unknown."""

    def start(self, task: str, total: int | None, done: int = 0) -> None:
        """A piece of work begins; `done` units of it were there before (a resumed run)."""

    def advance(self, task: str, units: int = 1) -> None:
        """`units` more are done."""

    def finish(self, task: str) -> None:
        """The piece of work is over."""


class Silent:
    """Nobody watches."""

    def start(self, task: str, total: int | None, done: int = 0) -> None: ...

    def advance(self, task: str, units: int = 1) -> None: ...

    def finish(self, task: str) -> None: ...


class Recorder:
    """Keeps what it is told: the fake for tests."""

    def __init__(self) -> None:
        self.events: list[tuple[str, str, int | None]] = []

    def start(self, task: str, total: int | None, done: int = 0) -> None:
        self.events.append(("start", task, total))

    def advance(self, task: str, units: int = 1) -> None:
        self.events.append(("advance", task, units))

    def finish(self, task: str) -> None:
        self.events.append(("finish", task, None))
