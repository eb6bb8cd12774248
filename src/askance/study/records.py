"""Estimates, chances and cards of measure and data, as records of results.json."""

from __future__ import annotations

from askance.core.estimate import Estimate
from askance.data.collection import Collection, Tier
from askance.measure.chance import Chance
from askance.measure.estimates import WITHOUT_GOLD
from askance.measure.gold import gold_counts
from askance.measure.judged import Mask
from askance.study.results import ChanceIn, EstimateIn, TierCard


def estimate_record(estimate: Estimate) -> EstimateIn:
    """The same estimate, to be written."""
    return EstimateIn(
        value=estimate.value,
        low=estimate.low,
        high=estimate.high,
        n=estimate.n,
        method=estimate.method,
        left_out=dict(estimate.left_out),
    )


def chance_record(chance: Chance) -> ChanceIn:
    """The same chance, to be written."""
    return ChanceIn(expected=chance.expected, p=chance.p, verdict=chance.verdict, method=chance.method)


def tier_card(collection: Collection, tier: Tier) -> TierCard:
    """What a reader must know of a tier: its rule, how many queries it holds, how much gold they have."""
    gold = gold_counts(tier.judgments, tier.threshold, collection.excluded)
    there = gold[gold > 0]
    return TierCard(
        name=tier.name,
        label=tier.label or tier.name,
        rule=tier.rule,
        queries=len(there),
        without_gold=len(collection.queries) - len(there),
        gold=float(there.mean()) if len(there) else 0.0,
    )


def left_out_by(mask: Mask, with_gold: Mask) -> dict[str, int]:
    """Queries of the subset that have no gold, as `left_out` of an estimate says it."""
    without = int((mask & ~with_gold).sum())
    return {WITHOUT_GOLD: without} if without else {}
