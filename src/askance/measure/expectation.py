"""What stands at the ranks of a judged run, in expectation over all orders of tied documents.

Every order of a tie is as likely. Then each of its ranks holds, on average, what its documents are worth on average,
and two of its ranks hold two of its documents without repetition; sums over ranks need no more than that (McSherry and
Najork 2008). Where nothing is tied these are the plain sums.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from askance.measure.judged import Counts, Judged, Mask, Values
from askance.measure.per_query import sum_per_query

Weight = Callable[[Counts], Values]


@dataclass(frozen=True, eq=False)
class Places:
    """Ranks that documents of groups have, or may have: `group` and `rank` (from 1), int64 [places]."""

    group: Counts
    rank: Counts


def places(judged: Judged, groups: Mask, k: int | None) -> Places:
    """All ranks, none beyond k, of the groups that `groups` [groups] names."""
    chosen = np.flatnonzero(groups)
    before = judged.before[chosen]
    size = judged.size[chosen]
    lengths = size if k is None else np.clip(k - before, 0, size)
    group = np.repeat(chosen, lengths)
    first = np.cumsum(lengths) - lengths
    rank = np.arange(len(group)) + np.repeat(before + 1 - first, lengths)
    return Places(group, rank)


def found_among_first(judged: Judged, count: Counts, k: int | Counts) -> Values:
    """How many of `count` [groups] stand at rank k (one for all, or one a query) or before [queries].

    A group of m documents, j of whose ranks are within k, has j/m of its count there.
    """
    limit = k if isinstance(k, int) else k[judged.query]
    reach = np.clip(limit - judged.before, 0, judged.size)
    return sum_per_query(judged.query, count * reach / judged.size, len(judged))


def sum_over_ranks(judged: Judged, worth: Values | Mask, weight: Weight, k: int | None) -> Values:
    """Σ over ranks r up to k of weight(r) · the worth [found] of the judged document at r, unjudged ones 0 [queries].

    `weight` takes ranks [n], from 1, and gives weights [n].
    """
    total = judged.total_in(worth)
    there = places(judged, total != 0, k)
    mean = total[there.group] / judged.size[there.group]
    return sum_per_query(judged.query[there.group], mean * weight(there.rank), len(judged))
