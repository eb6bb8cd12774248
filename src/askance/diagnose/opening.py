"""From a result folder to what is diagnosed, domain by domain."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TypeVar

import numpy as np
from pydantic import BaseModel, ValidationError

from askance.core.errors import AskanceError, FileProblem
from askance.data.collection import Collection
from askance.data.formats.runs import read_run
from askance.data.run import Run
from askance.diagnose.case import Case, Reads, System, Window
from askance.diagnose.seen import identity
from askance.measure.judged import Counts
from askance.models.registry import EMBEDDERS
from askance.study.choices import compared_in, main_tier_of
from askance.study.execute import OpenCollection
from askance.study.file import DomainEntry, ModelEntry, StudyFile, SystemEntry
from askance.study.folder import ResultFolder, read_manifest
from askance.study.results import Domain, ModelRecord, Results, SystemCard
from askance.text.analyzer import Analyzer

Parsed = TypeVar("Parsed", bound=BaseModel)

_READS: Mapping[str, Reads] = {"lexical": "words", "dense": "vectors", "irl": "words"}


def open_cases(folder: Path, open_collection: OpenCollection) -> Iterator[Case]:
    """A case a domain of the study. FileProblem where the study did not finish, or a run is missing."""
    place = ResultFolder(folder, read_manifest(folder))
    study = _parsed(folder / "study.json", StudyFile)
    results = _parsed(folder / "results.json", Results)
    models = _Models(study.models, results.models)
    for domain in results.domains:
        entry = study.domains[domain.name]
        yield _case(place, study, domain, entry, open_collection(entry.collection), models)


def _case(
    place: ResultFolder,
    study: StudyFile,
    domain: Domain,
    entry: DomainEntry,
    collection: Collection,
    models: _Models,
) -> Case:
    def run(name: str) -> Run:
        path = place.run_path(f"{domain.name}/{name}")
        if not path.is_file():
            raise FileProblem(path, "is missing", remedy="Run the study again: it makes what is not there.")
        return read_run(path, collection.queries.ids, collection.documents.ids, name)

    queries = collection.queries
    subsets = {name: queries.mask(one.where) for name, one in entry.subsets.items()}
    main = next(iter(subsets), None)
    compare = compared_in(entry, collection)
    depth = min(study.study.depth, len(collection.documents))
    cards = {card.name: card for card in domain.systems}
    systems = []
    for one in entry.systems:
        base = _system(one, cards.get(one.name), run(one.name), depth, models)
        systems.append(base)
        for reranker in entry.rerankers:
            if reranker.over is None or one.name in reranker.over:
                systems.append(
                    System(
                        f"{one.name}+{reranker.name}",
                        f"{base.label}, then {reranker.label or reranker.name}",
                        run(f"{one.name}+{reranker.name}"),
                        depth,
                        base.reads,
                        base.analyzer,
                        base.window,
                        before=base.run,
                        first=reranker.first,
                        fingerprint=base.fingerprint,
                        reranks=one.name,
                    )
                )
    return Case(
        name=domain.name,
        title=domain.title or domain.name,
        collection=collection,
        tier=collection.tier(main_tier_of(entry, collection)),
        mask=queries.mask({}) if main is None else subsets[main],
        systems=systems,
        texts=(queries.field(entry.embed.query), collection.documents.field(entry.embed.document)),
        compared=(queries.field(compare.query), collection.documents.field(compare.document)),
        subset="all queries" if main is None else entry.subsets[main].label or main,
        subsets=subsets,
        seed=study.study.seed,
        resamples=study.study.resamples,
        notes=(*_changed(domain, collection), *models.notes),
    )


def _system(entry: SystemEntry, card: SystemCard | None, run: Run, depth: int, models: _Models) -> System:
    reads = _READS.get(entry.retriever, "unknown")
    stemmer = entry.settings.get("stemmer")
    window = models.of(entry.model) if card is not None and card.cut and entry.model else None
    return System(
        entry.name,
        entry.label or entry.name,
        run,
        depth,
        "unknown" if entry.retriever == "irl" and entry.model else reads,
        Analyzer(stemmer if isinstance(stemmer, str) else None) if reads == "words" else None,
        window,
        fingerprint=models.identity(entry.model),
    )


def _changed(domain: Domain, collection: Collection) -> Iterator[str]:
    """Said where the collection is no longer the one of the study."""
    for what, then, now in (
        ("documents", domain.corpus_sha256, collection.documents.sha256),
        ("queries", domain.queries_sha256, collection.queries.sha256),
    ):
        if then != now:
            yield f"The {what} of the collection have changed since the study ran: run it again before you trust this."


class _Models:
    """The models of a study and their windows; a model is opened once, and only where documents were cut."""

    def __init__(self, entries: Mapping[str, ModelEntry], records: list[ModelRecord]) -> None:
        self._entries, self._tokens = entries, {record.name: record.max_tokens for record in records}
        self._models = {record.name: identity(record.weights, record.dimension) for record in records}
        self._known: dict[str, Window | None] = {}
        self.notes: list[str] = []

    def identity(self, model: str | None) -> str:
        """What tells the model from others; "" for none."""
        return self._models.get(model or "", "")

    def of(self, model: str) -> Window | None:
        if model not in self._known:
            self._known[model] = self._open(model)
        return self._known[model]

    def _open(self, model: str) -> Window | None:
        tokens, entry = self._tokens.get(model), self._entries.get(model)
        if tokens is None or entry is None:
            return None
        try:
            kind = EMBEDDERS.get(entry.embedder)
            embedder = kind.build(kind.Settings.model_validate(entry.settings), None)
            if embedder.token_counts([""]) is None:
                return None
        except (AskanceError, ValidationError) as error:
            said = error.message if isinstance(error, AskanceError) else "its settings are not valid"
            self.notes.append(f"Where {model} cuts documents cannot be told: {said}. No query is given that cause.")
            return None

        def count(texts: Sequence[str]) -> Counts:
            found = embedder.token_counts(texts)
            return np.zeros(len(texts), dtype=np.int64) if found is None else found

        return Window(tokens, count, f"the tokenizer of {model}")


def _parsed(path: Path, model: type[Parsed]) -> Parsed:
    try:
        return model.model_validate_json(path.read_bytes())
    except FileNotFoundError:
        raise FileProblem(
            path, "is missing", remedy="Only a finished study can be diagnosed: run it to its end."
        ) from None
    except ValidationError as error:
        raise FileProblem(
            path,
            f"does not have the shape of its schema ({error.error_count()} faults)",
            remedy="Use the askance that wrote it, or run the study again.",
        ) from error
