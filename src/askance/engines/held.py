"""What an index holds, whatever engine keeps it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from askance.engines.counting import Counts
from askance.engines.settings import IndexSettings


@dataclass(frozen=True)
class IndexHeld:
    """An index as it now is.

    `place`: as it may be printed. `splits`: its schema as JSON, None without one. `fields`: text field → documents with
    words in it. `deleted`, `superseded`: documents and versions that are gone and still count in the statistics.
    `notes`: what the reader should know, a sentence each.
    """

    place: str
    engine: str
    settings: IndexSettings
    splits: Mapping[str, Any] | None
    counts: Counts
    fields: Mapping[str, int]
    deleted: int = 0
    superseded: int = 0
    notes: tuple[str, ...] = ()
