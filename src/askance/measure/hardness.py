"""How hard is a collection, before any model reads it: what its judgments tie together, and what its words give away.

Three figures of the judgments alone (measure.gold_graphs), and of the texts the overlap of gold with its query beside
that of the top decoys: the documents, neither gold nor excluded, that share most words with the query.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from askance.core.estimate import Estimate
from askance.core.progress import Progress
from askance.data.collection import Collection, Tier
from askance.measure.bootstrap import bootstrap_mean
from askance.measure.estimates import WITHOUT_GOLD
from askance.measure.gold_graphs import Graph, gold_graphs, gold_rows, held_by_row
from askance.measure.judged import Counts, Values
from askance.measure.sign import WITHOUT_DECOYS
from askance.measure.word_overlap import WordOverlap

TOP_DECOYS = 10


@dataclass(frozen=True, slots=True)
class Counted:
    """What there is, under one tier: documents and queries; those with gold, gold and judged ones; pairs of gold.

    `shared`: documents that are gold for more than one query; `most_gold`: the most that one query has.
    """

    documents: int
    queries: int
    with_gold: int
    gold_documents: int
    judged_documents: int
    gold_pairs: int
    shared: int
    most_gold: int

    def record(self) -> dict[str, int]:
        """The machine form."""
        return {name: getattr(self, name) for name in self.__slots__}


@dataclass(frozen=True, slots=True)
class Overlap:
    """Overlap of words with the query, Jaccard 0 to 1; means over queries that have gold and decoys.

    `gold`: of the query's gold, on average; `decoys`: of its `first` top decoys, on average; `margin`: gold that
    overlaps most minus the top decoy, −1 to 1; `closer`: how often the former overlaps more, a tie counting ½.
    """

    first: int
    gold: Estimate
    decoys: Estimate
    margin: Estimate
    closer: Estimate

    def record(self) -> dict[str, object]:
        """The machine form."""
        return {
            "first": self.first,
            "gold": self.gold.record(),
            "decoys": self.decoys.record(),
            "margin": self.margin.record(),
            "closer": self.closer.record(),
        }


@dataclass(frozen=True, slots=True)
class Hardness:
    """How hard a tier of a collection is. The graphs and `strength` are exact, the overlaps are estimates."""

    collection: str
    origin: str
    tier: str
    tier_label: str
    counts: Counted
    query_graph: Graph
    document_graph: Graph
    strength: Estimate
    overlap: Overlap

    def record(self) -> dict[str, object]:
        """The machine form: askance/hardness/1."""
        return {
            "schema": "askance/hardness/1",
            "collection": self.collection,
            "origin": self.origin,
            "tier": self.tier,
            "counts": self.counts.record(),
            "query_graph": self.query_graph.record(),
            "document_graph": self.document_graph.record(),
            "query_strength": self.strength.record(),
            "overlap": self.overlap.record(),
        }


def hardness(
    collection: Collection,
    tier: Tier,
    *,
    query_field: str = "text",
    document_field: str | None = None,
    first: int = TOP_DECOYS,
    progress: Progress | None = None,
) -> Hardness:
    """How hard `tier` is; `document_field`: what is held against the query, the collection's own choice unless told.

    What cannot be said (no gold, one document, no decoys) is undefined, with the reason.
    """
    graphs = gold_graphs(tier, collection.excluded)
    texts = (collection.queries.field(query_field), collection.documents.field(document_field or collection.compared))
    return Hardness(
        collection=collection.name,
        origin=collection.origin,
        tier=tier.name,
        tier_label=tier.label or tier.name,
        counts=_counted(collection, tier),
        query_graph=graphs.queries,
        document_graph=graphs.documents,
        strength=graphs.strength,
        overlap=_overlap(collection, tier, WordOverlap.of(*texts, progress), first),
    )


def _counted(collection: Collection, tier: Tier) -> Counted:
    rows = gold_rows(tier, collection.excluded)
    per_query, per_document = held_by_row(rows), held_by_row(rows.T.tocsr())
    judgments = tier.judgments
    return Counted(
        documents=len(collection.documents),
        queries=len(collection.queries),
        with_gold=int((per_query > 0).sum()),
        gold_documents=int((per_document > 0).sum()),
        judged_documents=len(np.unique(judgments.document[judgments.grade >= 0])),
        gold_pairs=int(per_query.sum()),
        shared=int((per_document > 1).sum()),
        most_gold=int(per_query.max(initial=0)),
    )


def _overlap(collection: Collection, tier: Tier, words: WordOverlap, first: int) -> Overlap:
    rows = gold_rows(tier, collection.excluded)
    wanted = np.flatnonzero(held_by_row(rows))
    found: list[tuple[float, float, float, float]] = []
    for queries, overlaps in words.blocks(wanted):
        for query, overlap in zip(queries, overlaps, strict=True):
            gold = rows.indices[rows.indptr[query] : rows.indptr[query + 1]]
            barred = collection.excluded.of_query(int(query)) if collection.excluded is not None else gold[:0]
            decoys = _top(overlap, np.concatenate((gold, barred)), first)
            if len(decoys):
                best, top = float(overlap[gold].max()), float(decoys[0])
                closer = 1.0 if best > top else 0.5 if best == top else 0.0
                found.append((float(overlap[gold].mean()), float(decoys.mean()), best - top, closer))
    left_out = {WITHOUT_GOLD: len(collection.queries) - len(wanted), WITHOUT_DECOYS: len(wanted) - len(found)}
    left_out = {reason: count for reason, count in left_out.items() if count}
    columns = np.array(found, dtype=np.float64).reshape(len(found), 4).T
    return Overlap(
        first,
        gold=bootstrap_mean(columns[0], left_out),
        decoys=bootstrap_mean(columns[1], left_out),
        margin=bootstrap_mean(columns[2], left_out, (-1.0, 1.0)),
        closer=bootstrap_mean(columns[3], left_out),
    )


def _top(overlap: Values, barred: Counts, first: int) -> Values:
    """The largest overlaps of the documents that are not barred, at most `first`, descending."""
    others = np.delete(overlap, barred)
    kept = min(first, len(others))
    top: Values = -np.sort(-np.partition(others, len(others) - kept)[len(others) - kept :]) if kept else others[:0]
    return top
