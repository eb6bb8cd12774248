"""Public collections: what there is, what is here, and fetching it by hand."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from askance.core.progress import Progress
from askance.data.locate import fetch_public, locate
from askance.data.public import PUBLIC


@dataclass(frozen=True)
class Listed:
    """A public collection or model; `here`: where its files were found, None where they must be fetched."""

    name: str
    title: str
    licence: str
    origin: str
    megabytes: float | None
    here: Path | None


def listed() -> list[Listed]:
    """All that `askance data fetch` knows. Nothing is downloaded."""
    return []


def fetch(name: str, *, progress: Progress | None = None) -> Path:
    """Download the originals of `name` into the cache and verify them; the folder that holds them."""
    return fetch_public(name, progress=progress)
