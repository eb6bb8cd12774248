"""Compare run files of several systems on the same queries."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np

from askance.app.evaluate import evaluate, named_qrels, wanted_measures
from askance.core.errors import BadInput, DataProblem, UnknownName
from askance.data.formats.query_columns import QueryColumns, read_query_columns
from askance.data.problems import Problem, examples
from askance.measure.compare.runs import Compared, ComparedRun
from askance.measure.compare.sign_flips import DRAWS
from askance.measure.compare.systems import CompareSettings, Scores, compare_systems
from askance.measure.evaluation import DEFAULT_MEASURES, EvaluatedRun, Evaluation
from askance.measure.judged import Values
from askance.measure.measures import Measure
from askance.measure.order import TiePolicy


def compare(
    runs: Sequence[str | Path],
    qrels: Sequence[str | Path] | str | Path,
    *,
    measures: str | Sequence[str | Measure] = DEFAULT_MEASURES,
    baseline: str | None = None,
    ties: TiePolicy = "expected",
    groups: str | Path | None = None,
    slices: str | Path | None = None,
    wish: float | None = None,
    seed: int = 0,
    draws: int = DRAWS,
) -> Compared:
    """Paired differences of every two runs, or of each against the `baseline` (a run's name), with tests and intervals.

    `qrels`, `measures`, `ties`: see `evaluate`. `groups`, `slices`: files whose first line names their columns, one of
    them query; queries of one group are resampled together, and every other column is a slice. `wish`: the difference
    one would like to find. `seed` and `draws`: for tests that are not exact.
    """
    if len(runs) < 2:
        raise BadInput("there is nothing to compare: it takes two runs", remedy="Name another run file.")
    names = distinct_names(runs)
    wanted = wanted_measures(measures)
    evaluations = _by_tier(runs, qrels, wanted, ties, seed)
    scores = _scores(names, wanted, evaluations)
    problems: list[Problem] = [*next(iter(evaluations.values())).problems, *_renamed(runs, names)]
    together, table = (None if told is None else read_query_columns(told) for told in (groups, slices))
    for told in (together, table):
        problems += [] if told is None else _fit(told, scores.queries)
    found = compare_systems(
        scores,
        CompareSettings(_named(baseline, runs, names), wish, seed, draws),
        groups=None if together is None else together.aligned(together.group_column(), scores.queries),
        slices={} if table is None else {name: table.aligned(name, scores.queries) for name in table.columns},
    )
    compared = [
        _compared(name, Path(path), at, evaluations) for at, (name, path) in enumerate(zip(names, runs, strict=True))
    ]
    return Compared(compared, ties, found, problems)


def distinct_names(runs: Sequence[str | Path]) -> list[str]:
    """A name for each run file: the file's, without .gz; where two are alike with the folder before, else numbered."""
    paths = [Path(run) for run in runs]
    names = [_plain_name(path) for path in paths]
    alike = {name for name in names if names.count(name) > 1}
    longer = [
        f"{path.absolute().parent.name}/{name}" if name in alike else name
        for path, name in zip(paths, names, strict=True)
    ]
    taken: dict[str, int] = {}
    found = []
    for name in longer:
        taken[name] = taken.get(name, 0) + 1
        found.append(name if taken[name] == 1 else f"{name} #{taken[name]}")
    return found


def _renamed(runs: Sequence[str | Path], names: Sequence[str]) -> Iterator[Problem]:
    changed = [name for run, name in zip(runs, names, strict=True) if name != _plain_name(Path(run))]
    if changed:
        text = f"runs of one file name are told apart as {examples(changed, len(changed))}"
        yield Problem("warning", text, "Give the files names of their own.", count=len(changed))


def _plain_name(path: Path) -> str:
    return path.name.removesuffix(".gz").removesuffix(".zst")


def _named(baseline: str | None, runs: Sequence[str | Path], names: Sequence[str]) -> str | None:
    """The run that is called so, or lies there, or is the only one whose file is called so before its first point."""
    if baseline is None or baseline in names:
        return baseline
    for of_path in (str, lambda run: Path(run).name, lambda run: Path(run).name.split(".")[0]):
        found = [name for run, name in zip(runs, names, strict=True) if of_path(run) == baseline]
        if len(found) == 1:
            return found[0]
    raise UnknownName("run", baseline, names, where="--baseline")


def _by_tier(
    runs: Sequence[str | Path],
    qrels: Sequence[str | Path] | str | Path,
    measures: Sequence[Measure],
    ties: TiePolicy,
    seed: int,
) -> dict[str, Evaluation]:
    """What the runs get, for each definition of gold that a measure names; each may be about queries of its own."""
    told = [qrels] if isinstance(qrels, str | Path) else list(qrels)
    files = dict(zip((named_qrels(one)[0] for one in told), told, strict=False))
    found: dict[str, Evaluation] = {}
    for tier in dict.fromkeys(measure.tier for measure in measures):
        if tier is not None and tier not in files:
            raise UnknownName("tier", tier, files, where="a measure")
        first = [] if tier is None else [files[tier]]
        of_tier = [measure for measure in measures if measure.tier == tier]
        ordered = [*first, *(one for one in told if one not in first)]
        found[tier or ""] = evaluate(runs, ordered, measures=of_tier, ties=ties, seed=seed, warn=False)
    return found


def _scores(names: Sequence[str], measures: Sequence[Measure], evaluations: Mapping[str, Evaluation]) -> Scores:
    queries: dict[str, int] = {}
    for evaluation in evaluations.values():
        for names_of_queries in evaluation.runs[0].queries.values():
            for query in names_of_queries:
                queries.setdefault(query, len(queries))
    values: dict[str, Values] = {}
    for measure in measures:
        evaluation = evaluations[measure.tier or ""]
        matrix = np.full((len(names), len(queries)), np.nan)
        for at, run in enumerate(evaluation.runs):
            matrix[at, [queries[query] for query in run.queries[str(measure)]]] = run.values[str(measure)]
        values[str(measure)] = matrix
    lower = frozenset(str(measure) for measure in measures if measure.metric.lower_is_better)
    return Scores(names, list(queries), values, lower)


def _compared(name: str, path: Path, at: int, evaluations: Mapping[str, Evaluation]) -> ComparedRun:
    """One run as all definitions of gold see it; its counts are those of the first."""
    seen: list[EvaluatedRun] = [evaluation.runs[at] for evaluation in evaluations.values()]
    measures = {measure: estimate for run in seen for measure, estimate in run.measures.items()}
    problems = list(dict.fromkeys(problem for run in seen for problem in run.problems))
    return ComparedRun(name, path, measures, seen[0].counts, problems)


def _fit(table: QueryColumns, queries: Sequence[str]) -> Iterator[Problem]:
    """What of a table of queries does not belong to the judged ones, and the other way round."""
    known, listed = set(queries), set(table.queries)
    strangers = [query for query in table.queries if query not in known]
    without = [query for query in queries if query not in listed]
    if strangers and len(strangers) == len(table.queries):
        raise DataProblem(
            f"{table.path}: none of its queries is judged: it has {examples(table.queries)}; the judgments have "
            f"{examples(queries)}",
            remedy="Are these files of one collection? Identifiers are compared letter by letter.",
        )
    if strangers:
        text = f"{table.path}: {len(strangers):,} queries are not judged: {examples(strangers)}"
        yield Problem("warning", text, "They are left out.", count=len(strangers))
    if without:
        text = f"{table.path}: {len(without):,} judged queries have no row: {examples(without)}"
        yield Problem("warning", text, "They are groups of their own, and in no slice.", count=len(without))
