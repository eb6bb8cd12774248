"""Public collections: what there is, what is here, and fetching it by hand."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from askance.core.progress import Progress
from askance.data.locate import fetch_public, locate
from askance.data.public import FETCHABLE


@dataclass(frozen=True)
class Listed:
    """A public collection or model. `size` in bytes, None unknown; `here`: where its files lie, None: not here."""

    name: str
    title: str
    licence: str
    origin: str
    downloadable: bool
    size: int | None
    here: Path | None

    def record(self) -> dict[str, object]:
        """The machine form of one entry."""
        return {
            "name": self.name,
            "title": self.title,
            "licence": self.licence,
            "origin": self.origin,
            "downloadable": self.downloadable,
            "bytes": self.size,
            "here": str(self.here) if self.here else None,
        }

    def row(self) -> list[str]:
        """Name, size, licence, whether it is here, title."""
        size = "?" if self.size is None else f"{self.size / 1e6:.1f} MB"
        here = "yes" if self.here else "no" if self.downloadable else "no, and has no origin"
        return [self.name, size, self.licence, here, self.title]


def listed() -> list[Listed]:
    """All that can be fetched or is read from the data folder. Nothing is downloaded."""
    return [
        Listed(
            name=public.name,
            title=public.title,
            licence=public.licence,
            origin=public.origin,
            downloadable=public.downloadable,
            size=public.size,
            here=locate(public.name, offline=True),
        )
        for public in FETCHABLE.values()
    ]


def fetch(name: str, *, progress: Progress | None = None) -> Path:
    """Download the originals of `name` into the cache and verify them; the folder that holds them."""
    return fetch_public(name, progress=progress)
