"""Why it fails: a result folder, or run files, diagnosed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from askance.core.errors import BadInput
from askance.core.files import write_whole
from askance.core.progress import Progress
from askance.diagnose.bare import bare_case
from askance.diagnose.case import Case
from askance.diagnose.diagnosis import Diagnosis
from askance.diagnose.diagnosis import diagnose as diagnose_case
from askance.diagnose.margins import THIN
from askance.diagnose.opening import open_cases
from askance.diagnose.power import LOOKED_FOR
from askance.diagnose.seen import index_seen, vectors_seen
from askance.report.diagnosis_page import render_diagnosis
from askance.report.diagnosis_sentences import conclusions
from askance.study.collections import open_collection
from askance.study.folder import read_manifest

PAGE = "diagnosis.html"


@dataclass(frozen=True)
class Diagnosed:
    """What was found, domain by domain; `page`: where it was written, None where it was not."""

    title: str
    domains: Sequence[Diagnosis]
    page: Path | None = None

    def record(self) -> dict[str, object]:
        """The machine form: askance/diagnose/1. The rows of one domain and system add up to all its queries."""
        return {
            "schema": "askance/diagnose/1",
            "conclusions": [each.record() for one in self.domains for each in conclusions(one)],
            "waterfall": [
                {
                    "domain": one.case.name,
                    "system": fall.system,
                    "cause": step.cause,
                    "label": step.label,
                    "queries": step.queries,
                }
                for one in self.domains
                for fall in one.waterfalls
                for step in fall.steps
            ],
        }


def diagnose(
    folder: str | Path | None = None,
    *,
    runs: Sequence[str | Path] = (),
    qrels: str | Path | None = None,
    corpus: str | Path | None = None,
    queries: str | Path | None = None,
    index: str | Path | None = None,
    vectors: str | Path | None = None,
    window: int | None = None,
    looked_for: float = LOOKED_FOR,
    thin: float = THIN,
    page: str | Path | None = None,
    progress: Progress | None = None,
) -> Diagnosed:
    """Why queries are lost, in a result folder of a study, or in `runs` held against `qrels`.

    `corpus`, `queries`: JSON lines with the texts of bare runs. `index`: the index that the lists came from; `vectors`:
    a .npy of the documents' vectors; of several domains, those whose documents it holds are held against it. `window`:
    words that a model reads, of bare runs. `looked_for`: the difference of Hit@1 that one wants to see; `thin`: share
    of the spread below which a margin is thin. `page`: where to write the page; in the folder unless told.
    """
    if (folder is None) == (not runs):
        raise BadInput(
            "name either a result folder or run files", remedy="askance diagnose DIR, or --run RUN --qrels F"
        )
    if not 0 < looked_for < 1 or not 0 < thin < 1:
        raise BadInput("the difference and the thin margin are shares", remedy="Give numbers between 0 and 1.")
    cases: list[Case]
    target = Path(page) if page is not None else None
    if folder is not None:
        if qrels or corpus or queries or window:
            raise BadInput(
                "--qrels, --corpus, --queries and --window go with run files; a result folder has its own",
                remedy="Leave them out.",
            )
        place = Path(folder)
        manifest = read_manifest(place)
        opened = partial(open_collection, beside=manifest.beside, progress=progress)
        cases, title = list(open_cases(place, opened)), manifest.study
        target = target or place / PAGE
    else:
        if qrels is None:
            raise BadInput("there are no judgments", remedy="Name a file with --qrels.")
        if vectors is not None and corpus is None:
            raise BadInput(
                "--vectors holds a row for each document of a corpus, and there is no --corpus",
                remedy="Name the corpus.jsonl whose order the rows have with --corpus.",
            )
        cases = [bare_case(runs, qrels, corpus=corpus, queries=queries, window=window)]
        title = ", ".join(system.label for system in cases[0].systems)
    cases = _with_evidence(cases, index, vectors)
    found = [diagnose_case(case, looked_for=looked_for, thin=thin, progress=progress) for case in cases]
    if target is not None:
        write_whole(target, render_diagnosis(found, title))
    return Diagnosed(title, found, target)


def _with_evidence(cases: Sequence[Case], index: str | Path | None, vectors: str | Path | None) -> list[Case]:
    """An index or vectors belong to the one domain whose documents they hold; an error where that is none."""
    found = list(cases)
    problems: list[BadInput] = []
    for at, case in enumerate(cases):
        try:
            if index is not None:
                found[at] = replace(found[at], index=index_seen(index, case.collection.documents.ids))
            if vectors is not None:
                there = len(case.collection.documents) if case.absent is None else int((~case.absent).sum())
                found[at] = replace(found[at], vectors=vectors_seen(vectors, there, len(case.collection.documents)))
        except BadInput as problem:
            problems.append(problem)
            note = f"What was handed over besides was not held against these lists: {problem.message}."
            found[at] = replace(found[at], notes=(*case.notes, note))
    if problems and len(problems) == len(cases):
        raise problems[0]
    return found
