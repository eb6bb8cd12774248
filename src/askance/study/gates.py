"""Gates: published figures that a study must meet before it measures anything else.

A pipeline that cannot give a known figure anew has no business giving new ones. Only what a gate's figure needs is
computed for it: its system, tier, subset and measure. What was ranked for it is kept, and the study uses it again.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Literal

from askance.build.as_published import ORIGIN as MADE
from askance.core.errors import CheckFailed
from askance.data.collection import Collection
from askance.measure.measures import Measure
from askance.study.choices import control_tokens, decoys_of, main_tier_of, tiers_of
from askance.study.file import DecoysEntry, DomainEntry, GateEntry, Place, StudyFile, SystemEntry
from askance.study.measured import CONTROL_ENDINGS, control_id, figure_id, measured_of, sign_id
from askance.study.results import Domain, EstimateIn, GateRecord

ROUNDING = 1e-9
EVERY_QUERY = "all"  # what a domain without subsets calls all of its queries
NOT_ORIGINAL = "skipped, since the collection was made by askance and published figures are about the original"

Complaint = tuple[Place, str]


@dataclass(frozen=True, slots=True)
class Need:
    """What must be measured for one figure. `reranker`: of a control; `decoys`, `tokens`: of a lexical preference."""

    system: str
    tier: str
    subset: str
    measure: str | None = None
    reranker: str | None = None
    decoys: str | None = None
    tokens: str | None = None


@dataclass(frozen=True)
class Gated:
    """The gates of one domain, and an entry that measures what they need and nothing else."""

    gates: Sequence[GateEntry]
    entry: DomainEntry


def off(published: float, tolerance: float, ours: EstimateIn) -> str:
    """How far a figure is from a published one, in words; empty where it is within the tolerance."""
    if ours.value is None:
        return ours.method
    away = ours.value - published
    if abs(away) <= tolerance + ROUNDING:
        return ""
    return f"{ours.value:.4g} is {abs(away):.2g} {'above' if away > 0 else 'below'} {published:g} ± {tolerance:g}"


def check_gates(study: StudyFile, collections: Mapping[str, Collection]) -> None:
    """StudyProblem, with every complaint and its line, where a gate names no figure of the study, or several."""
    complaints = [
        (("gates", number, *place), what)
        for number, gate in enumerate(study.gates)
        for place, what in _complaints(gate, study, collections)
    ]
    if complaints:
        raise study.refusal(complaints)


def gated(study: StudyFile, collections: Mapping[str, Collection]) -> dict[str, Gated]:
    """Per domain that has gates: the gates, and what must be measured for them. `check_gates` has passed."""
    found = {}
    for name, entry in study.domains.items():
        gates = [gate for gate in study.gates if domain_of(gate, study, collections) == name]
        if gates:
            possible = figures_of(entry, collections[name])
            found[name] = Gated(gates, _reduced(entry, collections[name], [possible[gate.figure] for gate in gates]))
    return found


def domain_of(gate: GateEntry, study: StudyFile, collections: Mapping[str, Collection]) -> str:
    """The domain of a gate: the one that it names, else the only one that has its figure."""
    return gate.domain or _domains_with(gate.figure, study, collections)[0]


def is_made(origin: str) -> bool:
    """Whether askance made the collection of this origin itself: no published figure is about it."""
    return origin == MADE


def skipped(domain: str, gate: GateEntry) -> GateRecord:
    """A gate that cannot be checked, since the original data is not here."""
    return _record(domain, gate, None, "skipped", NOT_ORIGINAL)


def held(gate: GateEntry, domain: Domain, past_gate: str | None = None) -> GateRecord:
    """A gate held against the figures of its domain; a failed one carries the reason for which it was gone past."""
    if is_made(domain.origin):
        return skipped(domain.name, gate)
    ours = next((found.estimate for found in measured_of(domain) if found.id == gate.figure), None)
    wrong = "the domain has no such figure" if ours is None else off(gate.value, gate.tolerance, ours)
    record = _record(domain.name, gate, ours, "failed" if wrong else "passed", wrong)
    return record.model_copy(update={"past": past_gate}) if wrong and past_gate else record


def stop_at_failed(records: Sequence[GateRecord]) -> None:
    """CheckFailed where a gate failed and no reason was given to go past it."""
    failed = [record for record in records if record.status == "failed" and not record.past]
    if failed:
        said = "\n".join(
            f"gate failed: {record.domain}, {record.figure}: {record.why}"
            + (f" ({record.origin})" if record.origin else "")
            for record in failed
        )
        raise CheckFailed(
            f"{said}\nnothing else was computed",
            remedy='Find out why the figure differs, or go on with --past-gate "REASON", which the report will print.',
        )


def figures_of(entry: DomainEntry, collection: Collection) -> dict[str, Need]:
    """Every figure that a domain will have, by its name (see `measured`), with what it needs."""
    return dict(_figures_of(entry, collection))


def _figures_of(entry: DomainEntry, collection: Collection) -> Iterator[tuple[str, Need]]:
    tiers, subsets = tiers_of(entry, collection), list(entry.subsets) or [EVERY_QUERY]
    places = [(tier, subset) for tier in tiers for subset in subsets]
    measures = [str(Measure.parse(measure)) for measure in entry.measures]
    any_system = entry.systems[0].name
    for tier, subset in places:
        for measure in measures:
            yield figure_id("chance", tier, subset, measure), Need(any_system, tier, subset, measure)
            for system in entry.systems:
                yield figure_id(system.name, tier, subset, measure), Need(system.name, tier, subset, measure)
        for reranker in entry.rerankers:
            tokens = control_tokens(reranker)
            for system in entry.systems:
                if reranker.over is None or system.name in reranker.over:
                    need = Need(system.name, tier, subset, reranker=reranker.name)
                    for ending in CONTROL_ENDINGS:
                        yield f"{control_id(system.name, tier, subset, tokens)}{ending}", need
    main = main_tier_of(entry, collection)
    for decoys in decoys_of(entry, collection):
        for tokens in entry.tokens:
            need = Need(any_system, main, subsets[0], decoys=decoys.name, tokens=tokens)
            yield sign_id(main, subsets[0], decoys.name, tokens), need


def _reduced(entry: DomainEntry, collection: Collection, needs: Sequence[Need]) -> DomainEntry:
    """The entry that measures these and nothing else."""
    tiers = {need.tier for need in needs}
    decoys = {need.decoys for need in needs if need.decoys}
    there = {one.name: one for one in decoys_of(entry, collection)}
    main = main_tier_of(entry, collection)
    return entry.model_copy(
        update={
            "tiers": [tier for tier in tiers_of(entry, collection) if tier in tiers],
            "main_tier": main if main in tiers else needs[0].tier,
            "measures": [text for text in entry.measures if str(Measure.parse(text)) in {n.measure for n in needs}],
            "subsets": {name: one for name, one in entry.subsets.items() if name in {need.subset for need in needs}},
            "decoys": {
                name: DecoysEntry(label=there[name].label, roles=list(there[name].roles)) for name in sorted(decoys)
            },
            "tokens": [tokens for tokens in entry.tokens if tokens in {need.tokens for need in needs}],
            "systems": _with_those_they_fuse(entry, {need.system for need in needs}),
            "rerankers": [
                reranker.model_copy(update={"over": _over(reranker.name, needs)})
                for reranker in entry.rerankers
                if _over(reranker.name, needs)
            ],
        }
    )


def _with_those_they_fuse(entry: DomainEntry, names: set[str]) -> list[SystemEntry]:
    """These systems of the domain, and those above them whose runs they are made of, in order."""
    wanted = set(names)
    for system in reversed(entry.systems):
        if system.name in wanted:
            wanted.update(system.settings.get("of", ()))
    return [system for system in entry.systems if system.name in wanted]


def _over(reranker: str, needs: Sequence[Need]) -> list[str]:
    return sorted({need.system for need in needs if need.reranker == reranker})


def _complaints(gate: GateEntry, study: StudyFile, collections: Mapping[str, Collection]) -> Iterator[Complaint]:
    if gate.domain is not None and gate.domain not in study.domains:
        near = get_close_matches(gate.domain, list(study.domains), n=1, cutoff=0.5)
        hint = f"Did you mean {near[0]!r}?" if near else f"Known: {', '.join(study.domains)}."
        yield ("domain",), f"there is no domain {gate.domain!r} in this file. {hint}"
        return
    there = _domains_with(gate.figure, study, collections)
    if gate.domain is None and len(there) > 1:
        yield ("figure",), f"the figure {gate.figure!r} is in the domains {', '.join(there)}: say which, domain = …"
    elif not there or gate.domain not in (None, *there):
        named = [gate.domain] if gate.domain else list(study.domains)
        known = [figure for name in named for figure in figures_of(study.domains[name], collections[name])]
        near = get_close_matches(gate.figure, known, n=1, cutoff=0.5)
        hint = f"Did you mean {near[0]!r}?" if near else f"A figure is SYSTEM.TIER.SUBSET.MEASURE, e.g. {known[-1]!r}."
        where = f"the domain {gate.domain!r} measures" if gate.domain else "this study measures"
        yield ("figure",), f"there is no figure {gate.figure!r} among those that {where}. {hint}"


def _domains_with(figure: str, study: StudyFile, collections: Mapping[str, Collection]) -> list[str]:
    return [name for name, entry in study.domains.items() if figure in figures_of(entry, collections[name])]


def _record(
    domain: str, gate: GateEntry, ours: EstimateIn | None, status: Literal["passed", "failed", "skipped"], why: str
) -> GateRecord:
    return GateRecord(
        domain=domain,
        figure=gate.figure,
        published=gate.value,
        tolerance=gate.tolerance,
        origin=gate.origin,
        ours=ours,
        status=status,
        why=why,
    )
