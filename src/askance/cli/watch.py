"""Progress on stderr, with the time that remains."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from askance.core.progress import Progress

if TYPE_CHECKING:
    from rich.console import Console
    from rich.progress import Progress as Bars
    from rich.progress import TaskID


@contextmanager
def watching() -> Iterator[Progress]:
    """Bars on a terminal; one line per finished piece of work elsewhere."""
    from rich.console import Console

    console = Console(stderr=True)
    if not console.is_terminal:
        yield _Lines(console)
        return
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeElapsedColumn, TimeRemainingColumn
    from rich.progress import Progress as Bars

    with Bars(
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TextColumn("left", style="dim"),
        TimeRemainingColumn(),
        console=console,
    ) as bars:
        yield _Bars(bars)


class _Bars:
    def __init__(self, bars: Bars) -> None:
        self._bars = bars
        self._tasks: dict[str, TaskID] = {}

    def start(self, task: str, total: int | None, done: int = 0) -> None:
        self._tasks[task] = self._bars.add_task(task, total=total, completed=done)

    def advance(self, task: str, units: int = 1) -> None:
        self._bars.advance(self._tasks[task], units)

    def finish(self, task: str) -> None:
        self._bars.stop_task(self._tasks[task])


class _Lines:
    """Where nobody watches a terminal (a log, CI): the end of each piece of work."""

    def __init__(self, console: Console) -> None:
        self._console = console

    def start(self, task: str, total: int | None, done: int = 0) -> None: ...

    def advance(self, task: str, units: int = 1) -> None: ...

    def finish(self, task: str) -> None:
        self._console.print(f"{task}: done", markup=False, highlight=False)
