"""Ties: how much of a ranking was decided by position, not by score."""

from __future__ import annotations

import numpy as np

from askance.data.rows import owner_of
from askance.data.run import Run


def tied_share(run: Run, first: int) -> float:
    """Share of the first `first` places of all lists that have the score of a neighbour in the list; 0 of none."""
    if not len(run):
        return 0.0
    owner = owner_of(run.offsets)
    same = (run.score[1:] == run.score[:-1]) & (owner[1:] == owner[:-1])
    tied = np.zeros(len(run), dtype=np.bool_)
    tied[1:] |= same
    tied[:-1] |= same
    rank = np.arange(len(run)) - run.offsets[owner]
    return float(tied[rank < first].mean())
