"""The study file held against its collections: what they do not have, said with the line that names it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

import numpy as np

from askance.core.errors import BadInput, UnknownName
from askance.data.collection import Collection
from askance.measure.gold import gold_counts
from askance.study.choices import compared_in, tiers_of
from askance.study.file import DomainEntry, Place, StudyFile

Complaint = tuple[Place, str]

_LARGEST_GRADE = 1e100  # sums of gains stay finite


def check_study(study: StudyFile, collections: Mapping[str, Collection]) -> None:
    """`collections`: that of each domain. StudyProblem, with every complaint, where file and collections do not fit."""
    complaints = [
        (("domains", name, *place), what)
        for name, domain in study.domains.items()
        for place, what in _of_domain(domain, collections[name])
    ]
    if complaints:
        raise study.refusal(complaints)


def _of_domain(domain: DomainEntry, collection: Collection) -> Iterator[Complaint]:
    yield from _fields(domain, collection)
    yield from _tiers(domain, collection)
    for name, decoys in (domain.decoys or {}).items():
        if collection.roles is None:
            yield ("decoys", name), f"collection {collection.name!r} has no roles, so decoys cannot be named by role"
            continue
        for role in decoys.roles:
            yield from _tried(("decoys", name, "roles"), collection.roles.named, role)
    for name, subset in domain.subsets.items():
        wrong = list(_tried(("subsets", name), collection.queries.mask, subset.where))
        yield from wrong
        if not wrong and not collection.queries.mask(subset.where).any():
            yield ("subsets", name), f"no query has all of the values that the subset {name!r} asks for"


def _fields(domain: DomainEntry, collection: Collection) -> Iterator[Complaint]:
    compare = compared_in(domain, collection)
    for key, texts in (("embed", domain.embed), ("compare", compare)):
        yield from _tried((key, "query"), collection.queries.field, texts.query)
        yield from _tried((key, "document"), collection.documents.field, texts.document)


def _tiers(domain: DomainEntry, collection: Collection) -> Iterator[Complaint]:
    tiers = tiers_of(domain, collection)
    wrong = [complaint for tier in tiers for complaint in _tried(("tiers",), collection.tier, tier)]
    yield from wrong
    if domain.main_tier is not None and domain.main_tier not in tiers:
        unknown = UnknownName("tier", domain.main_tier, tiers)
        yield ("main_tier",), f"{unknown.message} among those measured. {unknown.remedy}"
    for name in tiers if not wrong else ():
        largest = float(np.abs(collection.tier(name).judgments.grade).max(initial=0.0))
        if largest > _LARGEST_GRADE:
            yield (
                ("tiers",),
                f"the tier {name!r} has a grade of {largest:g}, too large to add up. Use 0, 1, 2 …",
            )
    if not wrong and not any(_has_gold(collection, tier) for tier in tiers):
        yield (
            ("tiers",),
            f"no query of collection {collection.name!r} has gold in any of its tiers: {', '.join(tiers) or 'none'}. "
            "Check the grades, the threshold in tiers.json, and the excluded documents.",
        )


def _has_gold(collection: Collection, name: str) -> bool:
    tier = collection.tier(name)
    return bool(gold_counts(tier.judgments, tier.threshold, collection.excluded).any())


def _tried(place: Place, ask: Callable[..., object], wanted: object) -> Iterator[Complaint]:
    """The complaint about asking for what is not there, if it is not."""
    try:
        ask(wanted)
    except BadInput as error:
        yield place, f"{error.message}. {error.remedy}" if error.remedy else error.message
