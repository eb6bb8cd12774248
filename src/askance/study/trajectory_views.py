"""Figures of abstracted views on the trajectories: what they win for who seeks another object, and lose for the same.

A view makes most documents equal to others. So these rows are expectations over all orders of equal scores; those of
the study stand by document position, as every study's do.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from askance.core.places import cache_folder
from askance.core.progress import Progress
from askance.data.adapters.trajectories import SIBLING
from askance.data.collection import Collection, Tier
from askance.data.judgments import Judgments
from askance.data.run import Run
from askance.measure.estimates import estimate
from askance.measure.measures import Measure
from askance.measure.order import judge_by
from askance.models.embedder import Embedder
from askance.models.registry import EMBEDDERS
from askance.models.vectors import VectorStore
from askance.retrieve.registry import RETRIEVERS
from askance.retrieve.retriever import Resources, RetrievalTask
from askance.study.execute import OpenCollection
from askance.study.measured import figure_id
from askance.study.records import estimate_record
from askance.study.reproduce import Added

SAME_OBJECT = "same-object"

_MEASURES = tuple(Measure("Hit", k) for k in (1, 5, 10))
_SUBSETS: Mapping[str, Mapping[str, str]] = {"all118": {}, "old40": {"set": "old40"}, "new78": {"set": "new78"}}
_TIERS = ("reference", "strict", "strict-ii")
_VIEW: Mapping[str, object] = {"over": "dense"}
# name of the system: (field of the documents, retriever, settings)
_SYSTEMS: Mapping[str, tuple[str, str, Mapping[str, object]]] = {
    "minilm-description": ("description", "dense", {}),
    "minilm-view": ("description", "view", _VIEW),
    "minilm-view-raw": ("description", "view", {**_VIEW, "ties": "raw"}),
    "bm25-view": ("description", "view", {"over": "lexical"}),
    "minilm-text-view": ("text", "view", _VIEW),
    "minilm-actions": ("actions", "dense", {}),
    "minilm-actions-view": ("actions", "view", _VIEW),
}
_BOTH = "minilm-view-both"
_OF_BOTH = ("minilm-description", "minilm-view-raw")


def of_trajectories(*, open_collection: OpenCollection, progress: Progress) -> Mapping[str, Added]:
    """Hit@1, @5 and @10 of every system, tier and subset, ties by expectation, by row id."""
    collection = open_collection("trajectories")
    kind = EMBEDDERS.get("minilm")
    embedder = kind.build(kind.Settings(), None)
    runs = {name: _run(collection, *told, embedder, progress) for name, told in _SYSTEMS.items()}
    fused = RETRIEVERS.get("fused")
    resources = Resources(runs=runs)
    task = _task(collection, "description")
    both = fused.build(fused.Settings.model_validate({"of": _OF_BOTH}), resources).retrieve(task, progress)
    tiers = [*(collection.tier(name) for name in _TIERS), _same_object(collection)]
    return dict(_figures(collection, {**runs, _BOTH: both}, tiers))


def _task(collection: Collection, field: str) -> RetrievalTask:
    documents = collection.documents
    return RetrievalTask(
        collection.queries.ids,
        collection.queries.field("text"),
        documents.ids,
        documents.field(field),
        len(documents),
    )


def _run(
    collection: Collection,
    field: str,
    retriever: str,
    settings: Mapping[str, object],
    embedder: Embedder,
    progress: Progress,
) -> Run:
    kind = RETRIEVERS.get(retriever)
    resources = Resources(embedder, VectorStore(cache_folder("vectors")))
    return kind.build(kind.Settings.model_validate(settings), resources).retrieve(_task(collection, field), progress)


def _same_object(collection: Collection) -> Tier:
    """Gold for who wants the very same thing: same task, same object."""
    roles = collection.roles
    assert roles is not None
    queries, documents = collection.queries.ids, collection.documents.ids
    grades = {
        queries[at]: {documents[document]: 1.0 for document in roles.of_query(at, SIBLING.name).tolist()}
        for at in range(len(queries))
    }
    return Tier(SAME_OBJECT, SIBLING.label, Judgments.of(queries, documents, grades), "same task type, same object")


def _figures(collection: Collection, runs: Mapping[str, Run], tiers: Sequence[Tier]) -> Iterator[tuple[str, Added]]:
    for name, run in runs.items():
        why = f"ties by expectation; {_distinct(run):,} different scores a query on average"
        for tier in tiers:
            judged = judge_by("expected", run, tier.judgments, tier.threshold)
            for subset, where in _SUBSETS.items():
                within = judged.where(collection.queries.mask(where))
                for measure in _MEASURES:
                    found = estimate_record(estimate(measure, within))
                    yield figure_id(name, tier.name, subset, str(measure)), Added(found, why)


def _distinct(run: Run) -> int:
    """Different scores of a list, mean over queries, to the next whole number."""
    return round(float(np.mean([len(np.unique(run.of_query(at)[1])) for at in range(len(run.queries))])))
