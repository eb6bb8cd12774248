"""Queries with their gold and decoy documents, as views learn from them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from askance.core.errors import DataProblem, UnknownName
from askance.data.collection import OTHER, Collection
from askance.data.rows import Positions

MOST_PAIRS = 20_000_000  # of queries and decoys, that are held


@dataclass(frozen=True, eq=False)
class Judged:
    """Some queries and all documents. `gold`, `decoys`: per query, positions of documents, none of them in both.

    Gold is what should be found; decoys are what should not, and might be. Other documents are neither. `note`: where
    decoys are a sample, how it was drawn, in a sentence.
    """

    queries: Sequence[str]
    documents: Sequence[str]
    gold: Sequence[Positions]
    decoys: Sequence[Positions]
    note: str = field(default="", kw_only=True)

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
            note=self.note,
        )


def judged_in(
    collection: Collection,
    *,
    tier: str | None = None,
    decoys: str | None = None,
    query_field: str = "text",
    document_field: str | None = None,
    most_pairs: int = MOST_PAIRS,
    seed: int = 0,
) -> Judged:
    """What a collection says of its queries; those without gold or decoys have empty arrays.

    `tier`: the main one unless told. `decoys`: one of the collection's named sets of roles, its first unless told;
    where it names none, every document that is not gold. `document_field`: the one that is compared unless told.

    Where queries and decoys would make more than `most_pairs` pairs, each query has as many of its decoys as that
    allows, two at least, drawn without regard to anything by `seed`; `note` then says so. A share of pairs of such a
    sample is an unbiased estimate for its query, and what is drawn shows in the interval over queries.
    """
    chosen = collection.tier(tier or collection.main or next(iter(collection.tiers)))
    roles = _roles(collection, decoys)
    gold_of, decoys_of = [], []
    sample = _Sample(max(most_pairs // max(len(collection.queries), 1), 2), seed)
    everything = np.arange(len(collection.documents), dtype=np.int32)
    for query in range(len(collection.queries)):
        documents, grades = chosen.judgments.of_query(query)
        gold = documents[grades >= chosen.threshold]
        others = everything if roles is None else _with_roles(collection, query, roles)
        if collection.excluded is not None:
            never = collection.excluded.of_query(query)
            gold, others = np.setdiff1d(gold, never), np.setdiff1d(others, never)
        gold_of.append(gold.astype(np.int32))
        decoys_of.append(sample.of(np.setdiff1d(others, gold).astype(np.int32)))
    return Judged(
        collection.queries.field(query_field),
        collection.documents.field(document_field or collection.compared),
        gold_of,
        decoys_of,
        note=sample.note,
    )


class _Sample:
    """At most so many decoys of each query, and what is to be said of that."""

    def __init__(self, most: int, seed: int) -> None:
        self._most, self._seed, self._rng = most, seed, np.random.default_rng(seed)
        self._cut = 0

    def of(self, decoys: Positions) -> Positions:
        if len(decoys) <= self._most:
            return decoys
        self._cut += 1
        return np.sort(self._rng.choice(decoys, self._most, replace=False))

    @property
    def note(self) -> str:
        if not self._cut:
            return ""
        return f"Decoys are a sample: at most {self._most:,} a query, so cut for {self._cut:,}, seed {self._seed}."


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
