"""Evaluate run files of any system against judgments."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from os import PathLike
from pathlib import Path
from typing import Any

from askance.core.errors import BadInput
from askance.data.formats.lines import read_json_lines, required
from askance.data.formats.loaded import read_qrels_file, read_run_file
from askance.data.ids import Ids
from askance.data.interning import Interner
from askance.data.judgments import Judgments
from askance.data.problems import Problem
from askance.data.run import Run
from askance.measure.evaluation import DEFAULT_MEASURES, EvaluatedRun, Evaluation, EvaluationSettings, evaluate_run
from askance.measure.measures import Measure
from askance.measure.order import TiePolicy

_MEASURE = re.compile(r"[^\s,(]+(?:\([^)]*\))?[^\s,]*")


def evaluate(
    runs: Sequence[Any],
    qrels: Any,
    *,
    measures: str | Sequence[str | Measure] = DEFAULT_MEASURES,
    ties: TiePolicy = "expected",
    corpus: str | Path | None = None,
    corpus_size: int | None = None,
    queries: str | Path | None = None,
    seed: int = 0,
    warn: bool = True,
) -> Evaluation:
    """Every measure of every run, with interval, n and (where the corpus is known) chance.

    `runs`: files, or anything that holds a run (see `as_run`: dictionaries, frames, other tools' objects). `qrels`: the
    same for judgments; or several files given as NAME=FILE, or {NAME: Judgments}, each a definition of gold that a
    measure may name: `Hit@1[NAME]`; the first is the default. `corpus`: a corpus.jsonl whose documents are counted;
    `corpus_size` says it instead. `queries`: a queries.jsonl; judged queries that it lacks are warned of. `ties`:
    expected (the exact mean over all orders of equal scores), trec, input, optimistic or pessimistic.
    """
    wanted = wanted_measures(measures)
    if len(set(wanted)) != len(wanted):
        raise BadInput("a measure is asked for twice", remedy="Name each once.")
    if not runs:
        raise BadInput("there is no run to evaluate", remedy="Name at least one run file.")
    # files over one set of documents fit each other at no cost; against a corpus, each is asked for its own
    shared = Interner() if corpus is None else None
    tiers, problems = _judgments(qrels, shared)
    documents = _documents(corpus) if corpus is not None else None
    if warn:
        problems = [*problems, *_unused(tiers, wanted)]
    if queries is not None:
        problems = [*problems, *_unasked(tiers, _documents(queries))]
    size = corpus_size if documents is None else len(documents)
    settings = EvaluationSettings(wanted, ties, size, seed)
    found = []
    for at, given in enumerate(runs, start=1):
        run, odd = _run(given, f"run{at}", shared)
        one = evaluate_run(run, tiers, settings)
        strangers = () if documents is None else _strangers(run.documents, documents)
        found.append(replace(one, problems=(*odd, *one.problems, *strangers)))
    if warn:
        both = zip(found, _namesakes(runs, found), strict=True)
        found = [replace(one, problems=(*said, *one.problems)) for one, said in both]
    return Evaluation(found, [str(measure) for measure in wanted], ties, size, problems)


def wanted_measures(told: str | Sequence[str | Measure]) -> list[Measure]:
    """Measures from one text, separated by spaces or commas, or from a list."""
    parts = _MEASURE.findall(told) if isinstance(told, str) else told
    if not parts:
        raise BadInput("no measure is named", remedy="Name at least one, e.g. nDCG@10.")
    return [part if isinstance(part, Measure) else Measure.parse(part) for part in parts]


def named_qrels(told: str | Path) -> tuple[str, str]:
    """Name and file of judgments told as NAME=FILE, or as a file, whose name up to the first point it then has."""
    name, mark, path = str(told).partition("=")
    return (name, path) if mark and not Path(told).exists() else (Path(told).name.split(".")[0], str(told))


def _run(given: Any, name: str, shared: Interner | None) -> tuple[Run, Sequence[Problem]]:
    if isinstance(given, str | PathLike):
        loaded = read_run_file(Path(given), documents=shared)
        return loaded.run, loaded.problems
    from askance.data.convert.anything import as_run

    return as_run(given, name), ()


def _judgments(given: Any, shared: Interner | None) -> tuple[Mapping[str, Judgments], Sequence[Problem]]:
    """Judgments by the name of their definition of gold."""
    if isinstance(given, str | PathLike):
        return _tiers([Path(given) if isinstance(given, PathLike) else given], shared)
    if isinstance(given, list | tuple) and all(isinstance(one, str | PathLike) for one in given):
        return _tiers([Path(one) if isinstance(one, PathLike) else one for one in given], shared)
    if isinstance(given, Mapping) and given and all(isinstance(one, Judgments) for one in given.values()):
        return given, ()
    from askance.data.convert.anything import as_judgments

    return {"gold": as_judgments(given)}, ()


def _tiers(told: Sequence[str | Path], shared: Interner | None) -> tuple[dict[str, Judgments], list[Problem]]:
    tiers: dict[str, Judgments] = {}
    problems: list[Problem] = []
    for one in told:
        name, path = named_qrels(one)
        if name in tiers:
            raise BadInput(f"two files of judgments are called {name!r}", remedy="Name them: --qrels strict=FILE.")
        loaded = read_qrels_file(path, shared)
        tiers[name] = loaded.judgments
        problems.extend(loaded.problems)
    if not tiers:
        raise BadInput("there are no judgments", remedy="Name a file with --qrels.")
    return tiers, problems


def _unused(tiers: Mapping[str, Judgments], measures: Sequence[Measure]) -> Iterator[Problem]:
    """Definitions of gold that were given and that no measure names; the first is everyone's default."""
    default, *others = tiers
    for name in others:
        if all(measure.tier != name for measure in measures):
            text = f"no measure names the gold {name!r}: nothing is measured against it, {default!r} is the default"
            yield Problem("warning", text, f"Write e.g. {replace(measures[0], tier=name)}.", count=1)


def _namesakes(runs: Sequence[Any], found: Sequence[EvaluatedRun]) -> Iterator[tuple[Problem, ...]]:
    """For each run, what tells it from another of its name."""
    names = [one.name for one in found]
    for at, (given, name) in enumerate(zip(runs, names, strict=True), start=1):
        which = str(given) if isinstance(given, str | PathLike) else f"run {at} of those given"
        text = f"{names.count(name)} runs are called so; this is {which}"
        alike = names.count(name) > 1
        yield (Problem("warning", text, "Give them names of their own.", count=1),) if alike else ()


def _documents(jsonl: str | Path) -> Ids:
    """The identifiers of a corpus.jsonl or queries.jsonl."""
    path = Path(jsonl)
    return Ids(required(record, "_id", path, line) for line, record in read_json_lines(path))


def _unasked(tiers: Mapping[str, Judgments], asked: Ids) -> Iterator[Problem]:
    for name, judgments in tiers.items():
        unknown = [query for query in judgments.queries if query not in asked]
        if unknown:
            some = ", ".join(map(repr, unknown[:3]))
            text = f"{len(unknown):,} queries judged in {name!r} are not in the queries: {some}"
            yield Problem("warning", text, "Are these files of one collection?", count=len(unknown))


def _strangers(listed: Ids, corpus: Ids) -> tuple[Problem, ...]:
    unknown = [name for name in listed if name not in corpus]
    if not unknown:
        return ()
    text = f"{len(unknown):,} documents of the run are not in the corpus: {', '.join(map(repr, unknown[:3]))}"
    return (Problem("warning", text, "Chance counts the documents of the corpus only.", count=len(unknown)),)
