"""How close documents read to a query, in whatever likeness the caller brings."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from askance.core.errors import DataProblem
from askance.measure.judged import Values
from askance.text.likeness import Likeness


@dataclass(frozen=True, eq=False)
class Compared:
    """The texts that are compared, in the order of the collection's ids, and the likeness that compares them."""

    likeness: Likeness
    query_texts: Sequence[str]
    document_texts: Sequence[str]

    def scores(self, query: int, documents: NDArray[np.integer]) -> Values:
        """Likeness of these documents (positions) to the query at `query` [documents]; DataProblem on NaN."""
        texts = [self.document_texts[int(document)] for document in documents]
        scores = self.likeness.scores(self.query_texts[query], texts)
        if not np.isfinite(scores).all():
            at = int(documents[int(np.flatnonzero(~np.isfinite(scores))[0])])
            raise DataProblem(
                f"the likeness of query number {query + 1} and document number {at + 1} is no finite number",
                remedy="A likeness must be a number for every pair of texts, empty ones too.",
            )
        return scores
