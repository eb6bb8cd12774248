"""Lexical preference: brute force, edges, canaries, and the values measured on real data."""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from rapidfuzz import fuzz

from askance.core.errors import DataProblem, UnknownName
from askance.core.estimate import Estimate
from askance.data.collection import Decoys, Excluded, Role, Roles, Tier
from askance.data.ids import Ids
from askance.data.judgments import Judgments
from askance.measure.closeness import Compared
from askance.measure.intervals import resampled_mean
from askance.measure.judged import Values
from askance.measure.resamples import resampled_means
from askance.measure.sign import NOT_COMPARED, Preference, pair_share, preference, read

NEAR, FAR = Role("near", "near"), Role("far", "far")
ANY_OTHER = Decoys("others", "all others", ("other",))


class Written:
    """A likeness that is written in the document: "0.3"; it counts what it was asked."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, int]] = []
        self.texts: list[Sequence[str]] = []

    def scores(self, query: str, documents: Sequence[str]) -> Values:
        self.asked.append((query, len(documents)))
        self.texts.append(documents)
        return np.array([float(text) for text in documents], dtype=np.float64)


def _tier(judgments: Judgments, threshold: float = 1.0) -> Tier:
    return Tier("gold", "gold", judgments, threshold=threshold)


def _roles(judgments: Judgments, pairs: dict[str, dict[str, str]]) -> Roles:
    return Roles.of(judgments.queries, judgments.documents, (NEAR, FAR), pairs)


def _compared(judgments: Judgments, likeness: list[float]) -> Compared:
    return Compared(Written(), list(judgments.queries), [str(value) for value in likeness])


@given(
    st.lists(st.sampled_from([0.0, 0.25, 0.5, 1.0]), min_size=1, max_size=8),
    st.lists(st.sampled_from([0.0, 0.25, 0.5, 1.0]), min_size=1, max_size=8),
)
def test_the_share_of_pairs_counts_every_pair(gold: list[float], decoys: list[float]) -> None:
    wins = sum(1.0 if one > other else 0.5 if one == other else 0.0 for one in gold for other in decoys)
    assert pair_share(np.array(gold), np.array(decoys)) == pytest.approx(wins / (len(gold) * len(decoys)), abs=1e-15)


def test_gold_is_held_against_the_named_roles_only(make_judgments: Callable[..., Judgments]) -> None:
    judgments = make_judgments([{0: 1}, {1: 1, 2: 1}], 5)
    roles = _roles(judgments, {"q0": {"d1": "near", "d2": "far", "d0": "near"}, "q1": {"d0": "near", "d3": "far"}})
    compared = _compared(judgments, [0.5, 0.4, 0.6, 0.5, 0.1])
    near = preference(_tier(judgments), roles, compared, Decoys("near", "near", ("near",)), seed=1)
    # q0: .5 > .4; q1: .4 < .5 and .6 > .5
    assert near.estimate.value == pytest.approx((1.0 + 0.5) / 2)
    both = preference(_tier(judgments), roles, compared, Decoys("both", "both", ("near", "far")), seed=1)
    # q0: gold .5 against .4 and .6; q1: gold .4 and .6 against .5 and .5
    assert both.estimate.value == pytest.approx((0.5 + 0.5) / 2)
    assert both.decoys == "both"


def test_the_default_role_is_every_document_that_is_not_listed(make_judgments: Callable[..., Judgments]) -> None:
    judgments = make_judgments([{0: 1}], 5)
    roles = _roles(judgments, {"q0": {"d1": "near"}})
    compared = _compared(judgments, [0.5, 0.9, 0.5, 0.4, 0.6])
    rest = preference(_tier(judgments), roles, compared, ANY_OTHER, seed=1)
    assert rest.estimate.value == pytest.approx((0.5 + 1.0 + 0.0) / 3)
    everything = preference(_tier(judgments), None, compared, ANY_OTHER, seed=1)
    assert everything.estimate.value == pytest.approx((0.0 + 0.5 + 1.0 + 0.0) / 4)


def test_only_gold_and_decoys_are_compared(make_judgments: Callable[..., Judgments]) -> None:
    judgments = make_judgments([{0: 1}, {0: 1}], 500)
    roles = _roles(judgments, {"q0": {"d1": "near"}, "q1": {"d2": "near", "d3": "near"}})
    compared = _compared(judgments, [0.5] * 500)
    preference(_tier(judgments), roles, compared, Decoys("near", "near", ("near",)), seed=1)
    assert isinstance(compared.likeness, Written)
    assert compared.likeness.asked == [("q0", 2), ("q1", 3)]


def test_queries_without_gold_or_decoys_are_left_out_and_counted(make_judgments: Callable[..., Judgments]) -> None:
    judgments = make_judgments([{0: 1}, {}, {0: 1}, {0: 0.5}], 3)
    roles = _roles(judgments, {"q0": {"d1": "near"}, "q1": {"d1": "near"}, "q3": {"d1": "near"}})
    found = preference(
        _tier(judgments), roles, _compared(judgments, [0.5, 0.4, 0.3]), Decoys("near", "near", ("near",)), seed=1
    )
    assert dict(found.estimate.left_out) == {"queries without gold": 2, "queries without decoys": 1}
    assert found.estimate.n == 1
    assert found.estimate.value == 1.0
    assert found.reading == "undecided"


def test_a_mask_picks_queries_and_excluded_documents_are_no_decoys(make_judgments: Callable[..., Judgments]) -> None:
    judgments = make_judgments([{0: 1, 1: 1}, {0: 1}], 4)
    excluded = Excluded.of(judgments.queries, judgments.documents, {"q0": ["d1", "d3"]})
    compared = _compared(judgments, [0.5, 0.1, 0.4, 0.9])
    found = preference(
        _tier(judgments), None, compared, ANY_OTHER, seed=1, excluded=excluded, mask=np.array([True, False])
    )
    # gold d0 alone, decoy d2 alone
    assert (found.estimate.value, found.estimate.n) == (1.0, 1)


def test_many_decoys_are_sampled_and_the_rest_counted(make_judgments: Callable[..., Judgments]) -> None:
    judgments = make_judgments([{0: 1}] * 30, 400)
    likeness = [0.7, *np.linspace(0, 1, 399).tolist()]
    compared = _compared(judgments, likeness)
    found = [preference(_tier(judgments), None, compared, ANY_OTHER, seed=seed, most_decoys=50) for seed in (1, 1, 2)]
    assert found[0].estimate == found[1].estimate
    assert found[0].estimate.value != found[2].estimate.value
    assert found[0].estimate.left_out[NOT_COMPARED] == 30 * 349
    assert found[0].estimate.value == pytest.approx(0.7, abs=4 * (0.21 / 1500) ** 0.5)
    assert isinstance(compared.likeness, Written)
    assert all(len(set(texts)) == 51 for texts in compared.likeness.texts)


def test_an_unknown_role_is_told_the_nearest(make_judgments: Callable[..., Judgments]) -> None:
    judgments = make_judgments([{0: 1}], 2)
    compared = _compared(judgments, [0.5, 0.4])
    for roles in (None, _roles(judgments, {})):
        with pytest.raises(UnknownName, match="decoys 'wrong': there is no role 'othr'"):
            preference(_tier(judgments), roles, compared, Decoys("wrong", "wrong", ("othr",)), seed=1)


def test_a_likeness_that_is_no_number_is_an_error(make_judgments: Callable[..., Judgments]) -> None:
    judgments = make_judgments([{0: 1}], 2)
    with pytest.raises(DataProblem, match="query number 1 and document number 2"):
        preference(_tier(judgments), None, _compared(judgments, [0.5, float("nan")]), ANY_OTHER, seed=1)


@pytest.mark.parametrize(
    ("low", "high", "reading"),
    [(0.51, 0.6, "incidental"), (0.4, 0.49, "adversarial"), (0.5, 0.6, "undecided"), (None, None, "undecided")],
)
def test_readings(low: float | None, high: float | None, reading: str) -> None:
    assert read(Estimate(0.5, low, high, 9, "by hand")) == reading


# --- canaries


def test_a_likeness_that_knows_gold_is_incidental_and_its_opposite_adversarial(
    make_judgments: Callable[..., Judgments],
) -> None:
    judgments = make_judgments([{0: 1}] * 20, 5)
    friend = preference(_tier(judgments), None, _compared(judgments, [1.0, 0.1, 0.2, 0.3, 0.4]), ANY_OTHER, seed=1)
    enemy = preference(_tier(judgments), None, _compared(judgments, [0.0, 0.1, 0.2, 0.3, 0.4]), ANY_OTHER, seed=1)
    same = preference(_tier(judgments), None, _compared(judgments, [0.2] * 5), ANY_OTHER, seed=1)
    assert (friend.estimate.value, friend.reading) == (1.0, "incidental")
    assert (enemy.estimate.value, enemy.reading) == (0.0, "adversarial")
    assert (same.estimate.value, same.reading) == (0.5, "undecided")


def test_labels_permuted_within_queries_are_undecided() -> None:
    """In 2,000 draws of the labels at most 7 % have a sign; the queries are as uneven as real ones."""
    rng = np.random.default_rng(11)
    queries, draws = 100, 2_000
    likeness = [np.round(rng.beta(2, 4, rng.integers(4, 60)), 2) for _ in range(queries)]
    gold = [int(rng.integers(1, min(25, len(row) - 1))) for row in likeness]
    shares = np.array(
        [
            [pair_share(row[:count], row[count:]) for row in rng.permuted(np.tile(row, (draws, 1)), axis=1)]
            for row, count in zip(likeness, gold, strict=True)
        ]
    )
    means = resampled_means(shares, seed=3, resamples=2_000)
    low, high = np.quantile(means, (0.025, 0.975), axis=0)
    readings = [
        read(Estimate(0.5, float(ends[0]), float(ends[1]), queries, "")) for ends in zip(low, high, strict=True)
    ]
    one = resampled_mean(shares[:, 0], seed=3, resamples=2_000)
    assert (one.low, one.high) == pytest.approx((float(low[0]), float(high[0])), abs=1e-12)
    assert readings.count("undecided") >= 0.93 * draws
    assert readings.count("incidental") > 0
    assert readings.count("adversarial") > 0


# --- real data, by a likeness of the test's own


class MeanOfThree:
    """Jaccard of words, rapidfuzz's ratio and the ratio of lengths, lower case; the mean of the three."""

    def scores(self, query: str, documents: Sequence[str]) -> Values:
        return np.array([self._score(query.lower(), text.lower()) for text in documents])

    def _score(self, one: str, other: str) -> float:
        first, second = set(re.findall(r"\w+", one)), set(re.findall(r"\w+", other))
        lengths = min(len(one), len(other)) / max(len(one), len(other))
        return (len(first & second) / len(first | second) + fuzz.ratio(one, other) / 100 + lengths) / 3


