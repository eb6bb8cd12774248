"""What the disk or the terminal refuses: a message and exit code 2, never a traceback."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest


def askance(*arguments: str, cwd: Path, **environment: str) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [sys.executable, "-m", "askance", *arguments],
        cwd=cwd,
        env={**os.environ, **environment},
        capture_output=True,
        timeout=120,
        check=False,
    )


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("study", "run", "chores.toml", "--out", "chores.toml/out"), "Not a directory"),
        (("study", "run", "chores.toml", "--out", "x" * 300), "File name too long"),
        (("study", "run", "x" * 300), "File name too long"),
        (("study", "run", "chores"), "Is a directory"),
        (("study", "init", "chores", "--into", "chores.toml/new.toml"), "cannot be written"),
        (("sign", "x" * 300), "File name too long"),
    ],
)
def test_a_place_that_cannot_be_used_exits_with_2(
    study: Path, tmp_path: Path, arguments: tuple[str, ...], said: str
) -> None:
    before = sorted(path.name for path in tmp_path.iterdir())
    done = askance(*arguments, cwd=tmp_path)
    assert done.returncode == 2, done.stderr
    assert said in done.stderr.decode()
    assert b"Traceback" not in done.stderr
    assert sorted(path.name for path in tmp_path.iterdir()) == before


def test_a_name_cannot_steer_the_terminal(tmp_path: Path) -> None:
    done = askance("study", "run", "no\x1b[31msuch.toml", cwd=tmp_path)
    assert done.returncode == 2
    assert b"\x1b" not in done.stderr
    assert "no\ufffd[31msuch.toml: there is no such study file" in done.stderr.decode()


def test_a_terminal_without_the_characters_still_gets_the_table(study: Path, tmp_path: Path) -> None:
    done = askance("study", "run", "chores.toml", cwd=tmp_path, PYTHONIOENCODING="latin-1")
    assert done.returncode == 0, done.stderr
    assert rb"\u25bc" in done.stdout
