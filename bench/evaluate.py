"""From run files to the first figures, in fresh processes: `askance evaluate` beside pytrec_eval, ir_measures and ranx.

Every process starts cold and begins with TREC files: interpreter, imports, reading and printing count. askance gives
four measures with intervals, ties by expectation, and chance; the others give bare means (pytrec_eval knows no RR@10
and gives RR). The tools take turns, round by round, so that a busy machine slows all alike; medians of wall-clock time
are compared. Targets: at most .8 of pytrec_eval's time for a million rows, .5 for ten million and below 1 GB, 1.0 for
the 63 runs of TREC DL 2021 in one command. ranx compiles itself when it is first used; that time is not counted.
"""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import median
from typing import NamedTuple

import numpy as np

DOCUMENTS = 117_088
DEPTH = 100
MOST_MEMORY = 1_000  # MB
ASKANCE = str(Path(sys.executable).with_name("askance"))
MEASURES = "nDCG@10 Recall@100 Hit@1 RR@10"

PYTREC_EVAL = """
import gzip, sys
import pytrec_eval
def opened(path):
    return gzip.open(path, "rt") if path.endswith(".gz") else open(path)
with opened(sys.argv[1]) as file:
    evaluator = pytrec_eval.RelevanceEvaluator(
        pytrec_eval.parse_qrel(file), {"ndcg_cut.10", "recall.100", "success.1", "recip_rank"}
    )
for path in sys.argv[2:]:
    with opened(path) as file:
        found = evaluator.evaluate(pytrec_eval.parse_run(file))
    names = ("ndcg_cut_10", "recall_100", "success_1", "recip_rank")
    print(path, *(sum(values[name] for values in found.values()) / len(found) for name in names))
"""
IR_MEASURES = """
import sys
import ir_measures
from ir_measures import RR, R, Success, nDCG
qrels = list(ir_measures.read_trec_qrels(sys.argv[1]))
for path in sys.argv[2:]:
    print(ir_measures.calc_aggregate([nDCG@10, R@100, Success@1, RR@10], qrels, ir_measures.read_trec_run(path)))
"""
RANX = """
import sys
from ranx import Qrels, Run, evaluate
qrels = Qrels.from_file(sys.argv[1], kind="trec")
for path in sys.argv[2:]:
    print(evaluate(qrels, Run.from_file(path, kind="trec"), ["ndcg@10", "recall@100", "hit_rate@1", "mrr@10"]))
"""
OTHERS = {"pytrec_eval": PYTREC_EVAL, "ir_measures": IR_MEASURES, "ranx": RANX}


class Taken(NamedTuple):
    """What one process took: seconds by the clock and of the processor, and its peak memory in MB."""

    wall: float
    cpu: float
    memory: float


class Bench(NamedTuple):
    """Some run files, and how little of pytrec_eval's time askance is to take for them."""

    title: str
    qrels: Path
    runs: Sequence[Path]
    target: float
    rounds: int
    corpus: int | None
    slow_rounds: int


def make_files(folder: Path, queries: int) -> tuple[Path, Path]:
    """A seeded run without ties of `queries` lists of 100, and judgments of 3 to 20 documents each, graded 0 to 3."""
    rng = np.random.default_rng(queries)
    run, qrels = folder / f"run-{queries}", folder / f"qrels-{queries}"
    with run.open("w") as runs, qrels.open("w") as judged:
        for query in range(queries):
            listed = rng.choice(DOCUMENTS, DEPTH, replace=False)
            scores = np.sort(rng.choice(30_000_000, DEPTH, replace=False))[::-1] / 1e6
            ranked = enumerate(zip(listed.tolist(), scores.tolist(), strict=True), start=1)
            runs.writelines(f"q{query} Q0 doc{at} {rank} {score:.6f} bench\n" for rank, (at, score) in ranked)
            gold = np.unique(np.append(rng.choice(listed, 6), rng.choice(DOCUMENTS, rng.integers(1, 15))))
            grades = rng.integers(0, 4, len(gold)).tolist()
            judged.writelines(f"q{query} 0 doc{at} {grade}\n" for at, grade in zip(gold.tolist(), grades, strict=True))
    return run, qrels


