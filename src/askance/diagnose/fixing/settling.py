"""Which candidate, and what it gains: chosen on one half of the queries, measured on the other, both ways round.

On the half that chooses, every candidate is held against the system as it is: the exact randomization test of paired
differences, over groups of queries, corrected for the number of candidates (Holm). Of those that gain, the smallest
change is taken, unless another one gains more than twice as much; of one size the one that gains most. What it gains is
then read off the other half, which had no part in the choice: it holds where the two-sided test there says so at 5 %.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from askance.core.estimate import Estimate
from askance.diagnose.fixing.candidate import Candidate
from askance.diagnose.fixing.halves import Halves
from askance.measure.bootstrap import bootstrap_mean
from askance.measure.compare.clusters import ClusterMeans, Groups
from askance.measure.compare.corrections import holm
from askance.measure.compare.sign_flips import randomization
from askance.measure.judged import Mask, Values

LEVEL = 0.05

TWICE = 2.0
"""A change is taken in place of a smaller one only where it gains more than so many times as much."""


@dataclass(frozen=True, eq=False)
class Offer:
    """A candidate and what the measure is with it, for each query [queries]."""

    candidate: Candidate
    after: Values


@dataclass(frozen=True)
class Tried:
    """A candidate on a half that chooses: its mean gain there, p, and p corrected for all candidates."""

    candidate: Candidate
    gain: float
    p: float
    holm: float


@dataclass(frozen=True, eq=False)
class Choice:
    """What one half chose: `offer` None where nothing gains there.

    `tried`: all candidates on this half; `unseen` [queries]: the other half; `gain`, `p`: of the choice, there.
    """

    tried: Sequence[Tried]
    unseen: Mask
    offer: Offer | None
    gain: Estimate | None = None
    p: float | None = None

    @property
    def holds(self) -> bool:
        """Whether the gain is one, and is not chance, on queries that had no part in the choice."""
        return self.p is not None and self.p < LEVEL and self.gain is not None and (self.gain.value or 0.0) > 0.0


@dataclass(frozen=True, eq=False)
class Settled:
    """What came of it: `offer` None where no gain holds.

    `gain`, `p`: over `unseen` [queries], each of which had no part in the choice it is used for: both halves where both
    chose the same change, else the half that did not choose it.
    """

    choices: tuple[Choice, Choice]
    offer: Offer | None
    gain: Estimate | None
    p: float | None
    unseen: Mask


def settle(before: Values, offered: tuple[Sequence[Offer], Sequence[Offer]], halves: Halves, seed: int) -> Settled:
    """`before` [queries]: the measure as it is; `offered`: what each half may choose from, made without the other."""
    first, second = (
        _choice(before, offers, seen, unseen, halves, seed)
        for offers, seen, unseen in zip(offered, halves.each, halves.each[::-1], strict=True)
    )
    holding = [choice for choice in (first, second) if choice.holds and choice.offer is not None]
    if not holding:
        return Settled((first, second), None, None, None, np.zeros(len(before), dtype=np.bool_))
    chosen = [choice.offer.candidate.key for choice in (first, second) if choice.offer is not None]
    best = min(holding, key=_smallest)
    offer, unseen = best.offer, best.unseen
    assert offer is not None
    if len(chosen) == 2 and chosen[0] == chosen[1]:
        both = halves.first | halves.second
        gain, p = _gain(before, offer, both, halves, seed)
        if p < LEVEL and (gain.value or 0.0) > 0:
            return Settled((first, second), offer, gain, p, both)
        return Settled((first, second), None, None, None, np.zeros(len(before), dtype=np.bool_))
    return Settled((first, second), offer, best.gain, best.p, unseen)


def _smallest(choice: Choice) -> tuple[int, float]:
    size = choice.offer.candidate.size if choice.offer is not None else 0
    return size, -(choice.gain.value or 0.0) if choice.gain is not None else 0.0


def _choice(before: Values, offers: Sequence[Offer], seen: Mask, unseen: Mask, halves: Halves, seed: int) -> Choice:
    tried = tried_on(before, offers, seen, halves, seed)
    gaining = [(offer, one) for offer, one in zip(offers, tried, strict=True) if one.holm < LEVEL and one.gain > 0]
    if not gaining:
        return Choice(tried, unseen, None)
    enough = max(one.gain for _, one in gaining) / TWICE
    offer, _ = min(
        (pair for pair in gaining if pair[1].gain >= enough), key=lambda pair: (pair[0].candidate.size, -pair[1].gain)
    )
    gain, p = _gain(before, offer, unseen, halves, seed)
    return Choice(tried, unseen, offer, gain, p)


def tried_on(before: Values, offers: Sequence[Offer], seen: Mask, halves: Halves, seed: int) -> list[Tried]:
    """Each offer on the queries seen, against the system as it is; corrected for all of them (Holm)."""
    if not offers:
        return []
    found = randomization([halves.units(offer.after - before, seen) for offer in offers], seed)
    p = [1.0 if one.p is None else one.p for one in found]
    corrected = [1.0 if one is None else one for one in holm(p)]
    return [
        Tried(offer.candidate, float((offer.after - before)[seen].mean()), one, of_all)
        for offer, one, of_all in zip(offers, p, corrected, strict=True)
    ]


def _gain(before: Values, offer: Offer, mask: Mask, halves: Halves, seed: int) -> tuple[Estimate, float]:
    differences = offer.after - before
    p = randomization([halves.units(differences, mask)], seed)[0].p
    return _mean(differences, mask, halves.groups, seed), 1.0 if p is None else p


def _mean(differences: Values, mask: Mask, groups: Groups, seed: int) -> Estimate:
    """The mean with its interval: over queries, or over groups where any has several."""
    bounds = (-1.0, 1.0)
    if groups.sizes(mask).max() <= 1:
        return bootstrap_mean(differences[mask], bounds=bounds)
    alone = np.where(mask, differences, np.nan)
    return ClusterMeans.of([alone], groups, seed).estimate(0, {}, bounds)
