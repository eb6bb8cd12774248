"""Hardness: graphs and overlap against brute force, published figures, and collections where little can be said."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import askance.measure.gold_graphs as gold_graphs_module
import askance.measure.word_overlap as word_overlap_module
from askance.data.adapters.limit import load
from askance.data.collection import Collection, Documents, Excluded, Queries, Tier
from askance.data.ids import Ids
from askance.data.judgments import Judgments
from askance.measure.gold_graphs import EXACT, gold_graphs
from askance.measure.hardness import hardness
from askance.measure.word_overlap import WordOverlap
from askance.text.classes import CLASSES
from askance.text.likeness import jaccard

GRADES = st.lists(st.dictionaries(st.integers(0, 4), st.sampled_from([0.0, 1.0, 2.0]), max_size=5), max_size=7)
TEXTS = st.lists(st.text(alphabet="ab c", max_size=6), min_size=1, max_size=6)


def collection_of(
    queries: list[str],
    documents: list[str],
    grades: list[dict[int, float]],
    excluded: dict[int, list[int]] | None = None,
) -> Collection:
    asked = Queries(Ids(f"q{at}" for at in range(len(queries))), {"text": queries})
    held = Documents(Ids(f"d{at}" for at in range(len(documents))), {"text": documents})
    named = {f"q{at}": {f"d{doc}": grade for doc, grade in row.items()} for at, row in enumerate(grades)}
    tier = Tier("gold", "gold", Judgments.of(asked.ids, held.ids, named))
    barred = {f"q{at}": [f"d{doc}" for doc in row] for at, row in (excluded or {}).items()}
    return Collection(
        "made", held, asked, {"gold": tier}, excluded=Excluded.of(asked.ids, held.ids, barred) if excluded else None
    )


def brute_density(sets: list[set[int]]) -> tuple[int, Fraction | None]:
    there = [one for one in sets if one]
    edges = sum(bool(one & other) for one, other in combinations(there, 2))
    pairs = len(there) * (len(there) - 1)
    return edges, Fraction(2 * edges, pairs) if pairs else None


def brute_strength(sets: list[set[int]]) -> Fraction | None:
    there = [one for one in sets if one]
    total = sum((Fraction(len(a & b), len(a | b)) for a, b in combinations(there, 2)), Fraction(0))
    return 2 * total / len(there) if there else None


@given(
    GRADES, st.dictionaries(st.integers(0, 6), st.lists(st.integers(0, 4), max_size=3), max_size=3), st.integers(1, 40)
)
def test_the_graphs_are_what_every_pair_says(
    grades: list[dict[int, float]], excluded: dict[int, list[int]], cells: int
) -> None:
    grades = grades or [{}]
    excluded = {query: barred for query, barred in excluded.items() if query < len(grades)}
    made = collection_of(["x"] * len(grades), ["y"] * 5, grades, excluded)
    gold = [
        {doc for doc, grade in row.items() if grade >= 1 and doc not in excluded.get(at, [])}
        for at, row in enumerate(grades)
    ]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(gold_graphs_module, "_CELLS_AT_ONCE", cells)
        found = gold_graphs(made.tier("gold"), made.excluded)
    of_document = [{at for at, row in enumerate(gold) if doc in row} for doc in range(5)]
    for graph, sets in ((found.queries, gold), (found.documents, of_document)):
        edges, density = brute_density(sets)
        assert (graph.nodes, graph.edges) == (sum(map(bool, sets)), edges)
        assert graph.density.value == (None if density is None else pytest.approx(float(density), abs=1e-15))
    strength = brute_strength(gold)
    assert found.strength.value == (None if strength is None else pytest.approx(float(strength), abs=1e-12))


@given(TEXTS, TEXTS, st.integers(1, 20))
def test_overlap_is_the_jaccard_of_the_words(queries: list[str], documents: list[str], cells: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(word_overlap_module, "_CELLS_AT_ONCE", cells)
        blocks = list(WordOverlap.of(queries, documents).blocks(np.arange(len(queries))))
    read = CLASSES["all"].read
    wanted = [[jaccard(read(query), read(document)) for document in documents] for query in queries]
    assert [int(at) for some, _ in blocks for at in some] == list(range(len(queries)))
    assert np.concatenate([overlap for _, overlap in blocks]) == pytest.approx(np.array(wanted), abs=1e-15)


def test_overlap_of_gold_and_of_the_top_decoys() -> None:
    documents = ["a b", "a b c", "a", "x", "a b"]
    made = collection_of(["a b", "x y", "z"], documents, [{0: 1, 3: 1}, {0: 1}, {}], {0: [4]})
    found = hardness(made, made.tier("gold"), first=2).overlap
    # q0: gold 1 and 0; decoys (the excluded twin is none) 2/3, 1/2. q1: gold 0; decoys 1/2, 0
    assert found.gold.value == pytest.approx((0.5 + 0) / 2)
    assert found.decoys.value == pytest.approx(((2 / 3 + 1 / 2) / 2 + 1 / 4) / 2)
    assert found.margin.value == pytest.approx((1 / 3 - 1 / 2) / 2)
    assert found.closer.value == pytest.approx(0.5)
    assert found.gold.left_out == {"queries without gold": 1}
    counts = hardness(made, made.tier("gold")).counts.record()
    assert counts == {
        "documents": 5, "queries": 3, "with_gold": 2, "gold_documents": 2, "judged_documents": 2, "gold_pairs": 3,
        "shared": 1, "most_gold": 2,
    }  # fmt: skip


def test_a_margin_may_lie_below_nought() -> None:
    made = collection_of(["a b"] * 3, ["c", "a b"], [{0: 1}] * 3)
    margin = hardness(made, made.tier("gold")).overlap.margin
    assert margin.value == -1.0
    assert margin.low == -1.0


@pytest.mark.parametrize(
    ("documents", "grades", "said"),
    [
        (["a", "b"], [{}, {0: 0}], {"queries": "two queries with gold, there are 0", "strength": "no query has gold"}),
        (["a"], [{0: 1}, {0: 1}], {"documents": "two gold documents, there are 1", "overlap": "no queries"}),
        (["a", "b"], [{0: 1}, {}], {"queries": "two queries with gold, there are 1"}),
    ],
)
def test_what_cannot_be_said_says_why(
    documents: list[str], grades: list[dict[int, float]], said: dict[str, str]
) -> None:
    made = collection_of(["a", "b"], documents, grades)
    found = hardness(made, made.tier("gold"))
    estimates = {
        "queries": found.query_graph.density,
        "documents": found.document_graph.density,
        "strength": found.strength,
        "overlap": found.overlap.closer,
    }
    for name, reason in said.items():
        assert estimates[name].value is None
        assert reason in estimates[name].method


def test_one_document_leaves_its_queries_without_decoys() -> None:
    made = collection_of(["a", "b"], ["a"], [{0: 1}, {0: 1}])
    found = hardness(made, made.tier("gold"))
    assert found.query_graph.density.value == 1.0
    assert found.strength.value == 1.0
    assert found.overlap.gold.left_out == {"queries without decoys": 2}


def test_the_published_figures_of_limit(shared_data: Path) -> None:
    """Weller et al. (2025) print .085481 (which is the query graph's) and 28.4653."""
    limit = load(shared_data, "limit-small")
    found = hardness(limit, limit.tier("likes"))
    assert found.strength.value == pytest.approx(28.4653, abs=5e-5)
    assert found.query_graph.density.value == pytest.approx(0.085481, abs=5e-7)
    assert found.query_graph.edges == 42_698
    assert found.document_graph.density.value == pytest.approx(0.966184, abs=5e-7)
    assert {found.strength.method, found.query_graph.density.method} == {EXACT}
