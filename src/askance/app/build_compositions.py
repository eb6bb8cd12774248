"""Composed questions over any collection that splits into items, written as a folder."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from pydantic import ValidationError

from askance.build.limit.compositions import TEMPLATES, CompositionSettings
from askance.build.limit.compositions_folder import CompositionsMade, write_compositions
from askance.core.errors import BadInput
from askance.core.progress import Progress
from askance.data.collection import Collection
from askance.study.collections import open_collection


def build_compositions(
    collection: str | Path | Collection,
    into: str | Path,
    *,
    each: int = 100,
    questions: Mapping[str, int | str] | None = None,
    seed: int = 0,
    most: int = 200,
    relation: str | None = None,
    pattern: str | None = None,
    progress: Progress | None = None,
) -> CompositionsMade:
    """Write the documents of a collection with `each` questions of all seven templates, and all their gold.

    `collection`: a BEIR folder, a public name, or a collection. `questions`: template → how many, in place of `each`.
    The rest: see `build.limit.compositions.CompositionSettings`. BadInput where the settings cannot be met.
    """
    try:
        settings = CompositionSettings.model_validate(
            {
                "seed": seed,
                "questions": {**dict.fromkeys(TEMPLATES, each), **(questions or {})},
                "most": most,
                "relation": relation,
                "pattern": pattern,
            }
        )
    except ValidationError as error:
        said = [f"{'.'.join(map(str, one['loc'][:2]))}: {one['msg']}" for one in error.errors()]
        raise BadInput(
            "\n  ".join(["settings that cannot be:", *said]), remedy=f"Templates are {', '.join(TEMPLATES)}."
        ) from None
    if not isinstance(collection, Collection):
        collection = open_collection(str(collection), progress=progress, or_made=False)
    return write_compositions(collection, settings, into)
