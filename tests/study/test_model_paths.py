"""A model's folder is looked for in the current directory, then beside the study file."""

from __future__ import annotations

from pathlib import Path

import pytest
from pydantic import BaseModel

from askance.study.execute import _beside


class Settings(BaseModel):
    path: Path
    name: str = "same"


def test_a_relative_path_is_found_beside_the_study_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "studies" / "model").mkdir(parents=True)
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    given = Settings(path=Path("model"))
    assert _beside(given, tmp_path / "studies") == Settings(path=tmp_path / "studies" / "model")
    (tmp_path / "here" / "model").mkdir()
    assert _beside(given, tmp_path / "studies") == given


def test_a_path_that_is_nowhere_stays_as_it_was_written(tmp_path: Path) -> None:
    given = Settings(path=Path("no-such-model"))
    assert _beside(given, tmp_path) == given
