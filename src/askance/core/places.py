"""Where askance keeps what it may need again, and where it looks for what a file names."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path


def cache_folder(*parts: str) -> Path:
    """The user's cache of askance, $ASKANCE_CACHE where set; not created here."""
    told = os.environ.get("ASKANCE_CACHE")
    if told:
        return Path(told).joinpath(*parts)
    from platformdirs import user_cache_path

    return user_cache_path("askance", appauthor=False).joinpath(*parts)


def found_beside(path: Path, folder: Path | None, there: Callable[[Path], bool] = Path.exists) -> Path:
    """A path as a file in `folder` names it: in the current directory, else beside that file; as it is where neither
    has it. `there`: what counts as having it."""
    if folder is None or there(path) or not there(folder / path):
        return path
    return folder / path
