"""A candidate: one change to a study's system, as the entries that a study file would have for it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass

from askance.study.file import RerankerEntry, SystemEntry


@dataclass(frozen=True)
class Candidate:
    """What to run in place of the system.

    `name`: short; `says`: the change in words; `size`: how many settings it changes, entries it adds among them;
    `document`: the field of the documents that is read; `systems`: run in this order, the last one gives the list;
    `reranker`: over that list.
    """

    name: str
    says: str
    size: int
    document: str
    systems: tuple[SystemEntry, ...]
    reranker: RerankerEntry | None = None

    @property
    def key(self) -> str:
        """The same for candidates that run the same, whatever they are called."""
        return json.dumps(
            {
                "document": self.document,
                "systems": [_entry(one) for one in self.systems],
                "reranker": _entry(self.reranker) if self.reranker else None,
            },
            sort_keys=True,
        )

    def record(self) -> dict[str, object]:
        """The machine form."""
        return {
            "name": self.name,
            "says": self.says,
            "size": self.size,
            "document": self.document,
            "systems": [_entry(one) for one in self.systems],
            "reranker": _entry(self.reranker) if self.reranker else None,
        }


def _entry(entry: SystemEntry | RerankerEntry) -> Mapping[str, object]:
    return entry.model_dump(mode="json", exclude_none=True, exclude={"label"})
