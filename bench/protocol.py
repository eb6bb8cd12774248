"""The protocol at the size of 500 queries × 117,088 documents × 3,072 dimensions: memory, ranking, figures, report.

Run: python bench/protocol.py [documents] [dimension] [queries]. Made word problems, one gold and twenty near misses a
query, and drawn unit vectors (float32), kept by the store on disk and mapped, as those of any model. Each step is a
process of its own: *vectors* draws and commits them; *study* does what `study run` does with one dense system, lists
of 1,000: opens the vectors (each byte against its hash), ranks, keeps the lists, measures at 10,000 resamples, renders
the report; *product* is one BLAS product of that shape over the same mapped matrix in turns with our ranking (the call
that the dense retriever makes, to sorted lists), pages in memory for both, the same threads; fastest of the turns.

Memory is the most a process held: all of it, and without the pages of mapped files, which the system takes back when
others need them. Limits: all of it below 4 GB; ranking at most 1.3 times the product; measuring and report together
less than a tenth of the ranking.
"""

from __future__ import annotations

import hashlib
import json
import os
import random
import resource
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any
from unittest.mock import patch

import numpy as np
from numpy.typing import NDArray

from askance.core.places import cache_folder
from askance.core.progress import Silent
from askance.data.collection import Collection, Decoys, Documents, Queries, Role, Roles, Tier
from askance.data.ids import Ids
from askance.data.judgments import Judgments
from askance.models.embedder import Kind, ModelCard, Vectors
from askance.models.vectors import VectorSet, VectorStore

QUERIES, DOCUMENTS, DIMENSION, DEPTH = 500, 117_088, 3_072, 1_000
NEAR, TURNS = 20, 3
MOST_MEMORY, MOST_RANKING, MOST_FIGURES = 4e9, 1.3, 0.1
WORDS = (
    "a the of each then and how many left after gives buys sells apples pens hours miles dollars friends boxes store "
    "week twice half more than total cost earns walks reads pages students teacher class bakes cakes rows garden plants"
)

Figures = Mapping[str, Any]


class Drawn:
    """An embedder without a model: each text's vector is drawn from its hash."""

    def __init__(self, dimension: int) -> None:
        self.card = ModelCard("drawn", "none", "fp32", dimension, None, "made here")

    def embed(self, texts: Sequence[str], kind: Kind) -> Vectors:
        seeds = (int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest(), "little") for text in texts)
        rows = [np.random.default_rng(seed).standard_normal(self.card.dimension, dtype=np.float32) for seed in seeds]
        vectors = np.stack(rows)
        vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
        return vectors

    def token_counts(self, texts: Sequence[str]) -> NDArray[np.int64] | None:
        return None


def collection(documents: int, queries: int) -> Collection:
    """Made problems: of query q, document q is gold, and twenty others are near misses."""
    draw, known = random.Random(7), WORDS.split()

    def problem(number: int) -> str:
        words = draw.choices(known, k=draw.randint(25, 60))
        return " ".join([*words[:9], str(number), *words[9:], str(draw.randint(2, 99))]) + "?"

    ids = Ids(f"q{number}" for number in range(queries)), Ids(f"d{number}" for number in range(documents))
    gold = {ids[0][number]: {ids[1][number]: 1.0} for number in range(queries)}
    near = {
        ids[0][number]: {
            ids[1][at]: "near" for at in draw.sample(range(queries, documents), min(NEAR, documents - queries))
        }
        for number in range(queries)
    }
    return Collection(
        "made",
        Documents(ids[1], {"text": tuple(problem(number) for number in range(documents))}),
        Queries(ids[0], {"text": tuple(problem(number) for number in range(documents, documents + queries))}),
        {"main": Tier("main", "gold", Judgments.of(*ids, gold))},
        Roles.of(*ids, [Role("near", "near miss")], near),
        decoys=(Decoys("near", "near misses", ("near",)),),
    )


# In processes of their own


def vectors(documents: int, dimension: int, queries: int) -> Figures:
    """Draw all vectors and keep them."""
    made = collection(documents, queries)
    begun = time.perf_counter()
    with Held() as held:
        found = _opened(made, dimension)
    assert found.embedded == documents + queries
    return {"seconds": time.perf_counter() - begun, "bytes": found.unique.nbytes, **held.told()}


def study(documents: int, dimension: int, queries: int) -> Figures:
    """What a study does with one dense system."""
    import askance
    from askance.report.page import render
    from askance.study.domain import measure_domain
    from askance.study.file import StudyFile
    from askance.study.folder import ResultFolder
    from askance.study.ranking import Desk, rank
    from askance.study.results import Results, StudyCard
    from askance.study.sign import preferences

    made, model = collection(documents, queries), Drawn(dimension)
    system = {"name": "dense", "retriever": "dense", "model": "drawn"}
    file = StudyFile.model_validate(
        {
            "study": {"name": "protocol", "depth": DEPTH},
            "models": {"drawn": {"embedder": "fake"}},
            "domains": {"made": {"collection": "made", "systems": [system]}},
        }
    )
    entry = file.domains["made"]
    took: dict[str, float] = {}
    with Held() as held:
        begun = time.perf_counter()
        folder = ResultFolder.open(cache_folder("study"), file, study_folder=None, resume=False)
        desk = Desk("made", entry, made, {"drawn": model}, folder, file.study, Silent())
        ranked = rank(desk, entry.systems[0])
        took["rank"] = time.perf_counter() - begun
        begun = time.perf_counter()
        with patch("askance.study.domain.preferences", _timed(preferences, took, "sign")):
            domain = measure_domain(desk, ["main"], [ranked], [])
        took["measure"] = time.perf_counter() - begun
        begun = time.perf_counter()
        card = StudyCard(name="protocol", title="protocol", seed=0, resamples=file.study.resamples)
        results = Results(askance=askance.__version__, study=card, models=[], gates=[], domains=[domain])
        folder.finish(results.dump())
        page = render(results)
        took["report"] = time.perf_counter() - begun
    return {**took, "page": len(page), "rows": len(ranked.run.document), **held.told()}


