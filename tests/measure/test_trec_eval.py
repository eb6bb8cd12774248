"""trec_eval's own values: 63 runs of a real track, and the fixtures that come with its sources."""

from __future__ import annotations

import gzip
import re
from pathlib import Path

import numpy as np
import pytest

from askance.data.formats.trec import read_trec_qrels, read_trec_run
from askance.data.ids import Ids
from askance.data.judgments import Judgments
from askance.data.run import Run
from askance.measure.judged import Judged
from askance.measure.measures import Measure
from askance.measure.order import judge_by, ordered

Grades = dict[str, dict[str, float]]
Printed = dict[tuple[str, str], str]  # (measure, query) → what trec_eval printed

DIGITS = 4


def over_judged(path: Path, grades: Grades) -> tuple[Run, Judgments]:
    """A run file and judgments over the judged queries and the documents of both."""
    run = read_trec_run(path).run
    judged = (document for row in grades.values() for document in row)
    queries, documents = Ids(grades), Ids(dict.fromkeys([*run.documents, *judged]))
    lists = {
        query: [(run.documents[int(at)], float(score)) for at, score in zip(*run.of_query(position), strict=True)]
        for position, query in enumerate(run.queries)
        if query in queries
    }
    return Run.of(run.name, queries, documents, lists), Judgments.of(queries, documents, grades)


def agrees(value: float, printed: str) -> bool:
    """Whether `value` rounds to what was printed; its last digit may go either way where it lies on the edge."""
    return bool(abs(value - float(printed)) <= 0.5 * 10.0**-DIGITS + 1e-9)


# --- TREC Deep Learning 2021


TRACK = {
    "P_5": "P@5",
    "P_10": "P@10",
    "recip_rank": "RR",
    "map": "AP",
    "Rprec": "Rprec",
    "bpref": "Bpref",
    "ndcg_cut_10": "nDCG@10",
}


@pytest.fixture(scope="module")
def track(shared_data: Path) -> Path:
    return shared_data / "trec_dl_runs" / "dl2021"


@pytest.fixture(scope="module")
def printed_by_run(track: Path) -> dict[str, Printed]:
    values: dict[str, Printed] = {}
    with gzip.open(track / "expected_per_query.tsv.gz", "rt", encoding="utf-8") as file:
        for line in file:
            run, _, measure, query, printed = line.rstrip("\n").split("\t")
            values.setdefault(run, {})[measure, query] = printed
    return values


def test_every_value_of_63_real_runs(track: Path, printed_by_run: dict[str, Printed]) -> None:
    grades = read_trec_qrels(track / "qrels-pass.txt")
    compared, wrong = 0, []
    for path in sorted((track / "runs_top100").glob("*.gz")):
        run, judgments = over_judged(path, grades)
        judged = judge_by("trec", run, judgments)
        printed = printed_by_run[run.name]
        for theirs, ours in TRACK.items():
            values = Measure.parse(ours).compute(judged)
            for query, value in zip(run.queries, values.tolist(), strict=True):
                compared += 1
                if f"{value:.{DIGITS}f}" != printed[theirs, query]:
                    wrong.append((run.name, ours, query, value, printed[theirs, query]))
    assert wrong == []
    assert compared == 23_373


def test_scores_in_64_bits_would_not_do(track: Path, printed_by_run: dict[str, Printed]) -> None:
    """The values do depend on the order of ties: held to the last bit, some scores are none."""
    run, judgments = over_judged(track / "runs_top100" / "Fast_Forward_3.gz", read_trec_qrels(track / "qrels-pass.txt"))
    values = Measure("nDCG", 10).compute(judge_by("input", run, judgments))
    wrong = [
        query
        for query, value in zip(run.queries, values.tolist(), strict=True)
        if not agrees(value, printed_by_run[run.name]["ndcg_cut_10", query])
    ]
    assert len(wrong) >= 10


# --- the fixtures of trec_eval


