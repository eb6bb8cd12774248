"""The embedder of an index: found by the name the index gives it, and asked for the vectors of questions."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from askance.core.errors import BadInput, ModelFailed
from askance.models.embedder import Embedder, Vectors
from askance.models.registry import EMBEDDERS

_BATCH = 32
_UNIT_WITHIN = 1e-3


def registered(name: str | None, settings: dict[str, object], model: str) -> Embedder:
    """The embedder of this name; BadInput where an index names none, because it was handed over when it was built."""
    if name is None:
        raise BadInput(
            f"the vectors of this index were made by {model}, an embedder that has no name in askance",
            remedy="Open the index with the same embedder.",
        )
    kind = EMBEDDERS.get(name)
    return kind.build(kind.Settings.model_validate(settings), None)


def embedded_questions(embedder: Embedder, texts: Sequence[str]) -> Vectors:
    """Unit vectors of questions [texts, dimension], each distinct text once, in batches of like length.

    ModelFailed where one is not finite or not of unit length.
    """
    distinct = sorted(set(texts), key=lambda text: (-len(text), text))
    row_of = {text: row for row, text in enumerate(distinct)}
    out = np.empty((len(distinct), embedder.card.dimension), dtype=np.float32)
    for start in range(0, len(distinct), _BATCH):
        batch = distinct[start : start + _BATCH]
        made = embedder.embed(batch, "query")
        norms = np.linalg.norm(made.astype(np.float64), axis=1)
        wrong = np.flatnonzero(~(np.abs(norms - 1.0) <= _UNIT_WITHIN))
        if made.shape != out[start : start + len(batch)].shape or len(wrong):
            text = batch[int(wrong[0]) if len(wrong) else 0]
            raise ModelFailed(
                f"{embedder.card.name} gave no unit vectors {(len(batch), out.shape[1])} for a batch of questions, "
                f"among them {text[:60]!r}",
                remedy="Look at that question: it may be empty or not in the model's language.",
            )
        out[start : start + len(batch)] = made
    return out[[row_of[text] for text in texts]]
