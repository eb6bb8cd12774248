"""Does the answer stay when the words of a class change? Told from judgments, by the collection's own gold."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Hashable, Sequence
from typing import Literal

import numpy as np

from askance.core.estimate import Estimate
from askance.data.collection import Tier
from askance.diagnose.probe.reading import TokenReader
from askance.measure.bootstrap import bootstrap_mean

Claim = Literal["keeps", "changes", "undecided", "not known"]
"""What changing the words of a class does to the answer: the interval is above one half, below, around; or no pairs."""


def answer_stays(
    reader: TokenReader, group: str, tier: Tier, queries: Sequence[str], documents: Sequence[str]
) -> Estimate:
    """How often a document that differs from a gold document in this class alone is gold as well [queries].

    A query's own text counts as gold: a document that differs from it in the class alone is told by its own grade.
    Pairs with the same words of the class are left out, and queries without a pair. `documents`: whole corpus.
    """
    masked: defaultdict[Hashable, Counter[Hashable]] = defaultdict(Counter)
    read = [_masked(reader, group, text) for text in documents]
    for mask, held in read:
        masked[mask][held] += 1
    values = []
    for at, text in enumerate(queries):
        rows, grade = tier.judgments.of_query(at)
        gold: defaultdict[Hashable, Counter[Hashable]] = defaultdict(Counter)
        for document in rows[grade >= tier.threshold].tolist():
            mask, held = read[document]
            gold[mask][held] += 1
        pairs = kept = 0
        for mask, counts in gold.items():
            there = masked[mask]
            pairs += counts.total() * there.total() - sum(counts[held] * there[held] for held in counts)
            kept += counts.total() ** 2 - sum(count * count for count in counts.values())
        mask, held = _masked(reader, group, text)
        if gold and mask in masked:
            pairs += masked[mask].total() - masked[mask][held]
            kept += gold[mask].total() - gold[mask][held] if mask in gold else 0
        if pairs:
            values.append(kept / pairs)
    left = len(queries) - len(values)
    return bootstrap_mean(np.array(values), {"queries without such a pair": left} if left else None)


def claim_of(stays: Estimate | None) -> Claim:
    """What the estimate says; "not known" where there is none."""
    if stays is None or stays.low is None or stays.high is None:
        return "not known"
    if stays.low > 0.5:
        return "keeps"
    return "changes" if stays.high < 0.5 else "undecided"


def _masked(reader: TokenReader, group: str, text: str) -> tuple[Hashable, Hashable]:
    pieces = reader.pieces(text)
    inside = tuple(piece.term for piece in pieces if piece.group == group)
    return tuple("" if piece.group == group else piece.term for piece in pieces), inside
