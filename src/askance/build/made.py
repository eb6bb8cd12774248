"""Collections that the package makes by itself, in the shape of the public ones, for when no data can be had.

They let a study run from end to end anywhere. Their figures say nothing about the originals.
"""

from __future__ import annotations

from collections.abc import Callable

from askance.core.registry import Registry
from askance.data.collection import Collection

MADE: Registry[Callable[[int], Collection]] = Registry(
    "collection that askance can make",
    {
        "trajectories": "askance.build.templated_tasks:templated_tasks",
        "gsm-plus": "askance.build.word_problems:word_problems",
        "limit-small": "askance.build.likes:likes",
    },
)


def made(name: str, seed: int) -> Collection:
    """The collection called `name`, made anew: the same seed gives the same one. UnknownName where none can be made."""
    return MADE.get(name)(seed)
