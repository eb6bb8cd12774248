"""Queries with their gold and decoy documents, as views learn from them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from askance.core.errors import DataProblem, UnknownName
from askance.data.collection import OTHER, Collection
from askance.data.rows import Positions


@dataclass(frozen=True, eq=False)
class Judged:
    """Some queries and all documents. `gold`, `decoys`: per query, positions of documents, none of them in both.

    Gold is what should be found; decoys are what should not, and might be. Other documents are neither.
    """

    queries: Sequence[str]
    documents: Sequence[str]
    gold: Sequence[Positions]
    decoys: Sequence[Positions]

    def __post_init__(self) -> None:
        if not len(self.queries) == len(self.gold) == len(self.decoys):
            raise DataProblem(
                f"{len(self.queries)} queries with gold for {len(self.gold)} and decoys for {len(self.decoys)}",
                remedy="Give each query one array of gold and one of decoys; empty arrays are fine.",
            )

    def take(self, queries: Sequence[int] | NDArray[np.int64]) -> Judged:
        """The same with these queries alone, by position."""
        at = [int(query) for query in queries]
        return Judged(
            [self.queries[query] for query in at],
            self.documents,
            [self.gold[query] for query in at],
            [self.decoys[query] for query in at],
        )


def judged_in(
    collection: Collection,
    *,
    tier: str | None = None,
    decoys: str | None = None,
    query_field: str = "text",
    document_field: str | None = None,
) -> Judged:
    """What a collection says of its queries; those without gold or decoys have empty arrays.

    `tier`: the main one unless told. `decoys`: one of the collection's named sets of roles, its first unless told;
    where it names none, every document that is not gold. `document_field`: the one that is compared unless told.
    """
    chosen = collection.tier(tier or collection.main or next(iter(collection.tiers)))
    roles = _roles(collection, decoys)
    gold_of, decoys_of = [], []
    everything = np.arange(len(collection.documents), dtype=np.int32)
    for query in range(len(collection.queries)):
        documents, grades = chosen.judgments.of_query(query)
        gold = documents[grades >= chosen.threshold]
        others = everything if roles is None else _with_roles(collection, query, roles)
        if collection.excluded is not None:
            never = collection.excluded.of_query(query)
            gold, others = np.setdiff1d(gold, never), np.setdiff1d(others, never)
        gold_of.append(gold.astype(np.int32))
        decoys_of.append(np.setdiff1d(others, gold).astype(np.int32))
    return Judged(
        collection.queries.field(query_field),
        collection.documents.field(document_field or collection.compared),
        gold_of,
        decoys_of,
    )


def _roles(collection: Collection, decoys: str | None) -> tuple[str, ...] | None:
    if decoys is None:
        return collection.decoys[0].roles if collection.decoys else None
    for each in collection.decoys:
        if each.name == decoys:
            return each.roles
    raise UnknownName("set of decoys", decoys, [each.name for each in collection.decoys])


def _with_roles(collection: Collection, query: int, roles: Sequence[str]) -> Positions:
    """Documents that have one of these roles for the query, listed or by default."""
    known = collection.roles
    default = OTHER if known is None else known.default
    wanted = np.full(len(collection.documents), default.name in roles)
    if known is not None:
        for role in known.roles:
            wanted[known.of_query(query, role.name)] = role.name in roles
    return np.flatnonzero(wanted).astype(np.int32)