def _close(found: Preference, value: float, low: float, high: float, n: int) -> None:
    assert found.estimate.value == pytest.approx(value, abs=5e-4)
    assert (found.estimate.low, found.estimate.high) == pytest.approx((low, high), abs=2.5e-3)
    assert found.estimate.n == n


def test_word_problems_are_adversarial(shared_data: Path) -> None:
    path = shared_data / "gsm_plus" / "gsmplus_testmini.jsonl"
    seeds: dict[str, dict[str, str]] = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        record = json.loads(line)
        seeds.setdefault(record["seed_question"], {})[record["perturbation_type"]] = record["question"]
    kinds = [kind for kind in next(iter(seeds.values())) if kind != "distraction insertion"]
    queries = Ids(f"q{at}" for at in range(len(seeds)))
    documents = Ids(f"q{at} {kind}" for at in range(len(seeds)) for kind in kinds)
    gold = {query: {f"{query} problem understanding": 1.0} for query in queries}
    judgments = Judgments.of(queries, documents, gold)
    pairs = {query: {f"{query} {kind}": "near" for kind in kinds} for query in queries}
    texts = [row[kind] for row in seeds.values() for kind in kinds]
    found = preference(
        _tier(judgments),
        _roles(judgments, pairs),
        Compared(MeanOfThree(), list(seeds), texts),
        Decoys("near", "its own near misses", ("near",)),
        seed=12345,
    )
    _close(found, 0.028, 0.020, 0.036, 300)
    assert found.reading == "adversarial"


