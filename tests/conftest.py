"""What every test may ask for."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

pytest_plugins = ("tests.chores", "tests.node.fixtures")

ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The folder of real data: $ASKANCE_DATA, else ../shared/data beside the project."""
    folder = Path(os.environ.get("ASKANCE_DATA") or ROOT.parent / "shared" / "data")
    if not folder.is_dir():
        pytest.skip(f"needs the real data: no folder {folder} (set ASKANCE_DATA)")
    return folder


@pytest.fixture(autouse=True)
def _own_cache(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """Tests never see or fill the user's cache; one session shares one, so that models embed once."""
    monkeypatch.setenv("ASKANCE_CACHE", str(tmp_path_factory.getbasetemp() / "cache"))
