"""Label sets compared with gold and with each other, and the orders of systems that they make."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from askance.core.errors import BadInput
from askance.data.fit import fit
from askance.data.formats.labels import LabelSet, files_named, read_label_set, read_label_sets
from askance.data.formats.loaded import read_run_file
from askance.data.formats.numbers import finite
from askance.data.ids import Ids
from askance.data.judgments import Judgments
from askance.data.problems import Problem
from askance.data.run import Run
from askance.measure.agreement.audit import Audit
from askance.measure.agreement.compare import compare_labels
from askance.measure.agreement.found import AgreementFound, Systems
from askance.measure.agreement.kappa import WEIGHTS, Weights
from askance.measure.agreement.rank_orders import PERSISTENCE
from askance.measure.agreement.resampling import Over, Resampling
from askance.measure.agreement.system_orders import SystemValues, compare_orders, system_values
from askance.measure.agreement.table import LabelTable, check_shared, grades_of, lay_out
from askance.measure.measures import Measure
from askance.measure.resamples import RESAMPLES

MEASURE = "nDCG@10"


def agree(
    labels: Sequence[str | Path],
    gold: str | Path | None = None,
    *,
    scale: Sequence[float] | None = None,
    runs: Sequence[str | Path] = (),
    measure: str = MEASURE,
    p: float = PERSISTENCE,
    over: Over = "queries",
    weights: Weights = "quadratic",
    audits: Sequence[str] = (),
    seed: int = 0,
    resamples: int = RESAMPLES,
) -> AgreementFound:
    """Kappa, Krippendorff's alpha and the outlier among label sets; with runs, the orders of systems they make.

    `labels`: files and folders of them. `gold`: the label set that the others are held against; its file among the
    labels is passed over. `scale`: which labels there are, as numbers. `audits`: "errors/n" or "name=errors/n".
    """
    checked = tuple(Audit.parse(audit) for audit in audits)
    if not labels:
        if gold is not None or runs or not checked:
            raise BadInput("no label sets are named", remedy="Name files of labels, or folders of them.")
        return AgreementFound(None, None, checked)
    if over not in ("queries", "pairs"):
        raise BadInput(f"labels cannot be resampled over {over!r}", remedy="Choose queries or pairs.")
    if weights not in WEIGHTS:
        raise BadInput(f"there is no weighting {weights!r}", remedy=f"Choose from {', '.join(WEIGHTS)}.")
    if runs and gold is None:
        raise BadInput("runs are given, but no gold", remedy="Name the label set whose order counts: --gold FILE.")
    said = Measure.parse(measure)
    if said.tier is not None:
        raise BadInput(f"the measure {said} names a tier", remedy=f"Label sets have none: {replace(said, tier=None)}.")
    truth = read_label_set(Path(gold)) if gold is not None else None
    files = [file for file in files_named([Path(path) for path in labels]) if not _same(file, truth)]
    sets = read_label_sets(files)
    table = lay_out(sets, truth, tuple(scale) if scale else None)
    if not runs:
        check_shared(table)
    agreement = compare_labels(table, Resampling(over, resamples, seed), weights)
    if not runs or truth is None:
        return AgreementFound(agreement, None, checked)
    orders = _systems(table, sets, truth, files_named([Path(path) for path in runs]), said, p, seed, resamples)
    return AgreementFound(agreement, orders, checked)


def scale_of(text: str) -> tuple[float, ...]:
    """Read "0,1,2,3"; BadInput on anything but numbers parted by commas."""
    numbers = [finite(part.strip()) for part in text.split(",")]
    found = tuple(number for number in numbers if number is not None)
    if len(found) < len(numbers):
        raise BadInput(f"the scale {text!r} cannot be read", remedy="Write the labels there are, e.g. 0,1,2,3.")
    return found


def _same(file: Path, gold: LabelSet | None) -> bool:
    return gold is not None and file.exists() and gold.path.samefile(file)


def _systems(
    table: LabelTable,
    sets: Sequence[LabelSet],
    gold: LabelSet,
    files: Sequence[Path],
    measure: Measure,
    p: float,
    seed: int,
    resamples: int,
) -> Systems:
    loaded = [read_run_file(file) for file in files]
    names = [each.run.name for each in loaded]
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise BadInput(f"two runs are called {twice[0]!r}", remedy="Name each run once, or rename one of the files.")
    grades = [grades_of(one, table.scale) for one in (gold, *sets)]
    queries = Ids(dict.fromkeys(query for each in grades for query in each))
    labelled = (document for each in grades for row in each.values() for document in row)
    retrieved = (document for each in loaded for document in each.run.documents)
    documents = Ids(dict.fromkeys([*labelled, *retrieved]))
    nothing = Judgments.of(queries, documents, {})
    fitted = [fit(each.run, nothing) for each in loaded]
    ready = [each.run for each in fitted]
    values = [system_values(ready, Judgments.of(queries, documents, each), measure) for each in grades]
    return Systems(
        measure=str(measure),
        runs=tuple(names),
        orders={
            one.name: compare_orders(values[0], value, p=p, seed=seed, resamples=resamples)
            for one, value in zip(sets, values[1:], strict=True)
        },
        unanswered=_unanswered([gold, *sets], values),
        problems=_problems(ready, [each.problems for each in loaded], [each.problems for each in fitted]),
    )


def _unanswered(sets: Sequence[LabelSet], values: Sequence[SystemValues]) -> dict[str, int]:
    return {one.name: each.unanswered for one, each in zip(sets, values, strict=True)}


def _problems(
    runs: Sequence[Run], read: Sequence[tuple[Problem, ...]], fitted: Sequence[tuple[Problem, ...]]
) -> dict[str, tuple[Problem, ...]]:
    together = {run.name: (*first, *then) for run, first, then in zip(runs, read, fitted, strict=True)}
    return {name: problems for name, problems in together.items() if problems}
