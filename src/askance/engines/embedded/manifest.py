"""The manifest: what an index holds and how it was made. Replacing it is the only way an index changes."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from askance.core.errors import FileProblem
from askance.core.files import write_whole
from askance.engines.counting import Counts
from askance.engines.settings import IndexSettings

FORMAT = 1
MANIFEST = "manifest.json"

FORMULA = (
    "BM25 of Lucene 9: score(t) = idf(t) * f / (f + k1 * (1 - b + b * dl / avgdl)), "
    "idf(t) = ln(1 + (N - n + 0.5) / (n + 0.5)), dl as one byte keeps it. N, n and avgdl are of the field; a document "
    "that was deleted or updated counts in them until the index is compacted or its segment merged, as in Lucene."
)
_SCALES = {
    "lucene": "Lucene's: no factor k1 + 1.",
    "legacy": "Lexical scores times k1 + 1 = 2.2, as OpenSearch 2 gives them; exact items and vectors are not.",
}


class FieldEntry(BaseModel):
    """One field's index. `documents`: with words in it, deleted ones left out; `folder`: in the generation's.

    `in_order`: equal scores come in order of position. `dense`: position and place in the segment are the same number.
    """

    model_config = ConfigDict(frozen=True)

    folder: str
    documents: int
    in_order: bool
    dense: bool


class Manifest(BaseModel):
    """What an index holds. `fields`: by name, `text` first; `splits`: the schema as JSON, None without one."""

    model_config = ConfigDict(frozen=True, populate_by_name=True)

    format: int = FORMAT
    engine: str = "askance embedded"
    generation: int
    settings: IndexSettings
    splits: Mapping[str, Any] | None = Field(default=None, alias="schema")
    scale: str
    formula: str = FORMULA
    deleted: int
    superseded: int = 0
    counts: Counts
    fields: Mapping[str, FieldEntry]
    records: FieldEntry

    @classmethod
    def of(
        cls,
        generation: int,
        settings: IndexSettings,
        splits: Mapping[str, Any] | None,
        counts: Counts,
        fields: Mapping[str, FieldEntry],
        records: FieldEntry,
        superseded: int = 0,
    ) -> Manifest:
        """A manifest with its words filled in. `superseded`: versions of documents that updates have replaced."""
        return cls(
            generation=generation,
            settings=settings,
            splits=splits,
            scale=f"{settings.scale}: {_SCALES[settings.scale]}",
            deleted=counts.deleted,
            superseded=superseded,
            counts=counts,
            fields={name: fields[name] for name in sorted(fields, key=_place)},
            records=records,
        )

    @property
    def text_fields(self) -> tuple[str, ...]:
        """Fields that words can be asked of."""
        return tuple(name for name in self.fields if name != "facts")


def _place(field: str) -> tuple[int, str]:
    """Where a field stands in the manifest."""
    first = ("text", "name", "items", "facts")
    return (first.index(field) if field in first else len(first), field)


def write_manifest(folder: Path, manifest: Manifest) -> None:
    """Make `manifest` the one of the index in `folder`: the moment an index changes."""
    write_whole(folder / MANIFEST, manifest.model_dump_json(by_alias=True, indent=2) + "\n")


def read_manifest(folder: Path) -> Manifest:
    """FileProblem where there is none, where it is of a newer askance, or where it cannot be read."""
    path = folder / MANIFEST
    try:
        written = path.read_bytes()
    except (FileNotFoundError, NotADirectoryError):
        raise FileProblem(
            folder,
            f"is no index of askance: there is no {MANIFEST} in it",
            remedy="Build one: askance index DOCS --into DIR",
        ) from None
    except OSError as problem:
        raise FileProblem(path, f"cannot be read ({problem.strerror or problem})") from problem
    again = "Build the index again: askance index DOCS --into DIR"
    try:
        found = _Version.model_validate_json(written)
        if found.format > FORMAT:
            raise FileProblem(
                path,
                f"has format {found.format}; this askance reads up to {FORMAT}",
                remedy="Install the askance that wrote it, or build the index again.",
            )
        return Manifest.model_validate_json(written)
    except ValidationError as problem:
        first = problem.errors()[0]
        where = ".".join(str(part) for part in first["loc"])
        raise FileProblem(path, f"is damaged: {where or 'JSON'}: {first['msg']}", remedy=again) from None


class _Version(BaseModel):
    format: int
    engine: str
