"""The figures that source 000 printed, recomputed from its own counts and labels."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from askance.data.collection import Role, Roles, Tier
from askance.data.ids import Ids
from askance.data.judgments import Judgments
from askance.data.run import Run
from askance.measure.chance import Verdict, chance, exact_null
from askance.measure.gap import share_of_gap
from askance.measure.intervals import proportion
from askance.measure.judged import Counts
from askance.measure.measures import Measure
from askance.measure.misses import Misses, misses
from askance.measure.paired import mcnemar

CORPUS = 336
Figure = dict[str, Any]


@pytest.fixture(scope="module")
def source(shared_data: Path) -> Path:
    return shared_data / "structural_retrieval"


@pytest.fixture(scope="module")
def figures(source: Path) -> list[Figure]:
    found: list[Figure] = json.loads((source / "published.json").read_text(encoding="utf-8"))
    return found


def _table(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, delimiter="\t"))


@pytest.fixture(scope="module")
def queries(source: Path) -> list[dict[str, str]]:
    return _table(source / "queries118_labels.tsv")


def _gold(queries: list[dict[str, str]], column: str) -> Counts:
    return np.array([int(row[column]) for row in queries])


def test_every_printed_interval_of_a_share_is_within_one_count(figures: list[Figure]) -> None:
    printed = [row for row in figures if "_hit@" in row["figure"] and row["low"] is not None]
    exact = 0
    for row in printed:
        found = proportion(row["hits"], row["n"])
        assert found.value == pytest.approx(row["value"], abs=1e-12), row["id"]
        if row["hits"] in (0, row["n"]):
            # printed as a point; the product says what none of 500 can mean
            assert (row["low"], row["high"]) == (found.value, found.value)
            assert found.high == pytest.approx(0.0074, abs=5e-5)
            continue
        assert (found.low, found.high) == pytest.approx((row["low"], row["high"]), abs=1 / row["n"] + 1e-9), row["id"]
        exact += (found.low, found.high) == pytest.approx((row["low"], row["high"]), abs=1e-6)
    assert len(printed) == 30
    assert exact == 21


def test_every_printed_mcnemar_is_recomputed(figures: list[Figure]) -> None:
    printed = [row for row in figures if row["figure"] == "mcnemar_exact_p" and row["value"] is not None]
    for row in printed:
        assert mcnemar(row["gained"], row["lost"]) == pytest.approx(row["value"], abs=6e-4), row["id"]
    assert len(printed) == 17


def test_every_printed_chance_is_recomputed(figures: list[Figure], queries: list[dict[str, str]]) -> None:
    printed = [row for row in figures if row["figure"].startswith("chance_")]
    columns = {"strict": "K_strict", "lenient": "K_lenient", "harsher_ii": "K_harsher_ii"}
    old = np.array([row["query_id"].startswith(("easy", "medium", "hard")) for row in queries])
    subsets = {"pooled": np.ones(118, dtype=bool), "old_40": old, "new_78": ~old}
    for row in printed:
        name, _, k = row["figure"].removeprefix("chance_").partition("_hit@")
        found = chance(Measure("Hit", int(k)), np.full(118, CORPUS), _gold(queries, columns[name]))
        assert not isinstance(found, str)
        mask = subsets[row["config"].get("subset", "pooled")]
        assert found[mask].mean() == pytest.approx(row["value"], abs=1e-12), row["id"]
    assert len(printed) == 21


def test_every_querys_chance_is_the_one_in_the_labels(queries: list[dict[str, str]]) -> None:
    for column, gold, k in [
        ("chance_strict_1", "K_strict", 1),
        ("chance_strict_5", "K_strict", 5),
        ("chance_strict_10", "K_strict", 10),
        ("chance_lenient_1", "K_lenient", 1),
        ("chance_harsher_1", "K_harsher_ii", 1),
    ]:
        found = chance(Measure("Hit", k), np.full(118, CORPUS), _gold(queries, gold))
        assert found == pytest.approx([float(row[column]) for row in queries], abs=6e-7)


@pytest.mark.parametrize(
    ("column", "hits", "below", "tail", "verdict"),
    [
        ("K_strict", 21, False, 0.254, "at"),
        ("K_strict", 18, False, 0.54, "at"),
        ("K_strict", 11, True, 0.041, "at"),
        ("K_harsher_ii", 13, True, 0.209, "at"),
        ("K_harsher_ii", 10, True, 0.046, "at"),
        ("K_harsher_ii", 8, True, 0.0105, "below"),
    ],
)
def test_tails_and_verdicts_on_the_trajectories(
    queries: list[dict[str, str]], column: str, hits: int, below: bool, tail: float, verdict: Verdict
) -> None:
    chances = chance(Measure("Hit", 1), np.full(118, CORPUS), _gold(queries, column))
    assert not isinstance(chances, str)
    there = exact_null(chances)
    one_sided = there.weight[: hits + 1].sum() if below else there.weight[hits:].sum()
    assert one_sided == pytest.approx(tail, abs=6e-4)
    found = there.place(hits / 118)
    assert found.verdict == verdict
    assert found.p == pytest.approx(min(1.0, 2 * one_sided))


def test_every_share_of_the_gap_is_recomputed_and_six_intervals(figures: list[Figure]) -> None:
    shares = [row for row in figures if row["figure"] == "share_of_gap_closed_pct"]
    intervals = 0
    for row in shares:
        told, n = row["config"], row["n"]
        before, after, most = told["before_hits"], row["hits"], told["hit10_hits"]
        # any joint table with these margins has this share: nothing more is lost than must be
        first, then, ceiling = ((np.arange(n) < hits).astype(np.float64) for hits in (before, after, most))
        found = share_of_gap(first, then, ceiling, seed=12345, hold="held")
        assert found.value is not None
        assert 100 * found.value == pytest.approx(row["value"], abs=1e-9), row["id"]
        if before == 0 and row["low"] is not None:
            ends = (100 * (found.low or 0.0), 100 * (found.high or 0.0))
            assert ends == pytest.approx((row["low"], row["high"]), abs=100 / told["gap_hits"] + 1e-9), row["id"]
            intervals += 1
    assert len(shares) == 70
    assert intervals == 6


# --- rank-1 failures

MATH_ROLES = tuple(
    Role(name, name) for name in ("own_nm_near_miss", "sibling_eq_variant", "unsuffixed_distractor", "other_base_item")
)


def _math_role(query: str, document: str) -> str:
    """Identifiers are base::eq::tier or base::nm::number; distractors have neither."""
    base, *rest = document.split("::")
    if len(rest) != 2:
        return "unsuffixed_distractor"
    if base != query:
        return "other_base_item"
    return "own_nm_near_miss" if rest[0] == "nm" else "sibling_eq_variant"


def _first(winners: dict[str, str], gold: dict[str, set[str]], roles: dict[str, dict[str, str]]) -> Misses:
    """Misses of a run of depth 1."""
    queries = Ids(winners)
    documents = Ids(sorted(set(winners.values()) | set().union(*gold.values())))
    run = Run.of("first", queries, documents, {query: [(winner, 1.0)] for query, winner in winners.items()})
    grades = {query: dict.fromkeys(found, 1.0) for query, found in gold.items()}
    tier = Tier("gold", "gold", Judgments.of(queries, documents, grades))
    names = sorted({name for row in roles.values() for name in row.values()})
    listed = {q: {d: name for d, name in row.items() if d in documents} for q, row in roles.items()}
    return misses(run, tier, Roles.of(queries, documents, [Role(name, name) for name in names], listed))


@pytest.mark.parametrize("embedder", ["gemini", "deepinfra", "labembed"])
def test_mathematical_failures_have_the_published_roles(source: Path, figures: list[Figure], embedder: str) -> None:
    rows = _table(source / "perquery" / "math_rank1_500.tsv")
    winners = {row["query_id"]: row[f"{embedder}_top1"] for row in rows}
    gold = {query: {f"{query}::eq::hard"} for query in winners}
    roles = {query: {winner: _math_role(query, winner)} for query, winner in winners.items()}
    found = _first(winners, gold, roles)
    printed = {
        row["config"]["category"]: row["hits"]
        for row in figures
        if row["figure"] == "rank1_miss_category" and row["id"].startswith(f"math/{embedder}/hard/")
    }
    assert {name: [role.name for role in found.roles].count(name) for name in printed} == printed
    assert len(found) == 500


@pytest.mark.parametrize(("embedder", "hits"), [("labembed", 4), ("gemini", 2), ("minilm", 1)])
def test_trajectories_failures_have_the_published_roles(
    shared_data: Path, source: Path, queries: list[dict[str, str]], embedder: str, hits: int
) -> None:
    raw = json.loads((shared_data / "proced_mem_bench" / "agentinstruct_trajectories.json").read_text(encoding="utf-8"))
    labels = {row["task_description"]: row for row in _table(source / "corpus_labels.tsv")}
    corpus = {one["task_instance_id"]: labels[one["task_description"]] for one in raw["trajectories"]}
    asked = {row["query_id"]: row for row in queries}
    gold: dict[str, set[str]] = {}
    roles: dict[str, dict[str, str]] = {}
    winners: dict[str, str] = {}
    classes: list[str] = []
    for row in _table(source / "perquery" / "traj_old40_rank1_winners.tsv"):
        query = row["query_id"]
        for document, label in corpus.items():
            same_task = label["task_type"] == asked[query]["task_type"]
            same_object = label["target_object"] in asked[query]["target_objects"].split(",")
            if same_task and not same_object:
                gold.setdefault(query, set()).add(document)
            else:
                name = "sibling" if same_task else "near_miss" if same_object else "other"
                roles.setdefault(query, {})[document] = name
        # which gold document won is not published
        winners[query] = row[f"{embedder}_winner"] or min(gold[query])
        if row[f"{embedder}_winner"]:
            classes.append(row[f"{embedder}_class"])
    found = _first(winners, gold, roles)
    assert [role.name for role in found.roles] == classes
    assert len(found) == 40 - hits
