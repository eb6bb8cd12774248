"""Running a study: open its collections, rank, rerank, measure. Resumable at every step."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

import askance
from askance.core.errors import StudyProblem, UnknownName
from askance.core.progress import Progress, Silent
from askance.data.collection import Collection
from askance.measure.measures import Measure
from askance.models.embedder import Embedder
from askance.models.ledger import Ledger
from askance.models.registry import EMBEDDERS
from askance.study.choices import compared_in, tiers_of
from askance.study.domain import measure_domain
from askance.study.file import DomainEntry, StudyFile
from askance.study.folder import ResultFolder
from askance.study.ranking import Desk, rank, rerank
from askance.study.results import Domain, ModelRecord, Results, StudyCard
from askance.text.likeness import LIKENESSES

OpenCollection = Callable[[str], Collection]


def run_study(
    study: StudyFile,
    out: Path,
    *,
    open_collection: OpenCollection,
    study_folder: Path | None = None,
    resume: bool = False,
    progress: Progress | None = None,
) -> Results:
    """Run everything the study names and write `out`; what `out` already holds of it is used again.

    `open_collection` turns what a domain calls its collection into one; `study_folder`, where the file lies, is only
    noted for whoever verifies the folder later. Nothing is written before the whole study has
    been checked against its collections.
    """
    told = progress or Silent()
    collections = {name: open_collection(domain.collection) for name, domain in study.domains.items()}
    for name, domain in study.domains.items():
        check_domain(name, domain, collections[name])
    needed = {system.model for domain in study.domains.values() for system in domain.systems if system.model}
    folder = ResultFolder.open(out, study, study_folder=study_folder, resume=resume)
    with folder.open_ledger() as ledger:
        models = {name: _embedder(study, name, ledger) for name in study.models if name in needed}
        domains = [
            _run_domain(study, name, collection, models, folder, told) for name, collection in collections.items()
        ]
    results = Results(
        askance=askance.__version__,
        study=StudyCard(
            name=study.study.name,
            title=study.study.title or study.study.name,
            seed=study.study.seed,
            resamples=study.study.resamples,
        ),
        models=[_model_record(study, name, model) for name, model in models.items()],
        domains=domains,
    )
    folder.finish(results.dump())
    return results


def check_domain(name: str, domain: DomainEntry, collection: Collection) -> None:
    """What the file says of a domain, held against its collection; StudyProblem where they do not fit."""
    try:
        collection.queries.field(domain.embed.query)
        compare = compared_in(domain, collection)
        collection.queries.field(compare.query)
        collection.documents.field(domain.embed.document)
        collection.documents.field(compare.document)
        for tier in tiers_of(domain, collection):
            collection.tier(tier)
        if domain.main_tier is not None and domain.main_tier not in tiers_of(domain, collection):
            raise UnknownName("tier", domain.main_tier, tiers_of(domain, collection))
        for measure in domain.measures:
            Measure.parse(measure)
        for tokens in domain.tokens:
            if tokens not in LIKENESSES:
                raise UnknownName("token class", tokens, LIKENESSES)
        for decoys in (domain.decoys or {}).values():
            for role in decoys.roles:
                if collection.roles is None:
                    raise StudyProblem(
                        f"collection {collection.name!r} has no roles, so decoys cannot be named by role"
                    )
                collection.roles.named(role)
        for label, subset in domain.subsets.items():
            if not collection.queries.mask(subset.where).any():
                raise StudyProblem(f"subset {label!r} holds no query")
    except (UnknownName, StudyProblem) as error:
        raise StudyProblem(f"[domains.{name}]: {error.message}", remedy=error.remedy) from None
    if not collection.tiers:
        raise StudyProblem(
            f"[domains.{name}]: collection {collection.name!r} has no judgments",
            remedy="Add qrels: a study measures against them.",
        )


def _embedder(study: StudyFile, name: str, ledger: Ledger) -> Embedder:
    entry = study.models[name]
    kind = EMBEDDERS.get(entry.embedder)
    return kind.build(kind.Settings.model_validate(entry.settings), ledger)


def _model_record(study: StudyFile, name: str, model: Embedder) -> ModelRecord:
    card = model.card
    return ModelRecord(
        name=name,
        label=study.models[name].label or name,
        weights=card.weights,
        precision=card.precision,
        dimension=card.dimension,
        max_tokens=card.max_tokens,
        source=card.source,
    )


def _run_domain(
    study: StudyFile,
    name: str,
    collection: Collection,
    models: Mapping[str, Embedder],
    folder: ResultFolder,
    progress: Progress,
) -> Domain:
    entry = study.domains[name]
    desk = Desk(name, entry, collection, models, folder, study.study, progress)
    ranked = [rank(desk, system) for system in entry.systems]
    reranked = [
        rerank(desk, system, reranker)
        for system in ranked
        for reranker in entry.rerankers
        if reranker.over is None or system.entry.name in reranker.over
    ]
    return measure_domain(desk, tiers_of(entry, collection), ranked, reranked)