PLAIN = {"map": "AP", "Rprec": "Rprec", "bpref": "Bpref", "recip_rank": "RR", "ndcg": "nDCG"}
AT = {"P": "P", "recall": "Recall", "ndcg_cut": "nDCG", "map_cut": "AP", "success": "Hit", "unj": "Unjudged"}


def ours(theirs: str) -> str | None:
    """Our name of one of trec_eval's measures; None where we do not have it."""
    if theirs in PLAIN:
        return PLAIN[theirs]
    at = re.fullmatch(r"(\w+)_([0-9]+)", theirs)
    return f"{AT[at[1]]}@{at[2]}" if at and at[1] in AT else None


def printed_in(path: Path) -> Printed:
    rows = (line.split() for line in path.read_text(encoding="utf-8").splitlines())
    return {(measure, query): value for measure, query, value in (row for row in rows if len(row) == 3)}


@pytest.fixture(scope="module")
def fixtures(shared_data: Path) -> Path:
    return shared_data / "trec_eval_fixtures" / "test"


def without_junk(path: Path, folder: Path) -> Path:
    """A copy of a run without what stands behind some tags: trec_eval reads over it, we refuse it."""
    copy = folder / path.name
    rows = (line.split()[:6] for line in path.read_text(encoding="utf-8").splitlines())
    copy.write_text("".join(" ".join(row) + "\n" for row in rows), encoding="utf-8")
    return copy


CASES = {
    "out.test.aq": ("qrels.test", "results.test", None, 0, 188),
    "out.test.aqc": ("qrels.test", "results.trunc", None, 0, 182),
    "out.test.aqcM": ("qrels.test", "results.trunc", 100, 0, 182),
    "out.test.aql": ("qrels.rel_level", "results.test", None, 2, 188),
    "out.test.meas_params": ("qrels.test", "results.test", None, 0, 44),
    "out.test.a": ("qrels.test", "results.test", None, 0, 47),
    "out.test": ("qrels.test", "results.test", None, 0, 13),
}


@pytest.mark.parametrize("name", CASES)
def test_the_fixtures(fixtures: Path, tmp_path: Path, name: str) -> None:
    """`-c` (all queries), `-M 100` (the first hundred), `-l 2` (grades from 2 on are gold; some are negative)."""
    qrels, results, most, level, values = CASES[name]
    results_file = without_junk(fixtures / results, tmp_path)
    run, judgments = over_judged(results_file, read_trec_qrels(fixtures / qrels))
    rows = ordered(run, "trec")
    judged = judge_by("input", rows if most is None else rows.top(most), judgments, float(level or 1))
    printed = printed_in(fixtures / name)
    compared = 0
    for (theirs, query), value in printed.items():
        text = ours(theirs)
        if text is None:
            continue
        found = value_of(Measure.parse(text), judged, run, query)
        if found is not None:
            assert agrees(found, value), (theirs, query, found, value)
            compared += 1
    assert compared == values


def value_of(measure: Measure, judged: Judged, run: Run, query: str) -> float | None:
    """The value of a query, or the mean over all; None where some query has no value."""
    values = measure.compute(judged)
    value = float(values.mean()) if query == "all" else float(values[list(run.queries).index(query)])
    return None if np.isnan(value) else value


def test_a_threshold_of_a_measure_is_that_of_the_judgments(fixtures: Path) -> None:
    run, judgments = over_judged(fixtures / "results.test", read_trec_qrels(fixtures / "qrels.rel_level"))
    plain, strict = (judge_by("trec", run, judgments, threshold) for threshold in (1.0, 2.0))
    for name in ("P", "RR", "AP", "Rprec", "Bpref", "Hit", "Recall"):
        cutoff = "@20" if name in ("P", "Hit", "Recall") else ""
        values = Measure.parse(f"{name}(rel=2){cutoff}").compute(plain)
        assert values.tolist() == Measure.parse(name + cutoff).compute(strict).tolist()
        assert values.tolist() != Measure.parse(name + cutoff).compute(plain).tolist()
