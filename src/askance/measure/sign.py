"""Lexical preference: does a gold document read closer to its query than a decoy does?

Per query the share of (gold, decoy) pairs in which gold agrees more with the query, a tie counting one half; then the
mean over queries, against one half. No floor can hide it, since nothing is ranked and nothing is cut off. It is the
area under the ROC curve of likeness as a detector of gold, query by query (Mann and Whitney 1947).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from askance.core.errors import UnknownName
from askance.core.estimate import Estimate
from askance.data.collection import OTHER, Decoys, Excluded, Roles, Tier
from askance.measure.bootstrap import bootstrap_mean
from askance.measure.closeness import Compared
from askance.measure.estimates import WITHOUT_GOLD
from askance.measure.judged import Counts, Mask, Values, gold_of

Reading = Literal["incidental", "adversarial", "undecided"]

WITHOUT_DECOYS = "queries without decoys"
NOT_COMPARED = "decoys not compared"

MOST_DECOYS = 1_000


@dataclass(frozen=True, slots=True)
class Preference:
    """The probability that gold reads closer to its query than a decoy does, and what it says of the surface.

    "incidental": the interval lies above ½, wording goes with meaning. "adversarial": below, wording misleads.
    """

    decoys: str
    estimate: Estimate
    reading: Reading


def pair_share(gold: Values, decoys: Values) -> float:
    """Share of (gold, decoy) pairs in which gold scores higher, a tie counting ½; both have at least one score."""
    ordered = np.sort(decoys)
    below = np.searchsorted(ordered, gold, side="left").sum()
    up_to = np.searchsorted(ordered, gold, side="right").sum()
    return float(below + up_to) / (2 * len(gold) * len(decoys))


def preference(
    tier: Tier,
    roles: Roles | None,
    compared: Compared,
    decoys: Decoys,
    seed: int,
    *,
    excluded: Excluded | None = None,
    mask: Mask | None = None,
    most_decoys: int = MOST_DECOYS,
) -> Preference:
    """Lexical preference of a tier's gold over `decoys`, among the queries of `mask` [queries] (None: all).

    Gold is never its own decoy, excluded documents are neither. Queries without gold or without decoys are left out
    and counted. Of more than `most_decoys` decoys of a query that many are drawn with the seed, the rest counted.
    """
    known = (OTHER,) if roles is None else roles.every
    for name in decoys.roles:
        if name not in [role.name for role in known]:
            raise UnknownName("role", name, [role.name for role in known], where=f"decoys {decoys.name!r}")
    queries = range(len(tier.judgments.queries)) if mask is None else np.flatnonzero(mask).tolist()
    shares: list[float] = []
    left_out = dict.fromkeys((WITHOUT_GOLD, WITHOUT_DECOYS, NOT_COMPARED), 0)
    for query in queries:
        gold = gold_of(tier.judgments, query, tier.threshold, excluded)
        others = _decoys_of(query, roles, decoys, gold, excluded, len(tier.judgments.documents))
        if not len(gold) or not len(others):
            left_out[WITHOUT_DECOYS if len(gold) else WITHOUT_GOLD] += 1
            continue
        if len(others) > most_decoys:
            left_out[NOT_COMPARED] += len(others) - most_decoys
            others = np.random.default_rng((seed, query)).choice(others, most_decoys, replace=False)
        scores = compared.scores(query, np.concatenate((gold, others)))
        shares.append(pair_share(scores[: len(gold)], scores[len(gold) :]))
    counted = {reason: count for reason, count in left_out.items() if count}
    estimate = bootstrap_mean(np.array(shares, dtype=np.float64), counted)
    return Preference(decoys.name, estimate, read(estimate))


def read(estimate: Estimate) -> Reading:
    """What a preference says: its interval above ½, below ½, or across it."""
    if estimate.low is None or estimate.high is None:
        return "undecided"
    if estimate.low > 0.5:
        return "incidental"
    return "adversarial" if estimate.high < 0.5 else "undecided"


def _decoys_of(
    query: int, roles: Roles | None, decoys: Decoys, gold: Counts, excluded: Excluded | None, documents: int
) -> Counts:
    """Positions of a query's decoys, ascending: listed with one of the roles, or with none where that is one."""
    default = OTHER if roles is None else roles.default
    wanted = np.full(documents, default.name in decoys.roles)
    if roles is not None:
        for role in roles.roles:
            wanted[roles.of_query(query, role.name)] = role.name in decoys.roles
    wanted[gold] = False
    if excluded is not None:
        wanted[excluded.of_query(query)] = False
    return np.flatnonzero(wanted)
