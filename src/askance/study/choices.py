"""What a domain of a study comes to: what the file says, else what its collection suggests."""

from __future__ import annotations

from collections.abc import Sequence

from askance.data.collection import Collection, Decoys
from askance.study.file import DomainEntry, RerankerEntry, TextsEntry


def tiers_of(entry: DomainEntry | None, collection: Collection) -> list[str]:
    """The tiers to measure, easy to hard: those of the file, else all of the collection."""
    return entry.tiers if entry and entry.tiers else list(collection.tiers)


def main_tier_of(entry: DomainEntry | None, collection: Collection) -> str:
    """The tier of curves, failures and sign: the file's, else the collection's if it is measured, else the hardest."""
    if entry and entry.main_tier:
        return entry.main_tier
    tiers = tiers_of(entry, collection)
    return collection.main if collection.main in tiers else tiers[-1]


def compared_in(entry: DomainEntry | None, collection: Collection) -> TextsEntry:
    """Which fields are compared word by word: the file's, else the collection's."""
    if entry and entry.compare:
        return entry.compare
    return TextsEntry(document=collection.compared)


def decoys_of(entry: DomainEntry | None, collection: Collection) -> Sequence[Decoys]:
    """What gold is held against: the file's sets, else the collection's, else each of its roles, else everything."""
    if entry and entry.decoys is not None:
        return [Decoys(name, one.label or name, tuple(one.roles)) for name, one in entry.decoys.items()]
    if collection.decoys:
        return tuple(collection.decoys)
    if collection.roles is None:
        return (Decoys("other", "any other document", ("other",)),)
    return tuple(Decoys(role.name, role.label, (role.name,)) for role in collection.roles.every)


def control_tokens(entry: RerankerEntry) -> str:
    """What a reranker looks at, as its control is called; one that is not lexical says so: signature:numbers."""
    tokens = str(entry.settings.get("tokens", "all"))
    return tokens if entry.reranker == "lexical" else f"{entry.reranker}:{tokens}"
