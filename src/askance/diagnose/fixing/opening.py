"""From a result folder, or from a collection and a system, to what is to be mended."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from pydantic import ValidationError

from askance.core.errors import BadInput, FileProblem, StudyProblem, UnknownName
from askance.core.progress import Silent
from askance.data.collection import Collection
from askance.data.formats.runs import read_run
from askance.data.run import Run
from askance.diagnose.fixing.case import FixCase
from askance.diagnose.fixing.composing import as_it_is
from askance.diagnose.fixing.running import Runner
from askance.measure.measures import Measure
from askance.models.registry import built_beside
from askance.study.choices import main_tier_of
from askance.study.execute import OpenCollection
from askance.study.file import DomainEntry, ModelEntry, StudyEntry, StudyFile, SystemEntry
from askance.study.folder import ResultFolder, read_manifest

MEASURE = "Hit@1"


def of_folder(
    folder: Path,
    open_collection: OpenCollection,
    *,
    domain: str | None = None,
    system: str | None = None,
    measure: str = MEASURE,
) -> tuple[FixCase, Mapping[str, Run]]:
    """One system of one domain, and the runs that are kept of it; the system that hits most unless told."""
    manifest = read_manifest(folder)
    try:
        study = StudyFile.model_validate_json((folder / "study.json").read_bytes())
    except (OSError, ValidationError):
        raise FileProblem(
            folder / "study.json", "is not the study of a result folder", remedy="Run the study again."
        ) from None
    if domain is None and len(study.domains) > 1:
        raise BadInput(
            f"{folder} has the domains {', '.join(study.domains)}", remedy="Say which one is to be mended: --domain."
        )
    name = domain or next(iter(study.domains))
    if name not in study.domains:
        raise UnknownName("domain", name, study.domains, where=str(folder))
    entry = study.domains[name]
    collection = open_collection(entry.collection)
    place = ResultFolder(folder, manifest)
    kept = {
        one.name: read_run(path, collection.queries.ids, collection.documents.ids, one.name)
        for one in entry.systems
        if (path := place.run_path(f"{name}/{one.name}")).is_file()
    }
    beside = manifest.beside
    case = of_study(study.study, study.models, name, entry, collection, measure=measure, system=system, beside=beside)
    return (case if system is not None else _best(case, kept)), kept


def of_study(
    study: StudyEntry,
    models: Mapping[str, ModelEntry],
    name: str,
    entry: DomainEntry,
    collection: Collection,
    *,
    system: str | None = None,
    measure: str = MEASURE,
    beside: Path | None = None,
) -> FixCase:
    """One system of a domain, its first unless told; StudyProblem where the collection has no judgments."""
    if not collection.tiers:
        raise StudyProblem(
            f"{collection.name}: there are no judgments", remedy="A change can only be tried on judged queries."
        )
    known = [one.name for one in entry.systems]
    if system is not None and system not in known:
        raise UnknownName("system", system, known, where=f"domain {name!r}")
    subset = next(iter(entry.subsets.values()), None)
    chosen = next(one for one in entry.systems if system in (None, one.name))
    return FixCase(
        study=study,
        name=name,
        entry=entry,
        system=chosen,
        before=_before(chosen, entry.systems),
        collection=collection,
        tier=collection.tier(main_tier_of(entry, collection)),
        mask=collection.queries.mask(subset.where if subset is not None else {}),
        measure=Measure.parse(measure),
        models=models,
        embedders={name: built_beside(one.embedder, one.settings, beside) for name, one in models.items()},
        beside=beside,
    )


def of_collection(
    told: str, collection: Collection, *, retriever: str, model: str | None, measure: str = MEASURE, seed: int = 0
) -> FixCase:
    """A collection searched by one retriever of the registry; `model`: an embedder of the registry."""
    name = "system"
    models = {model: ModelEntry(embedder=model)} if model else {}
    entry = DomainEntry(collection=told, systems=[SystemEntry(name=name, retriever=retriever, model=model)])
    return of_study(StudyEntry(name="fix", seed=seed), models, "collection", entry, collection, measure=measure)


def _best(case: FixCase, kept: Mapping[str, Run]) -> FixCase:
    """The same for the system of the domain that hits most; the first of equals."""

    def hits(one: FixCase) -> float:
        runner = Runner(one, Silent(), kept)
        judged = runner.judged(runner.run(as_it_is(one)))
        return float(one.measure.compute(judged)[one.mask & judged.with_gold].mean())

    each = [_for(case, one) for one in case.entry.systems]
    return each[0] if len(each) == 1 else max(each, key=hits)


def _for(case: FixCase, system: SystemEntry) -> FixCase:
    from dataclasses import replace

    return replace(case, system=system, before=_before(system, case.entry.systems))


def _before(system: SystemEntry, systems: Sequence[SystemEntry]) -> tuple[SystemEntry, ...]:
    """The systems that this one is made of, and those that they are made of, in the order of the study."""
    names = {system.name}
    for one in reversed(systems):
        over = one.settings.get("of")
        if one.name in names and isinstance(over, list):
            names.update(map(str, over))
    return tuple(one for one in systems if one.name in names and one.name != system.name)
