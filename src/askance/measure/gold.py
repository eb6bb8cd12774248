"""How much gold each query could find."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from askance.data.judgments import Judgments
from askance.data.rows import pair_keys
from askance.measure.judged import Counts

if TYPE_CHECKING:
    from askance.data.collection import Excluded


def gold_counts(judgments: Judgments, threshold: float, excluded: Excluded | None = None) -> Counts:
    """Gold that is not excluded, per query, int64 [queries]."""
    counts = judgments.gold_counts(threshold)
    if excluded is None:
        return counts
    width = len(judgments.documents)
    gold = pair_keys(judgments.offsets, judgments.document, width)[judgments.grade >= threshold]
    barred = gold[np.isin(gold, pair_keys(excluded.offsets, excluded.document, width))]
    return counts - np.bincount(barred // width, minlength=len(counts))