def product(documents: int, dimension: int, queries: int) -> Figures:
    """The product and our ranking, in turns; and what opening the vectors takes."""
    from askance.engines.exact_vectors import nearest

    made = collection(documents, queries)
    begun = time.perf_counter()
    found = _opened(made, dimension)
    opened = time.perf_counter() - begun
    # one table each, as a product has them: documents mapped as they lie, but for the few rows that are queries
    asked, table = found.unique[found.query_rows], found.unique
    works: dict[str, Callable[[], object]] = {
        "product": lambda: asked @ table.T,
        "ranking": lambda: nearest(table, found.query_rows, found.document_rows, DEPTH),
    }
    took: dict[str, list[float]] = {name: [] for name in works}
    for _ in range(TURNS):
        for name, work in works.items():
            begun = time.perf_counter()
            work()
            took[name].append(time.perf_counter() - begun)
    return {"opened": opened, **{name: min(times) for name, times in took.items()}}


def _timed(work: Callable[..., Any], took: dict[str, float], name: str) -> Callable[..., Any]:
    def timed(*given: Any) -> Any:
        begun = time.perf_counter()
        found = work(*given)
        took[name] = time.perf_counter() - begun
        return found

    return timed


def _opened(made: Collection, dimension: int) -> VectorSet:
    store = VectorStore(cache_folder("vectors"))
    return store.open(Drawn(dimension), made.queries.field("text"), made.documents.field("text"))


class Held:
    """The most memory that this process holds inside the block: without mapped pages looked at ten times a second."""

    def __init__(self) -> None:
        self._most = 0
        self._done = threading.Event()
        self._watch = threading.Thread(target=self._look, daemon=True)

    def __enter__(self) -> Held:
        self._watch.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._done.set()
        self._watch.join()

    def told(self) -> Figures:
        unit = 1 if sys.platform == "darwin" else 1024
        return {"peak": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit, "own": self._most or None}

    def _look(self) -> None:
        told = Path("/proc/self/statm")
        while told.exists():
            _, resident, mapped, *_ = map(int, told.read_text().split())
            self._most = max(self._most, (resident - mapped) * resource.getpagesize())
            if self._done.wait(0.1):
                break


ROLES: Mapping[str, Callable[[int, int, int], Figures]] = {"vectors": vectors, "study": study, "product": product}


# Here


def main(given: Sequence[str]) -> int:
    if given and given[0] in ROLES:
        print(json.dumps(ROLES[given[0]](*map(int, given[1:]))))
        return 0
    documents, dimension, queries = [*map(int, given), *(DOCUMENTS, DIMENSION, QUERIES)[len(given) :]]
    with tempfile.TemporaryDirectory() as scratch:
        told = {role: _child(role, (documents, dimension, queries), Path(scratch)) for role in ROLES}
    return _shown(told, f"{queries:,} queries × {documents:,} documents × {dimension:,}")


def _child(role: str, sizes: Sequence[int], scratch: Path) -> Figures:
    command = [sys.executable, __file__, role, *map(str, sizes)]
    environment = {**os.environ, "ASKANCE_CACHE": str(scratch)}
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
    if done.returncode:
        raise SystemExit(f"{role} ended with exit code {done.returncode}:\n{done.stderr}")
    return dict(json.loads(done.stdout))


def _shown(told: Mapping[str, Figures], size: str) -> int:
    vectors, study, product = (told[role] for role in ROLES)
    after = study["measure"] + study["report"]
    print(f"{size}, {vectors['bytes'] / 1e9:.2f} GB of vectors on disk\n")
    print("| step | s |")
    print("|---|--:|")
    for what, seconds in (
        ("drawing and keeping the vectors", vectors["seconds"]),
        ("opening them, each byte against its hash", product["opened"]),
        ("one product", product["product"]),
        ("ranking", product["ranking"]),
        ("the study until its lists are kept: opening, ranking, writing", study["rank"]),
        ("measuring", study["measure"]),
        (
            "of that the lexical sign, which reads the words of queries, gold and near misses in five classes",
            study["sign"],
        ),
        ("results and report", study["report"]),
    ):
        print(f"| {what} | {seconds:.2f} |")
    print("\n| most memory, MB | all | without mapped pages |")
    print("|---|--:|--:|")
    for name in ("vectors", "study"):
        own = told[name]["own"]
        print(f"| {name} | {told[name]['peak'] / 1e6:,.0f} | {'' if own is None else f'{own / 1e6:,.0f}'} |")
    peak = max(vectors["peak"], study["peak"])
    limits = {
        f"memory {peak / 1e9:.2f} GB": peak < MOST_MEMORY,
        f"ranking {product['ranking'] / product['product']:.2f} of the product": product["ranking"]
        <= MOST_RANKING * product["product"],
        f"measuring and report {after / product['ranking']:.2f} of the ranking "
        f"({after / study['rank']:.2f} of all that stands before them)": after < MOST_FIGURES * product["ranking"],
    }
    told_limits = (f"{what}: {'met' if met else 'MISSED'}" for what, met in limits.items())
    print("\n" + "; ".join(told_limits) + ".")
    return 0 if all(limits.values()) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