def process(command: Sequence[str]) -> Taken:
    """Run a command to its end; RuntimeError where it fails."""
    begun = time.perf_counter()
    with tempfile.TemporaryFile() as said:
        child = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=said)
        _, status, used = os.wait4(child.pid, 0)
        wall = time.perf_counter() - begun
        child.returncode = os.waitstatus_to_exitcode(status)
        if child.returncode:
            said.seek(0)
            raise RuntimeError(f"{command[:3]} ended with {child.returncode}:\n{said.read().decode()}")
    kilo = 1 if sys.platform == "darwin" else 1024  # macOS counts bytes
    return Taken(wall, used.ru_utime + used.ru_stime, used.ru_maxrss * kilo / 1e6)


def commands(bench: Bench) -> dict[str, list[str]]:
    runs = [str(path) for path in bench.runs]
    chance = [] if bench.corpus is None else ["--corpus-size", str(bench.corpus)]
    ours = [ASKANCE, "evaluate", *runs, "--qrels", str(bench.qrels), "--measures", MEASURES, *chance]
    theirs = {
        name: [sys.executable, "-c", program, str(bench.qrels), *runs]
        for name, program in OTHERS.items()
        if importlib.util.find_spec(name) is not None
    }
    return {"askance evaluate": ours, **theirs}


def measure(bench: Bench) -> dict[str, list[Taken]]:
    """All rounds; the slow tools stop after a few of them, and a first round of each is not counted."""
    found: dict[str, list[Taken]] = {}
    for number in range(bench.rounds + 1):
        for name, command in commands(bench).items():
            slow = name not in ("askance evaluate", "pytrec_eval")
            if number > bench.slow_rounds and slow or (slow and not bench.slow_rounds):
                continue
            taken = process(command)
            if number:
                found.setdefault(name, []).append(taken)
    return found


def report(bench: Bench, found: Mapping[str, Sequence[Taken]]) -> bool:
    """Print one table; whether the targets were reached."""
    baseline = median(taken.wall for taken in found["pytrec_eval"])
    print(f"\n{bench.title}\n")
    print("| | seconds, median | fastest | processor, median | peak MB | of pytrec_eval |")
    print("|---|--:|--:|--:|--:|--:|")
    for name, taken in found.items():
        walls, memory = [one.wall for one in taken], max(one.memory for one in taken)
        cpu, ratio = median(one.cpu for one in taken), median(walls) / baseline
        print(f"| {name} | {median(walls):.2f} | {min(walls):.2f} | {cpu:.2f} | {memory:.0f} | {ratio:.2f} |")
    ours = found["askance evaluate"]
    ratio, memory = median(one.wall for one in ours) / baseline, max(one.memory for one in ours)
    reached = ratio <= bench.target and memory < MOST_MEMORY
    bound = f"at most {bench.target} of pytrec_eval's time, below {MOST_MEMORY:,} MB"
    print(f"\n{bound}: **{ratio:.2f}, {memory:.0f} MB** ({'met' if reached else 'MISSED'})")
    return reached


def benches(folder: Path) -> list[Bench]:
    """A million rows, ten million, and the runs of TREC DL 2021 where they are at hand."""
    run, qrels = make_files(folder, 10_000)
    large_run, large_qrels = make_files(folder, 100_000)
    found = [
        Bench("1,000,000 rows: 10,000 queries, 100 documents each", qrels, [run], 0.8, 7, DOCUMENTS, 2),
        Bench("10,000,000 rows: 100,000 queries, 100 documents each", large_qrels, [large_run], 0.5, 2, DOCUMENTS, 0),
    ]
    data = Path(os.environ.get("ASKANCE_DATA") or Path(__file__).resolve().parents[2] / "shared" / "data")
    track = data / "trec_dl_runs" / "dl2021"
    runs = sorted((track / "runs_top100").glob("*.gz"))
    if runs:
        title = f"{len(runs)} runs of TREC DL 2021 in one command: 53 queries, 100 documents each, gzip"
        found.append(Bench(title, track / "qrels-pass.txt", runs, 1.0, 7, None, 0))
    return found


def main() -> int:
    if importlib.util.find_spec("pytrec_eval") is None:
        print("pytrec_eval is not installed: pip install pytrec_eval-terrier ir_measures ranx", file=sys.stderr)
        return 2
    with tempfile.TemporaryDirectory(prefix="askance-bench-") as folder:
        reached = [report(bench, measure(bench)) for bench in benches(Path(folder))]
    return 0 if all(reached) else 1


if __name__ == "__main__":
    sys.exit(main())
