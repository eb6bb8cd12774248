"""Where askance keeps what it may need again."""

from __future__ import annotations

import os
from pathlib import Path


def cache_folder(*parts: str) -> Path:
    """The user's cache of askance, $ASKANCE_CACHE where set; not created here."""
    told = os.environ.get("ASKANCE_CACHE")
    if told:
        return Path(told).joinpath(*parts)
    from platformdirs import user_cache_path

    return user_cache_path("askance", appauthor=False).joinpath(*parts)
