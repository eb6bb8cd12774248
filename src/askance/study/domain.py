"""Measuring a domain: every system under every tier and subset, beside chance; controls; taxonomy; sign; failures."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np

from askance.data.collection import Collection, Decoys, Tier
from askance.measure import failures as failing
from askance.measure.chance import Null, null
from askance.measure.closeness import Compared
from askance.measure.estimates import estimate
from askance.measure.judged import Judged, Mask, candidate_counts, judge
from askance.measure.measures import Measure
from askance.measure.taxonomy import taxonomy
from askance.measure.ties import tied_share
from askance.study.bills import bills
from askance.study.choices import control_tokens, decoys_of, main_tier_of
from askance.study.ranking import Desk, Ranked, Reranked
from askance.study.records import chance_record, estimate_record, tier_card
from askance.study.results import (
    Control,
    Curve,
    DecoysCard,
    Domain,
    Failure,
    Figure,
    Preference,
    RoleCard,
    Shown,
    SubsetCard,
    SystemCard,
    Taxonomy,
    Winner,
)
from askance.study.sign import ControlRun, Draws, control, preferences
from askance.text.likeness import LIKENESSES

CURVE = 10  # ranks of the Hit@k curve


@dataclass(frozen=True)
class _Subset:
    name: str
    label: str
    mask: Mask


@dataclass
class _Bench:
    """One domain under measurement: what every figure needs, and nulls that systems share."""

    desk: Desk
    tiers: Sequence[Tier]
    subsets: Sequence[_Subset]
    draws: Draws
    nulls: dict[tuple[str, str, str], Null] = field(default_factory=dict)

    @property
    def collection(self) -> Collection:
        return self.desk.collection

    @property
    def main(self) -> Tier:
        return self.collection.tier(main_tier_of(self.desk.entry, self.collection))

    @property
    def decoys(self) -> Sequence[Decoys]:
        return decoys_of(self.desk.entry, self.collection)

    @property
    def compared(self) -> Compared:
        return Compared(LIKENESSES["all"], *self.desk.texts(self.desk.compared))

    def judged(self, ranked: Ranked, tier: Tier) -> Judged:
        return judge(ranked.run, tier.judgments, tier.threshold, self.collection.excluded)

    def null(self, measure: Measure, tier: Tier, subset: _Subset, judged: Judged) -> Null:
        """Chance of a measure, made once for all systems."""
        key = (str(measure), tier.name, subset.name)
        if key not in self.nulls:
            sizes = candidate_counts(
                len(self.collection.documents), len(self.collection.queries), self.collection.excluded
            )
            self.nulls[key] = null(measure, judged, sizes[subset.mask], self.draws.seed, depth=self.desk.study.depth)
        return self.nulls[key]


def measure_domain(desk: Desk, tiers: Sequence[str], ranked: Sequence[Ranked], reranked: Sequence[Reranked]) -> Domain:
    """Everything that results.json says of one domain."""
    bench = _Bench(
        desk,
        [desk.collection.tier(name) for name in tiers],
        _subsets(desk),
        Draws(desk.study.seed, desk.study.resamples),
    )
    collection, entry = desk.collection, desk.entry
    main_subset = bench.subsets[0]
    return Domain(
        name=desk.name,
        title=entry.title or collection.name,
        note=entry.note,
        collection=collection.name,
        origin=collection.origin,
        notes=dict(collection.notes),
        documents=len(collection.documents),
        queries=len(collection.queries),
        corpus_sha256=collection.documents.sha256,
        queries_sha256=collection.queries.sha256,
        embedded=entry.embed.model_dump(),
        compared=desk.compared.model_dump(),
        main_tier=bench.main.name,
        main_subset=main_subset.name,
        subsets=[
            SubsetCard(name=subset.name, label=subset.label, queries=int(subset.mask.sum())) for subset in bench.subsets
        ],
        tiers=[tier_card(collection, tier) for tier in bench.tiers],
        roles=[RoleCard(name=role.name, label=role.label) for role in collection.roles.every]
        if collection.roles
        else [],
        decoys=[DecoysCard(name=one.name, label=one.label, roles=list(one.roles)) for one in bench.decoys],
        systems=[_system_card(one) for one in ranked],
        figures=list(_figures(bench, ranked)),
        curves=[_curve(bench, one, main_subset) for one in ranked],
        controls=list(_controls(bench, reranked)),
        taxonomies=[_taxonomy(bench, one, tier) for one in ranked for tier in bench.tiers],
        preferences=_preferences(bench, main_subset),
        failures=[shown for one in ranked for shown in _failures(bench, one)],
    )


def with_bills(domain: Domain, desk: Desk, tiers: Sequence[str]) -> Domain:
    """The same with the bill per class of words, for every tier, against each set of decoys."""
    collection, compared = desk.collection, desk.compared
    subset = _subsets(desk)[0]
    found = bills(
        collection,
        [collection.tier(name) for name in tiers],
        decoys_of(desk.entry, collection),
        (compared.query, compared.document),
        (subset.name, subset.mask),
        desk.study.seed,
    )
    return domain.model_copy(update={"bills": found})


def _subsets(desk: Desk) -> list[_Subset]:
    queries = desk.collection.queries
    told = [_Subset(name, entry.label or name, queries.mask(entry.where)) for name, entry in desk.entry.subsets.items()]
    return told or [_Subset("all", "all queries", queries.mask({}))]


def _system_card(ranked: Ranked) -> SystemCard:
    return SystemCard(
        name=ranked.entry.name,
        label=ranked.entry.label or ranked.entry.name,
        retriever=ranked.entry.retriever,
        settings={name: str(value) for name, value in ranked.settings.items()},
        model=ranked.entry.model,
        cut=ranked.cut,
        depth=int(np.diff(ranked.run.offsets).max(initial=0)),
        run_sha256=ranked.run.sha256,
        tied_first_ten=tied_share(ranked.run, 10),
    )


def _figures(bench: _Bench, ranked: Sequence[Ranked]) -> Iterator[Figure]:
    measures = [Measure.parse(text) for text in bench.desk.entry.measures]
    for one in ranked:
        for tier in bench.tiers:
            whole = bench.judged(one, tier)
            for subset in bench.subsets:
                judged = whole.where(subset.mask)
                for measure in measures:
                    found = estimate(measure, judged)
                    yield Figure(
                        system=one.entry.name,
                        tier=tier.name,
                        subset=subset.name,
                        measure=str(measure),
                        estimate=estimate_record(found),
                        chance=chance_record(bench.null(measure, tier, subset, judged).place(found.value or 0.0)),
                    )


def _curve(bench: _Bench, ranked: Ranked, subset: _Subset) -> Curve:
    judged = bench.judged(ranked, bench.main).where(subset.mask)
    measures = [Measure("Hit", k) for k in range(1, min(CURVE, len(bench.collection.documents)) + 1)]
    return Curve(
        system=ranked.entry.name,
        tier=bench.main.name,
        subset=subset.name,
        hits=[estimate_record(estimate(measure, judged)) for measure in measures],
        chance=[bench.null(measure, bench.main, subset, judged).expected for measure in measures],
    )


def _controls(bench: _Bench, reranked: Sequence[Reranked]) -> Iterator[Control]:
    for one in reranked:
        pair = ControlRun(
            system=one.system.entry.name,
            reranker=one.entry.name,
            label=one.entry.label or one.entry.name,
            tokens=control_tokens(one.entry),
            first=one.entry.first,
            before=one.system.run,
            after=one.run,
        )
        for tier in bench.tiers:
            for subset in bench.subsets:
                yield control(pair, bench.collection, tier, (subset.name, subset.mask), bench.draws)


def _taxonomy(bench: _Bench, ranked: Ranked, tier: Tier) -> Taxonomy:
    subset = bench.subsets[0]
    found = taxonomy(
        ranked.run,
        tier,
        bench.collection.roles,
        bench.compared,
        excluded=bench.collection.excluded,
        mask=subset.mask,
    )
    return Taxonomy(
        system=ranked.entry.name,
        tier=tier.name,
        subset=subset.name,
        misses=found.misses,
        empty=found.empty,
        winners=[
            Winner(role=winner.role, count=winner.count, share=estimate_record(winner.share))
            for winner in found.winners
        ],
        lexically_closer=estimate_record(found.lexically_closer),
    )


def _preferences(bench: _Bench, subset: _Subset) -> list[Preference]:
    return preferences(
        bench.collection,
        bench.main,
        bench.desk.texts(bench.desk.compared),
        bench.decoys,
        bench.desk.entry.tokens,
        (subset.name, subset.mask),
        bench.draws,
    )


def _failures(bench: _Bench, ranked: Ranked) -> Iterator[Failure]:
    collection = bench.collection
    queries, documents = bench.desk.texts(bench.desk.compared)

    def shown(standing: failing.Standing) -> Shown:
        return Shown(
            id=collection.documents.ids[standing.document],
            text=documents[standing.document],
            role=standing.role,
            rank=standing.rank,
            score=standing.score,
            likeness=standing.likeness,
        )

    found = failing.failures(
        ranked.run,
        bench.main,
        collection.roles,
        bench.compared,
        bench.desk.study.failures,
        excluded=collection.excluded,
        mask=bench.subsets[0].mask,
    )
    for one in found:
        yield Failure(
            system=ranked.entry.name,
            tier=bench.main.name,
            query=collection.queries.ids[one.query],
            query_text=queries[one.query],
            winner=shown(one.winner),
            gold=shown(one.gold),
        )
