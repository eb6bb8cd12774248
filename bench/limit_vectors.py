"""LIMIT with 50,000 documents and vectors of MiniLM: alone, and beside phrases and exact items.

Embedding takes about half an hour once; the vectors are kept by their hash, and then this takes two minutes. `sum`:
scores of the clauses added, as `(or (knn …) (lex …))` does, the 1,000 nearest documents with (1 + cos) / 2; `rrf`: the
two lists fused. *Pushed out*, *pulled in*: questions that lose or gain gold among the first two by knn. It needs the
data beside the project.
"""

from __future__ import annotations

import sys
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from askance.core.errors import DownloadFailed
from askance.core.places import cache_folder
from askance.core.progress import Silent
from askance.data.collection import Collection
from askance.data.run import Run
from askance.engines.fusion import fuse_runs
from askance.irl.nodes import KNN_DEPTH
from askance.measure.bootstrap import bootstrap_mean
from askance.models.registry import EMBEDDERS
from askance.models.vectors import VectorStore
from askance.retrieve.dense import DenseRetriever
from askance.retrieve.irl import IrlRetriever, IrlSettings
from askance.retrieve.retriever import Resources
from askance.study.collections import open_collection
from askance.study.limit.lists import gold_of, task_of

TIER = "likes"
DEPTHS = (2, 100)
MOST = 15  # questions named
ALL = 10_000  # longer than any list of the words

Shares = dict[int, NDArray[np.float64]]


def main() -> int:
    try:
        collection = open_collection("limit-recon", or_made=False)
    except DownloadFailed:
        print("The collection limit-recon is not here; nothing was measured.")
        return 0
    near = nearest(collection)
    pushed: dict[str, NDArray[np.int64]] = {}
    print("| system | R@2 | 95 % | R@100 | 95 % | pushed out | pulled in |\n|---|--:|--:|--:|--:|--:|--:|")
    chance = " | ".join(f"{depth / len(collection.documents):.5f} | exact" for depth in DEPTHS)
    print(f"| chance | {chance} | | |")
    row("knn alone", shares(collection, near), None)
    for name, form in (("phrase in one text field", "text"), ("fields, exact items", "fields")):
        words = by_words(collection, form)
        alone = shares(collection, words)
        row(name, alone, None)
        for kind in ("sum", "rrf"):
            joined = shares(collection, fuse_runs([near, words], kind, depth=ALL))
            row(f"{name} + knn, {kind}", joined, alone)
            pushed[f"{name}, {kind}"] = np.flatnonzero(joined[2] < alone[2])
    asked = collection.queries.field("text")
    for name, questions in pushed.items():
        shown = "; ".join(asked[at] for at in questions[:MOST].tolist()) or "none"
        print(f"\nPushed out, {name}: {shown}{' …' if len(questions) > MOST else ''}")
    print(f"\nn = {len(collection.queries):,} questions, {len(collection.documents):,} documents")
    return 0


def nearest(collection: Collection) -> Run:
    """The nearest documents of each question, scored as a knn clause scores them."""
    kind = EMBEDDERS.get("minilm")
    dense = DenseRetriever(kind.build(kind.Settings(), None), VectorStore(cache_folder("vectors")))
    run = dense.retrieve(task_of(collection, KNN_DEPTH), Silent())
    return replace(run, score=(1.0 + run.score) / 2.0)


def by_words(collection: Collection, form: str) -> Run:
    """All that the words of the rewritten questions match."""
    retriever = IrlRetriever(IrlSettings.model_validate({"form": form, "clauses": "lex"}), Resources())
    return retriever.retrieve(task_of(collection, ALL), Silent())


def shares(collection: Collection, run: Run) -> Shares:
    """The share of gold within each depth, per question."""
    names = collection.documents.ids.names
    gold = gold_of(collection, TIER)
    lists = [[names[at] for at in run.of_query(query)[0][: max(DEPTHS)]] for query in range(len(gold))]
    return {
        depth: np.array(
            [len(set(ranked[:depth]) & right) / len(right) for right, ranked in zip(gold, lists, strict=True)]
        )
        for depth in DEPTHS
    }


def row(name: str, ours: Shares, alone: Shares | None) -> None:
    cells = []
    for depth in DEPTHS:
        told = bootstrap_mean(ours[depth])
        cells += [f"{told.value:.4f}", f"{told.low:.4f}–{told.high:.4f}"]
    if alone is None:
        cells += ["", ""]
    else:
        cells += [str(int((sign * (ours[2] - alone[2]) > 0).sum())) for sign in (-1, 1)]
    print(f"| {name} | {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    sys.exit(main())
