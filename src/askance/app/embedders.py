"""An embedder by what a command was told: a name, or a TOML file with its settings."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from askance.app.model_files import refused, settings_in
from askance.core.places import found_beside
from askance.models.registry import EMBEDDERS


def embedder_told(told: str) -> tuple[str, Mapping[str, Any]]:
    """The name of an embedder and its settings, which are checked; paths are looked for beside the file as well.

    UnknownName for one that is not there, FileProblem for a file that cannot be read, BadInput for wrong settings.
    """
    if not told.endswith(".toml"):
        with refused(f"the embedder {told!r}", "Write its settings into a file MODEL.toml, beside `embedder`."):
            EMBEDDERS.get(told).Settings()
        return told, {}
    file = Path(told)
    settings = settings_in(file)
    name = str(settings.pop("embedder", "folder"))
    with refused(told, "Mend these settings of the embedder."):
        given = EMBEDDERS.get(name).Settings.model_validate(settings)
    # whole, since an index keeps them and is opened from anywhere
    paths = {key: str(found_beside(at, file.parent).absolute()) for key, at in given if isinstance(at, Path)}
    return name, {**settings, **paths}