def test_trajectories_are_incidental_but_undecided_where_the_object_is_the_same(shared_data: Path) -> None:
    source = shared_data / "structural_retrieval"
    with (source / "queries118_labels.tsv").open(encoding="utf-8", newline="") as file:
        asked = list(csv.DictReader(file, delimiter="\t"))
    with (source / "corpus_labels.tsv").open(encoding="utf-8", newline="") as file:
        labels = {row["task_description"]: row for row in csv.DictReader(file, delimiter="\t")}
    raw = json.loads((shared_data / "proced_mem_bench" / "agentinstruct_trajectories.json").read_text(encoding="utf-8"))
    texts = [record["task_description"] for record in raw["trajectories"]]
    queries = Ids(row["query_id"] for row in asked)
    documents = Ids(f"t{at}" for at in range(len(texts)))
    gold: dict[str, dict[str, float]] = {}
    pairs: dict[str, dict[str, str]] = {}
    for row in asked:
        objects = row["target_objects"].split(",")
        for at, text in enumerate(texts):
            same_task = labels[text]["task_type"] == row["task_type"]
            same_object = labels[text]["target_object"] in objects
            if same_task and not same_object:
                gold.setdefault(row["query_id"], {})[f"t{at}"] = 1.0
            role = "near" if same_object and not same_task else None if same_task else "far"
            if role is not None:
                pairs.setdefault(row["query_id"], {})[f"t{at}"] = role
    judgments = Judgments.of(queries, documents, gold)
    assert judgments.gold_counts().tolist() == [int(row["K_strict"]) for row in asked]
    compared = Compared(MeanOfThree(), [row["query_text"] for row in asked], texts)
    roles = _roles(judgments, pairs)
    other_task = preference(_tier(judgments), roles, compared, Decoys("task", "task", ("near", "far")), seed=12345)
    _close(other_task, 0.792, 0.768, 0.815, 118)
    assert other_task.reading == "incidental"
    same_object_found = preference(_tier(judgments), roles, compared, Decoys("near", "near", ("near",)), seed=12345)
    _close(same_object_found, 0.538, 0.480, 0.597, 96)
    assert same_object_found.reading == "undecided"
    assert dict(same_object_found.estimate.left_out) == {"queries without decoys": 22}
