"""The command line without a process of its own: quicker, where many commands are typed."""

from __future__ import annotations

import gc
import json
import sys
from dataclasses import dataclass
from typing import Any, Protocol

import pytest
from rich.cells import cell_len

from askance.cli import main


@dataclass(frozen=True)
class Done:
    """What a command left behind."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """The one document on stdout; nothing else may be there."""
        return json.loads(self.out)

    @property
    def lines(self) -> list[str]:
        return [line.rstrip() for line in self.out.splitlines()]

    @property
    def widest(self) -> int:
        """Columns of the widest line."""
        return max(map(cell_len, self.lines), default=0)


class Typed(Protocol):
    def __call__(self, *arguments: str, columns: int = 80) -> Done: ...


@pytest.fixture
def typed(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Typed:
    """Runs `askance ARGUMENTS` on a terminal of so many columns."""

    def run(*arguments: str, columns: int = 80) -> Done:
        monkeypatch.setenv("COLUMNS", str(columns))
        monkeypatch.setattr(sys, "argv", ["askance", *arguments])
        threshold = gc.get_threshold()
        capsys.readouterr()
        code = 0
        try:
            main()
        except SystemExit as ended:
            code = int(ended.code or 0)
        finally:
            gc.unfreeze()
            gc.set_threshold(*threshold)
        said = capsys.readouterr()
        return Done(code, said.out, said.err)

    return run
