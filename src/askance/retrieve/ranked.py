"""From one list after another to a run."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from askance.data.rows import Positions, offsets_of
from askance.data.run import Run
from askance.retrieve.retriever import RetrievalTask


def run_of(name: str, task: RetrievalTask, lists: Iterable[tuple[Positions, NDArray[np.float64]]]) -> Run:
    """The run of these lists, one per query of the task, in their order: (documents, scores), best first."""
    documents, scores = [np.empty(0, dtype=np.int32)], [np.empty(0)]
    lengths = []
    for document, score in lists:
        documents.append(document)
        scores.append(score)
        lengths.append(len(document))
    return Run(
        name, task.queries, task.documents, offsets_of(lengths), np.concatenate(documents), np.concatenate(scores)
    )
