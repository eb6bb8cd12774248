"""Made data takes the way of the originals: written as they are published, read by the same adapter.

So a made collection has the fields, tiers, roles, decoys and slices of the real one, by the same rules.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from importlib.resources import files
from pathlib import Path
from tempfile import TemporaryDirectory

from askance.data.collection import Collection

ORIGIN = "made by askance (no original data could be had)"


def as_published(contents: Mapping[str, str], load: Callable[[Path], Collection]) -> Collection:
    """What `load` reads from a data folder with these contents, path → text; its origin says that it was made."""
    with TemporaryDirectory(prefix="askance-made-") as name:
        folder = Path(name)
        for path, text in contents.items():
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / path).write_text(text, encoding="utf-8")
        return replace(load(folder), origin=ORIGIN, notes={})


def json_lines(records: Iterable[Mapping[str, object]]) -> str:
    """One JSON object a line."""
    return "".join(json.dumps(record, ensure_ascii=False) + "\n" for record in records)


def words(name: str) -> list[str]:
    """A word list of the package: first_names, surnames or things."""
    return files("askance.build").joinpath("words", f"{name}.txt").read_text(encoding="utf-8").splitlines()
