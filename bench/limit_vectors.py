"""LIMIT with 50,000 documents and vectors of MiniLM: alone, and beside phrases and exact items.

Embedding takes about half an hour once; the vectors are kept by their hash, and then this takes a minute. `knn`: the
question's nearest documents alone; `sum`: clause scores added, as the query language does unless told; `rrf`: lists
fused. *Pushed out*: questions that lose gold from the first two by the knn clause. It needs the data beside the project.
"""

from __future__ import annotations

import sys
from functools import partial

import numpy as np
from numpy.typing import NDArray

from askance.core.errors import DownloadFailed
from askance.core.places import cache_folder
from askance.core.progress import Silent
from askance.data.collection import Collection
from askance.measure.bootstrap import bootstrap_mean
from askance.models.embedder import Embedder
from askance.models.registry import EMBEDDERS
from askance.models.vectors import VectorStore
from askance.retrieve.irl import IrlRetriever, IrlSettings
from askance.retrieve.retriever import Resources
from askance.study.collections import open_collection
from askance.study.limit.lists import gold_of, task_of

TIER = "likes"
DEPTHS = (2, 100)
SYSTEMS = {
    "text, phrase": {"form": "text", "clauses": "lex"},
    "text, phrase + knn, sum": {"form": "text"},
    "text, phrase + knn, rrf": {"form": "text", "fuse": "rrf"},
    "fields, exact": {"clauses": "lex"},
    "fields, exact + knn, sum": {},
    "fields, exact + knn, rrf": {"fuse": "rrf"},
    "knn alone": {"clauses": "knn"},
}

Shares = dict[int, NDArray[np.float64]]


def main() -> int:
    try:
        collection = open_collection("limit-recon", or_made=False)
    except DownloadFailed:
        print("The collection limit-recon is not here; nothing was measured.")
        return 0
    kind = EMBEDDERS.get("minilm")
    found = partial(shares, collection, kind.build(kind.Settings(), None))
    documents, asked = len(collection.documents), len(collection.queries)
    print("| system | R@2 | 95 % | R@100 | 95 % | pushed out | pulled in |\n|---|--:|--:|--:|--:|--:|--:|")
    alone: Shares = {}
    for name, settings in SYSTEMS.items():
        ours = found(settings)
        if settings.get("clauses") == "lex":
            alone, change = ours, "| | |"
        else:
            lost, won = (int((sign * (ours[2] - alone[2]) > 0).sum()) for sign in (-1, 1))
            change = f"| {lost} | {won} |" if settings.get("clauses") != "knn" else "| | |"
        print(f"| {name} {''.join(_cell(ours[depth]) for depth in DEPTHS)}{change}", flush=True)
    chance = " | ".join(f"{depth / documents:.5f} | " for depth in DEPTHS)
    print(f"| chance, exact | {chance}| | |")
    print(f"\nn = {asked:,} questions, {documents:,} documents")
    return 0


def shares(collection: Collection, embedder: Embedder, settings: dict[str, str]) -> Shares:
    """The share of gold within each depth, per question."""
    with_vectors = settings.get("clauses") != "lex"
    resources = Resources(embedder, VectorStore(cache_folder("vectors"))) if with_vectors else Resources()
    retriever = IrlRetriever(IrlSettings.model_validate(settings), resources)
    run = retriever.retrieve(task_of(collection, max(DEPTHS)), Silent())
    names = collection.documents.ids.names
    gold = gold_of(collection, TIER)
    lists = [[names[at] for at in run.of_query(query)[0]] for query in range(len(gold))]
    return {
        depth: np.array(
            [len(right & set(ranked[:depth])) / len(right) for right, ranked in zip(gold, lists, strict=True)]
        )
        for depth in DEPTHS
    }


def _cell(values: NDArray[np.float64]) -> str:
    told = bootstrap_mean(values)
    return f"| {told.value:.4f} | {told.low:.4f}–{told.high:.4f} "


if __name__ == "__main__":
    sys.exit(main())
