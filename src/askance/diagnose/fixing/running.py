"""The lists of a candidate, and the measure of each query with them; whatever was run once is not run again."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping
from functools import partial

from askance.core.places import cache_folder
from askance.core.progress import Progress
from askance.data.run import Run
from askance.diagnose.fixing.candidate import Candidate
from askance.diagnose.fixing.case import FixCase
from askance.diagnose.fixing.memory import SharedSlots, SharedView, TextVectors
from askance.measure.judged import Judged, Values, judge
from askance.models.vectors import VectorStore
from askance.rerank.registry import RERANKERS
from askance.rerank.reranker import RerankTask
from askance.retrieve.registry import RETRIEVERS
from askance.retrieve.retriever import Resources, RetrievalTask
from askance.retrieve.view import ViewRetriever
from askance.study.choices import compared_in
from askance.study.file import RerankerEntry, SystemEntry


class Runner:
    """Runs systems and rerankers of one case as a study would, at the study's depth.

    `kept`: runs there already are, by the name of the system, over the field that the study reads. `slots`: what views
    are made of, learned once a field.
    """

    def __init__(self, case: FixCase, progress: Progress, kept: Mapping[str, Run]) -> None:
        self._case, self._progress = case, progress
        self._runs: dict[str, Run] = {}
        self._values: dict[str, Values] = {}
        self._vectors: TextVectors | None = None
        self.slots = SharedSlots(case.collection.documents.field, case.collection.queries.field(case.entry.embed.query))
        for entry in case.entry.systems:
            if entry.name in kept:
                self._runs[_key(case.entry.embed.document, entry)] = kept[entry.name]

    def judging(self, case: FixCase) -> Runner:
        """The same lists and slots under other judgments: `case` may differ from this one in those alone."""
        other = type(self)(case, self._progress, {})
        other._runs, other._vectors, other.slots = self._runs, self._vectors, self.slots
        return other

    def run(self, candidate: Candidate) -> Run:
        """Its list for every query. An AskanceError where a part of it cannot be had."""
        runs: dict[str, Run] = {}
        for entry in candidate.systems:
            key = _key(candidate.document, entry)
            if "of" in entry.settings:  # what it is made of is not in its own entry
                key = "\n".join((key, *(_key(candidate.document, one) for one in candidate.systems)))
            if key not in self._runs:
                self._runs[key] = self._retrieved(candidate.document, entry, runs, shared=True)
            runs[entry.name] = self._runs[key]
        last = runs[candidate.systems[-1].name]
        return last if candidate.reranker is None else self._reranked(last, candidate.reranker)

    def seconds(self, candidate: Candidate) -> float:
        """How long it takes for all queries together, once more: vectors are kept, the rest is made anew."""
        began = time.perf_counter()
        runs: dict[str, Run] = {}
        for entry in candidate.systems:
            runs[entry.name] = self._retrieved(candidate.document, entry, runs, shared=False)
        if candidate.reranker is not None:
            self._reranked(runs[candidate.systems[-1].name], candidate.reranker)
        return time.perf_counter() - began

    def judged(self, run: Run, *, tied: bool = True) -> Judged:
        """The run held against the case's gold; `tied` documents count by expectation, else by place as in a study."""
        case = self._case
        return judge(run, case.tier.judgments, case.tier.threshold, case.collection.excluded, tied=tied)

    def values(self, candidate: Candidate) -> Values:
        """The measure with it [queries]."""
        key = candidate.key
        if key not in self._values:
            self._values[key] = self._case.measure.compute(self.judged(self.run(candidate)))
        return self._values[key]

    def _retrieved(self, document: str, entry: SystemEntry, runs: Mapping[str, Run], *, shared: bool) -> Run:
        case = self._case
        kind = RETRIEVERS.get(entry.retriever)
        embedder = case.embedders[entry.model] if entry.model else None
        vectors = self._store() if embedder else None
        resources = Resources(embedder=embedder, vectors=vectors, runs=runs, beside=case.beside)
        documents = case.collection.documents
        task = RetrievalTask(
            queries=case.collection.queries.ids,
            query_texts=case.collection.queries.field(case.entry.embed.query),
            documents=documents.ids,
            document_texts=documents.field(document),
            depth=min(case.study.depth, len(documents)),
            excluded=case.collection.excluded,
        )
        settings = kind.Settings.model_validate(entry.settings)
        if shared and isinstance(kind, type) and issubclass(kind, ViewRetriever):
            view = SharedView.over(settings, resources, partial(self.slots.of, document))
            return view.retrieve(task, self._progress)
        return kind.build(settings, resources).retrieve(task, self._progress)

    def _store(self) -> TextVectors:
        """Where vectors are; the texts of the system as it is come first, and whole, as its study has them."""
        if self._vectors is None:
            case = self._case
            self._vectors = TextVectors(VectorStore(cache_folder("vectors")))
            if case.system.model is not None and case.system.retriever == "dense":
                texts = case.collection.queries.field(case.entry.embed.query)
                documents = case.collection.documents.field(case.entry.embed.document)
                self._vectors.open(case.embedders[case.system.model], texts, documents, self._progress)
        return self._vectors

    def _reranked(self, run: Run, entry: RerankerEntry) -> Run:
        case = self._case
        kind = RERANKERS.get(entry.reranker)
        compare = compared_in(case.entry, case.collection)
        task = RerankTask(
            query_texts=case.collection.queries.field(compare.query),
            document_texts=case.collection.documents.field(compare.document),
            first=entry.first,
        )
        return kind.build(kind.Settings.model_validate(entry.settings)).rerank(run, task)


def _key(document: str, entry: SystemEntry) -> str:
    return json.dumps([document, entry.retriever, entry.model, entry.settings], sort_keys=True, default=str)
