"""Running a study: open its collections, rank, rerank, measure. Resumable at every step."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

import askance
from askance.core.errors import BadInput, UnknownName
from askance.core.progress import Progress, Silent
from askance.data.collection import Collection
from askance.models.embedder import Embedder
from askance.models.ledger import Ledger
from askance.models.registry import built_beside
from askance.study.checks import check_study
from askance.study.choices import tiers_of
from askance.study.domain import measure_domain, with_bills
from askance.study.file import StudyFile
from askance.study.folder import ResultFolder
from askance.study.gates import check_gates, gated, held, is_made, skipped, stop_at_failed
from askance.study.ranking import Desk, Ranked, rank, rerank
from askance.study.results import Domain, GateRecord, ModelRecord, Results, StudyCard

OpenCollection = Callable[[str], Collection]


def run_study(
    study: StudyFile,
    out: Path,
    *,
    open_collection: OpenCollection,
    study_folder: Path | None = None,
    resume: bool = False,
    past_gate: str | None = None,
    progress: Progress | None = None,
) -> Results:
    """Run everything the study names and write `out`; what `out` already holds of it is used again.

    `open_collection` turns what a domain calls its collection into one; `study_folder`, where the file lies, is only
    noted for whoever verifies the folder later. Nothing is written before the whole study has
    been checked against its collections.

    Gates come first: CheckFailed where one fails, and then nothing else is computed, unless `past_gate` says why the
    study goes on all the same.
    """
    told = progress or Silent()
    if past_gate is not None and not past_gate.strip():
        raise BadInput("no reason is given to go past a failed gate", remedy='Say why: --past-gate "REASON".')
    collections = _opened(study, open_collection)
    check_study(study, collections)
    check_gates(study, collections)
    needed = {system.model for domain in study.domains.values() for system in domain.systems if system.model}
    folder = ResultFolder.open(out, study, study_folder=study_folder, resume=resume)
    with folder.open_ledger() as ledger:
        models = {
            name: built_beside(entry.embedder, entry.settings, study_folder, ledger)
            for name, entry in study.models.items()
            if name in needed
        }
        gates = _gates(study, collections, models, folder, past_gate, told, ledger)
        domains = [
            _billed(*_run_domain(study, name, collection, models, folder, told, ledger))
            for name, collection in collections.items()
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
        gates=gates,
        domains=domains,
    )
    folder.finish(results.dump())
    return results


def _opened(study: StudyFile, open_collection: OpenCollection) -> dict[str, Collection]:
    """The collection of every domain; StudyProblem, with its line, where a name is none."""
    found: dict[str, Collection] = {}
    for name, domain in study.domains.items():
        try:
            found[name] = open_collection(domain.collection)
        except UnknownName as error:
            raise study.refusal([(("domains", name, "collection"), f"{error.message}. {error.remedy}")]) from None
    return found


def _gates(
    study: StudyFile,
    collections: Mapping[str, Collection],
    models: Mapping[str, Embedder],
    folder: ResultFolder,
    past_gate: str | None,
    progress: Progress,
    ledger: Ledger,
) -> list[GateRecord]:
    """All gates of the study, held against figures of their own; CheckFailed at the first domain where one fails."""
    records: list[GateRecord] = []
    for name, there in gated(study, collections).items():
        if is_made(collections[name].origin):
            records.extend(skipped(name, gate) for gate in there.gates)
            continue
        alone = study.model_copy(
            update={
                "study": study.study.model_copy(update={"failures": 0}),
                "domains": {name: there.entry},
            }
        )
        domain, _ = _run_domain(alone, name, collections[name], models, folder, progress, ledger)
        records.extend(held(gate, domain, past_gate) for gate in there.gates)
        stop_at_failed(records)
    return records


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
    ledger: Ledger,
) -> tuple[Domain, Desk]:
    """What was measured, without bills: gates, which come first, need none."""
    entry = study.domains[name]
    desk = Desk(name, entry, collection, models, folder, study.study, progress, ledger)
    ranked: dict[str, Ranked] = {}
    for system in entry.systems:
        ranked[system.name] = rank(desk, system, ranked)
    reranked = [
        rerank(desk, system, reranker)
        for system in ranked.values()
        for reranker in entry.rerankers
        if reranker.over is None or system.entry.name in reranker.over
    ]
    return measure_domain(desk, tiers_of(entry, collection), list(ranked.values()), reranked), desk


def _billed(domain: Domain, desk: Desk) -> Domain:
    desk.progress.start(f"{desk.name}: bill per class of words", None)
    found = with_bills(domain, desk, tiers_of(desk.entry, desk.collection))
    desk.progress.finish(f"{desk.name}: bill per class of words")
    return found
