"""What an index, or a file of vectors, shows of a collection's documents."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from askance.core.errors import BadInput, DataProblem, FileProblem
from askance.data.ids import Ids
from askance.diagnose.case import IndexSeen, VectorsSeen
from askance.diagnose.filter_values import written

if TYPE_CHECKING:
    from askance.engines.embedded.engine import EmbeddedEngine
    from askance.models.embedder import Embedder

MOST_READ = 20_000  # documents whose metadata are read


def index_seen(place: str | Path, documents: Ids, embedder: Embedder | None = None) -> IndexSeen:
    """What the index at `place` holds of these documents. `embedder`: of its vectors, where it was handed over."""
    from askance.engines.embedded.engine import EmbeddedEngine
    from askance.engines.registry import folder_of

    engine = EmbeddedEngine.open(folder_of(place), embedder)
    holds = np.array([engine.has(name) for name in documents], dtype=np.bool_)
    if not holds.any():
        raise DataProblem(
            f"the index {place} holds none of the {len(documents):,} documents",
            remedy="Is it the index of this collection? Identifiers are compared letter by letter.",
        )
    at = np.array([engine.position(name) if there else -1 for name, there in zip(documents, holds, strict=True)])
    notes: tuple[str, ...] = ()
    if len(at) > MOST_READ and engine.manifest.counts.metadata:
        notes = (f"Metadata of the index {place} are not read: the collection has more than {MOST_READ:,} documents.",)
    return IndexSeen(str(place), holds, engine.analyzer, _vectors(engine, at), _metadata(engine, at), notes)


def _vectors(engine: EmbeddedEngine, at: np.ndarray[tuple[int], np.dtype[np.int64]]) -> VectorsSeen | None:
    if engine.vectors is None:
        return None
    rows = np.where(at >= 0, engine.vectors.rows[np.maximum(at, 0)], -1)
    card = engine.vectors.card
    try:
        embedder = engine.embedder()
    except BadInput:
        embedder = None
    return VectorsSeen(engine.vectors.vectors, rows, card.name, identity(card.weights, card.dimension), embedder)


def identity(weights: str, dimension: int) -> str:
    """What tells one model from another, as results.json and an index both know it."""
    return f"{weights} {dimension}"


def _metadata(engine: EmbeddedEngine, at: np.ndarray[tuple[int], np.dtype[np.int64]]) -> dict[str, list[str]]:
    """Key → value of each document as text; nothing where there are too many documents to read them all."""
    if len(at) > MOST_READ or not engine.manifest.counts.metadata:
        return {}
    columns: dict[str, list[str]] = {key: [""] * len(at) for key in engine.manifest.counts.metadata}
    for document, position in enumerate(at.tolist()):
        if position >= 0:
            for key, value in engine.source_at(position).metadata.items():
                columns[key][document] = written(value)
    return columns


def vectors_seen(path: str | Path, documents: int, known: int) -> VectorsSeen:
    """A file .npy with a row for each of the `documents` of the corpus, in its order; the rest of `known` has none."""
    try:
        found = np.load(Path(path), mmap_mode="r", allow_pickle=False)
    except (OSError, ValueError, EOFError) as error:
        raise FileProblem(path, f"is no array of vectors ({error})", remedy="Save one with numpy.save.") from None
    if found.ndim != 2 or len(found) != documents or not np.issubdtype(found.dtype, np.floating):
        raise FileProblem(
            path,
            f"holds {found.dtype} {found.shape}, expected {documents:,} rows of floating point numbers",
            remedy="Give one row a document, in the order of the corpus.",
        )
    return VectorsSeen(
        np.asarray(found, dtype=np.float32), np.where(np.arange(known) < documents, np.arange(known), -1)
    )
