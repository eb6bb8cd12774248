"""The sign of lexical signal in its two readings: lexical preference, and what a lexical control does to Hit@1."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from askance.core.estimate import Estimate
from askance.data.collection import Collection, Decoys, Tier
from askance.data.run import Run
from askance.measure.closeness import Compared
from askance.measure.estimates import estimate
from askance.measure.gap import Ceiling, share_of_gap
from askance.measure.gap import sign as sign_of
from askance.measure.judged import Mask, judge
from askance.measure.measures import Measure
from askance.measure.paired import gained_lost, mcnemar
from askance.measure.resamples import RESAMPLES
from askance.measure.sign import preference
from askance.study.records import estimate_record, left_out_by
from askance.study.results import Control, Preference
from askance.text.likeness import LIKENESSES


@dataclass(frozen=True)
class Draws:
    """Where random draws begin, and how many resamples are drawn."""

    seed: int
    resamples: int = RESAMPLES


def preferences(
    collection: Collection,
    tier: Tier,
    texts: tuple[Sequence[str], Sequence[str]],
    decoys: Sequence[Decoys],
    tokens: Sequence[str],
    subset: tuple[str, Mask],
    draws: Draws,
) -> list[Preference]:
    """Lexical preference for each set of decoys and token class. `texts`: those of queries and of documents."""
    records = []
    for against in decoys:
        for token_class in tokens:
            found = preference(
                tier,
                collection.roles,
                Compared(LIKENESSES[token_class], *texts),
                against,
                draws.seed,
                excluded=collection.excluded,
                mask=subset[1],
            )
            records.append(
                Preference(
                    tier=tier.name,
                    subset=subset[0],
                    decoys=against.name,
                    tokens=token_class,
                    estimate=estimate_record(found.estimate),
                    reading=found.reading,
                )
            )
    return records


@dataclass(frozen=True)
class ControlRun:
    """A reranked run, the run it came from, and what both are called."""

    system: str
    reranker: str
    label: str
    tokens: str
    first: int
    before: Run
    after: Run


def control(pair: ControlRun, collection: Collection, tier: Tier, subset: tuple[str, Mask], draws: Draws) -> Control:
    """What the reranker does to Hit@1, as a share of the gap between Hit@1 and Hit@first."""
    judged = [
        judge(run.top(pair.first), tier.judgments, tier.threshold, collection.excluded)
        for run in (pair.before, pair.after)
    ]
    mask = subset[1] & judged[0].with_gold
    before, after = (one.where(mask) for one in judged)
    top, ceiling = Measure("Hit", 1), Measure("Hit", pair.first)
    hit, hit_after, hit_any = top.compute(before), top.compute(after), ceiling.compute(before)
    left_out = left_out_by(subset[1], judged[0].with_gold)
    changed = gained_lost(hit, hit_after)

    def share(hold: Ceiling) -> Estimate:
        return share_of_gap(hit, hit_after, hit_any, draws.seed, draws.resamples, hold=hold, left_out=left_out)

    def figure(measure: Measure, where: int) -> Estimate:
        return estimate(measure, judged[where].where(subset[1]))

    first, most, held = figure(top, 0), figure(ceiling, 0), share("held")
    return Control(
        system=pair.system,
        reranker=pair.reranker,
        label=pair.label,
        tokens=pair.tokens,
        tier=tier.name,
        subset=subset[0],
        first=pair.first,
        run_sha256=pair.after.sha256,
        before=estimate_record(first),
        after=estimate_record(figure(top, 1)),
        ceiling=estimate_record(most),
        share_held=estimate_record(held),
        share_resampled=estimate_record(share("resampled")),
        gained=changed.gained,
        lost=changed.lost,
        p=mcnemar(changed.gained, changed.lost),
        sign=sign_of(held, first.value, most.value),
    )
