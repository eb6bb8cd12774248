"""BM25 against Lucene 9.5.0 and against the formula, document by document."""

from __future__ import annotations

import json
import math
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from askance.engines.bm25 import BM25Index, stored_lengths
from askance.engines.selection import best
from askance.text.analyzer import Analyzer

PLAIN = Analyzer()
WORDS_ONLY = re.compile(r"[\w' ?\\]+")


def fixture(shared_data: Path) -> list[dict[str, Any]]:
    text = (shared_data / "lucene" / "bm25_phrase_lucene_9_5_0.json").read_text("utf-8")
    return list(json.loads(text))


def test_term_queries_of_lucene(shared_data: Path) -> None:
    """Every query of the fixture that is words only: same documents, scores within 2e-5, order where scores differ."""
    compared = 0
    for case in fixture(shared_data):
        ids = [row[0] for row in case["docs"]]
        index = BM25Index([" ".join(row[1:]) for row in case["docs"]], PLAIN)
        for asked, answer in zip(case["queries"], case["results"], strict=True):
            if not WORDS_ONLY.fullmatch(asked.replace(" OR ", " ")):
                continue
            documents, scores = index.search(asked.replace(" OR ", " ").replace("\\", ""), len(ids))
            theirs = dict(answer["hits"])
            ours = {ids[document]: score for document, score in zip(documents, scores, strict=True)}
            assert ours.keys() == theirs.keys(), asked
            for name, score in ours.items():
                assert score == pytest.approx(theirs[name], rel=2e-5), (asked, name)
                compared += 1
            order = [theirs[ids[document]] for document in documents]
            assert all(one >= other * (1 - 2e-5) for one, other in zip(order, order[1:], strict=False))
    assert compared > 250


def test_a_term_named_twice_counts_as_boosted_by_two(shared_data: Path) -> None:
    for case in fixture(shared_data):
        ids = [row[0] for row in case["docs"]]
        index = BM25Index([" ".join(row[1:]) for row in case["docs"]], PLAIN)
        theirs = dict(case["results"][case["queries"].index("Gouda^2 Risk")]["hits"])
        documents, scores = index.search("Gouda Risk Gouda", len(ids))
        ours = {ids[document]: score for document, score in zip(documents, scores, strict=True)}
        assert ours == pytest.approx(theirs, rel=2e-5)


def in_full(texts: list[str], query: str, k1: float, b: float, lengths: str) -> dict[int, float]:
    split = [PLAIN.terms(text) for text in texts]
    filled = [terms for terms in split if terms]
    out: dict[int, float] = {}
    for at, terms in enumerate(split):
        length = len(terms) if lengths == "exact" else int(stored_lengths(np.array([len(terms)]))[0])
        for term in PLAIN.terms(query):
            holders = sum(term in other for other in split)
            often = terms.count(term)
            if often:
                average = sum(map(len, filled)) / len(filled)
                idf = math.log(1 + (len(filled) - holders + 0.5) / (holders + 0.5))
                out[at] = out.get(at, 0.0) + idf * often / (often + k1 * (1 - b + b * length / average))
    return out


TEXTS = st.lists(st.sampled_from(["a", "b", "c", "d"]), max_size=60).map(" ".join)


@given(
    st.lists(TEXTS, max_size=8),
    st.lists(st.sampled_from(["a", "b", "c", "d", "e"]), max_size=5).map(" ".join),
    st.sampled_from([0.0, 1.2, 2.0]),
    st.sampled_from([0.0, 0.75, 1.0]),
    st.sampled_from(["lucene", "exact"]),
    st.integers(0, 9),
)
def test_formula(texts: list[str], query: str, k1: float, b: float, lengths: Any, depth: int) -> None:
    index = BM25Index(texts, PLAIN, k1, b, lengths)
    expected = in_full(texts, query, k1, b, lengths)
    documents, scores = index.scores(PLAIN.terms(query))
    assert documents.tolist() == sorted(expected)
    np.testing.assert_allclose(scores, [expected[at] for at in sorted(expected)], rtol=1e-6)
    found, given_scores = index.search(query, depth)
    ranked = sorted(zip(-scores, documents, strict=True))[:depth]
    assert found.tolist() == [document for _, document in ranked]
    assert given_scores.tolist() == [-negative for negative, _ in ranked]


@pytest.mark.parametrize(
    ("length", "stored"),
    [(0, 0), (1, 1), (23, 23), (24, 24), (39, 39), (40, 40), (41, 40), (42, 42), (100, 96), (104, 104), (110, 104),
     (255, 248), (1000, 984)],
)  # fmt: skip
def test_one_byte_lengths(length: int, stored: int) -> None:
    assert stored_lengths(np.array([length]))[0] == stored


def test_one_byte_holds_them() -> None:
    every = stored_lengths(np.arange(2**20))
    assert (np.diff(every) >= 0).all()
    assert (every <= np.arange(2**20)).all()
    assert len(np.unique(every)) <= 256


def test_repeated_terms_count_each_time() -> None:
    index = BM25Index(["a b", "b c c", "a c"], PLAIN)
    once, twice = index.scores(["b", "c"]), index.scores(["b", "c", "c"])
    only = index.scores(["c"])
    np.testing.assert_allclose(twice[1][1:] - once[1][1:], only[1], rtol=1e-6)


def test_equal_scores_keep_the_order_of_the_documents() -> None:
    index = BM25Index(["x a", "a y", "b", "z a"], PLAIN)
    assert index.search("a", 2)[0].tolist() == [0, 1]
    assert index.search("a", 9)[0].tolist() == [0, 1, 3]


def test_excluded_documents_are_no_candidates() -> None:
    index = BM25Index(["x a", "a y", "b", "z a"], PLAIN)
    documents, scores = index.search("a", 2, np.array([0], dtype=np.int32))
    assert documents.tolist() == [1, 3]
    assert scores[0] == index.search("a", 1)[1][0]


@pytest.mark.parametrize("texts", [[], [""], ["", "?!"]])
def test_nothing_to_find(texts: list[str]) -> None:
    assert BM25Index(texts, PLAIN).search("a", 3)[0].tolist() == []


def test_stemmed_terms_meet() -> None:
    index = BM25Index(["snow leopards", "a snowy leopard"], Analyzer("porter"))
    assert index.search("Leopard", 5)[0].tolist() == [0, 1]


@given(st.lists(st.sampled_from([0.0, 0.5, 1.0, -1.0]), max_size=12), st.integers(-1, 14))
def test_best_is_a_stable_sort(scores: list[float], depth: int) -> None:
    expected = sorted(range(len(scores)), key=lambda at: (-scores[at], at))[: max(depth, 0)]
    assert best(np.array(scores), depth).tolist() == expected
