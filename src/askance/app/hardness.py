"""How hard is a collection, without a model?"""

from __future__ import annotations

from askance.core.errors import DataProblem
from askance.core.progress import Progress
from askance.measure.hardness import TOP_DECOYS, Hardness
from askance.measure.hardness import hardness as hardness_of
from askance.study.choices import compared_in, main_tier_of
from askance.study.collections import named, open_collection


def hardness(
    collection: str, *, tier: str | None = None, first: int = TOP_DECOYS, progress: Progress | None = None
) -> Hardness:
    """How hard a tier is. `collection`: a BEIR folder, a public name, or STUDY.toml#domain; `first`: top decoys."""
    told = named(collection)
    found = open_collection(told.collection, beside=told.folder, progress=progress)
    if not found.tiers:
        raise DataProblem(
            f"{collection}: there are no judgments", remedy="Add a file of judgments to the folder qrels."
        )
    compared = compared_in(told.domain, found)
    return hardness_of(
        found,
        found.tier(tier or main_tier_of(told.domain, found)),
        query_field=compared.query,
        document_field=compared.document,
        first=first,
        progress=progress,
    )
