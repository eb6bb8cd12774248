"""Verifying a result folder: its figures recomputed from its own ranked lists, and held against results.json."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
from pydantic import ValidationError

from askance.core.errors import DataProblem, FileProblem
from askance.core.files import sha256_of
from askance.core.progress import Silent
from askance.data.collection import Collection
from askance.data.formats.runs import read_run
from askance.data.rows import owner_of
from askance.data.run import Run
from askance.study.choices import tiers_of
from askance.study.domain import measure_domain, with_bills
from askance.study.execute import OpenCollection
from askance.study.file import StudyFile
from askance.study.folder import Manifest, ResultFolder, read_manifest
from askance.study.gates import held
from askance.study.ranking import Desk, Ranked, Reranked
from askance.study.results import Domain, Results

Parsed = TypeVar("Parsed", StudyFile, Results)

SHOWN = 20  # differences shown per domain


@dataclass(frozen=True, slots=True)
class Finding:
    """What does not agree. `where`: a file of the folder, or a place in results.json."""

    where: str
    what: str


@dataclass(frozen=True)
class Verification:
    """`figures`: estimates that were recomputed. No findings: the folder is what it says."""

    folder: str
    study: str
    figures: int
    findings: Sequence[Finding]

    def record(self) -> dict[str, object]:
        """The machine form: askance/verify/1."""
        return {
            "schema": "askance/verify/1",
            "folder": self.folder,
            "study": self.study,
            "figures": self.figures,
            "findings": [{"where": one.where, "what": one.what} for one in self.findings],
        }


def verify(folder: Path, *, open_collection: OpenCollection) -> Verification:
    """Recompute every figure of `folder` from the runs in it.

    Hashes are checked as well, but nothing rests on them: a score that was edited is found by the figures and by the
    hash of the lists inside results.json, even where the manifest was mended.
    """
    manifest = read_manifest(folder)
    study = _parsed(folder / "study.json", StudyFile)
    results = _parsed(folder / "results.json", Results)
    findings = list(_hashes(folder, manifest, study))
    figures = 0
    recomputed: dict[str, Domain] = {}
    for name in study.domains:
        there = next((domain for domain in results.domains if domain.name == name), None)
        if there is None:
            findings.append(Finding("results.json", f"the domain {name!r} of study.json is not in it"))
            continue
        try:
            again = _measured(folder, manifest, study, there, open_collection(study.domains[name].collection), findings)
        except (DataProblem, FileProblem) as error:
            findings.append(Finding(f"runs/{name}", error.message))
            continue
        recomputed[name] = again
        figures += len(again.figures)
        differences = list(_differences(there.model_dump(mode="json"), again.model_dump(mode="json"), name))
        findings.extend(differences[:SHOWN])
        if len(differences) > SHOWN:
            findings.append(Finding(name, f"{len(differences) - SHOWN} further differences"))
    findings.extend(_gates(study, results, recomputed))
    return Verification(str(folder), manifest.study, figures, findings)


def _gates(study: StudyFile, results: Results, recomputed: Mapping[str, Domain]) -> Iterator[Finding]:
    """Every gate of the study must be there, and say of the recomputed figures what it says."""
    if sorted(gate.figure for gate in study.gates) != sorted(record.figure for record in results.gates):
        yield Finding("results.json: gates", "they are not those of study.json")
        return
    for record in results.gates:
        where = f"results.json: gates[{record.domain} {record.figure}]"
        if record.status == "failed" and not record.past:
            yield Finding(where, "it failed, and no reason is given to go past it")
        gate = next(
            (g for g in study.gates if (g.figure, g.domain or record.domain) == (record.figure, record.domain)), None
        )
        if gate is None or record.domain not in study.domains:
            yield Finding(where, f"study.json has no such gate in a domain {record.domain!r}")
        elif record.domain in recomputed:
            again = held(gate, recomputed[record.domain], record.past or None).model_dump(mode="json")
            yield from _differences(record.model_dump(mode="json"), again, f"gates[{record.domain} {record.figure}]")


def _parsed(path: Path, model: type[Parsed]) -> Parsed:
    try:
        return model.model_validate_json(path.read_bytes())
    except FileNotFoundError:
        raise FileProblem(path, "is missing", remedy="Only a finished study can be verified: run it again.") from None
    except ValidationError as error:
        raise FileProblem(path, f"does not have the shape of its schema ({error.error_count()} faults)") from error


def _hashes(folder: Path, manifest: Manifest, study: StudyFile) -> Iterator[Finding]:
    if manifest.status != "finished":
        yield Finding("manifest.json", "the study did not finish")
    if manifest.results_sha256 != sha256_of(folder / "results.json"):
        yield Finding("results.json", "its hash is not the one in the manifest")
    if manifest.study_sha256 != study.sha256:
        yield Finding("study.json", "its hash is not the one in the manifest")
    for name, kept in manifest.runs.items():
        path = ResultFolder(folder, manifest).run_path(name)
        if not path.exists():
            yield Finding(f"runs/{name}", "the file is missing")
        elif sha256_of(path) != kept.sha256:
            yield Finding(f"runs/{name}", "its hash is not the one in the manifest")


def _measured(
    folder: Path,
    manifest: Manifest,
    study: StudyFile,
    there: Domain,
    collection: Collection,
    findings: list[Finding],
) -> Domain:
    entry = study.domains[there.name]
    place = ResultFolder(folder, manifest)
    desk = Desk(there.name, entry, collection, {}, place, study.study, Silent())

    def run(name: str) -> Run:
        found = read_run(place.run_path(f"{there.name}/{name}"), collection.queries.ids, collection.documents.ids, name)
        findings.extend(_disorder(found, f"runs/{there.name}/{name}"))
        return found

    cards = {card.name: card for card in there.systems}
    ranked = []
    for system in entry.systems:
        settings: Mapping[str, Any] = cards[system.name].settings if system.name in cards else {}
        cut = cards[system.name].cut if system.name in cards else None
        ranked.append(Ranked(system, settings, run(system.name), "", cut))
    reranked = [
        Reranked(
            reranker,
            {"tokens": reranker.settings.get("tokens", "all")},
            system,
            run(f"{system.entry.name}+{reranker.name}"),
        )
        for system in ranked
        for reranker in entry.rerankers
        if reranker.over is None or system.entry.name in reranker.over
    ]
    for one in reranked:
        findings.extend(_not_a_permutation(one, there.name))
    tiers = tiers_of(entry, collection)
    again = measure_domain(desk, tiers, ranked, reranked)
    return again if there.bills is None else with_bills(again, desk, tiers)  # older results have none


def _disorder(run: Run, where: str) -> Iterator[Finding]:
    owner = owner_of(run.offsets)
    rising = np.flatnonzero((run.score[1:] > run.score[:-1]) & (owner[1:] == owner[:-1]))
    if len(rising):
        query = run.queries[int(owner[rising[0]])]
        yield Finding(where, f"scores rise down the list in {len(rising)} places, first for query {query!r}")


def _not_a_permutation(one: Reranked, domain: str) -> Iterator[Finding]:
    before, after = one.system.run.matrix(one.entry.first), one.run.matrix(one.entry.first)
    moved = np.flatnonzero((np.sort(before, axis=1) != np.sort(after, axis=1)).any(axis=1))
    if len(moved):
        query = one.run.queries[int(moved[0])]
        where = f"runs/{domain}/{one.system.entry.name}+{one.entry.name}"
        yield Finding(
            where, f"the first {one.entry.first} of {len(moved)} lists are no permutation, first for {query!r}"
        )


def _differences(written: Any, again: Any, where: str) -> Iterator[Finding]:
    """Every leaf that differs, by its path."""
    if isinstance(written, dict) and isinstance(again, dict) and written.keys() == again.keys():
        for key in written:
            yield from _differences(written[key], again[key], f"{where}.{key}")
    elif isinstance(written, list) and isinstance(again, list) and len(written) == len(again):
        for at, (one, other) in enumerate(zip(written, again, strict=True)):
            yield from _differences(one, other, f"{where}[{_called(one, at)}]")
    elif written != again:
        yield Finding(f"results.json: {where}", f"written {_short(written)}, recomputed {_short(again)}")


def _called(entry: Any, at: int) -> str:
    """What a reader calls an entry of a list: its names, else its number."""
    if not isinstance(entry, dict):
        return str(at)
    names = [
        str(entry[key])
        for key in ("name", "system", "reranker", "tier", "subset", "measure", "query", "decoys", "tokens")
        if entry.get(key)
    ]
    return " ".join(names) or str(at)


def _short(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 80 else f"{text[:77]}…"
