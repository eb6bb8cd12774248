"""Where vectors are kept: each list of texts is embedded once, in batches that are committed whole."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from askance.core.progress import Progress
from askance.models.embedder import Embedder, Vectors


@dataclass(frozen=True, eq=False)
class VectorSet:
    """Distinct vectors, memory-mapped, and which row belongs to which query and document."""

    unique: Vectors
    query_rows: NDArray[np.int64]
    document_rows: NDArray[np.int64]


class VectorStore:
    """Vectors on disk under `root`, found again by model fingerprint and texts."""

    def __init__(self, root: Path, batch: int = 32) -> None:
        self.root = root
        self.batch = batch

    def open(
        self,
        embedder: Embedder,
        queries: Sequence[str],
        documents: Sequence[str],
        progress: Progress | None = None,
    ) -> VectorSet:
        raise NotImplementedError
